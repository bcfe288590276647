package main

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/test/bench/proc"
)

// steady is what polls take when nothing has changed.
type steady struct {
	started time.Duration // from the start of the provider until it has seen each Bucket once
	window  time.Duration // of polls
	counts  counts
	middle  proc.Memory // medians while it polls
	peak    proc.Memory
	jump    proc.Memory // most resident while it saw each Bucket for the first time
}

// steady starts the provider anew with a short poll interval, and counts what it does
// for some polls of each of n Buckets, beginning so long after it has seen all of them:
// some of those first looks are still under way then.
func (r *rig) steady(ctx context.Context, n int, warm, poll time.Duration, polls int) (*steady, error) {
	say("Starting the provider anew, to poll every %s", poll)

	r.proxy.Reset()

	if err := r.restart(ctx, poll); err != nil {
		return nil, err
	}

	s := &steady{}
	calls := func() int { all, _ := r.proxy.Total(); return all }
	rec, stop := r.record(ctx, "calls", calls)

	for calls() < n {
		if err := sleep(ctx, look); err != nil {
			stop()
			return nil, errors.Wrap(err, "not every Bucket was observed")
		}
	}

	s.started = time.Since(r.started)

	stop()

	s.jump = rec.peak
	say("Each Bucket was seen after %.1f s", s.started.Seconds())

	if err := sleep(ctx, warm); err != nil {
		return nil, err
	}

	r.proxy.Reset()

	before, err := r.count(ctx)
	if err != nil {
		return nil, err
	}

	rec, stop = r.record(ctx, "calls", calls)
	err = sleep(ctx, time.Duration(polls)*poll)

	stop()

	if err != nil {
		return nil, err
	}

	after, err := r.count(ctx)
	if err != nil {
		return nil, err
	}

	s.window = after.at.Sub(before.at)
	s.counts, s.middle, s.peak = after.since(before), rec.middle, rec.peak

	if s.counts.reconciles == 0 {
		return nil, errors.New("the provider counts no reconcile while it polls")
	}

	return s, nil
}
