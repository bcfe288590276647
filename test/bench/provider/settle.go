package main

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/bench/plot"
	"my-operator.dev/echo/test/bench/proc"
)

// aftermath is how long after the last Bucket became Ready requests still count as
// sent for it: events, and the count of a config's users, come a bit later.
const aftermath = 5 * time.Second

// settled is what it takes until all Buckets are Ready.
type settled struct {
	made   time.Duration // until the last Bucket was created in the API
	took   time.Duration // until the last was Ready
	counts counts

	// curve is how many were Ready, and memory what the provider had resident:
	// seconds, number or MiB.
	curve, memory []plot.Point

	peak  proc.Memory // while they became Ready
	quiet proc.Memory // a while later, nothing happening
}

// settle makes n Buckets and waits until all are Ready, and then until it is quiet.
func (r *rig) settle(ctx context.Context, n int, quiet time.Duration) (*settled, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()

	v, err := r.view(watching)
	if err != nil {
		return nil, err
	}

	r.proxy.Reset()

	before, err := r.count(ctx)
	if err != nil {
		return nil, err
	}

	say("Making %d Buckets", n)

	s := &settled{}
	rec, stop := r.record(ctx, "Ready", func() int { _, ready, _ := v.count(); return ready })
	began := time.Now()

	err = inParallel(ctx, n, func(ctx context.Context, i int) error {
		return errors.Wrap(r.client.Create(ctx, newBucket(i)), "cannot make a Bucket")
	})
	s.made = time.Since(began)

	if err == nil {
		err = v.await(ctx, func(_, ready int) bool { return ready == n })
	}

	s.took = time.Since(began)

	stop()

	if err != nil {
		return nil, err
	}

	say("All are Ready after %.1f s", s.took.Seconds())

	s.peak, s.memory = rec.peak, rec.memory
	s.curve = rec.until(s.took, n)

	return s, r.settledFor(ctx, s, n, before, quiet)
}

// settledFor counts what the Buckets have cost, and measures memory after some quiet.
func (r *rig) settledFor(ctx context.Context, s *settled, n int, before counts, quiet time.Duration) error {
	if err := sleep(ctx, aftermath); err != nil {
		return err
	}

	after, err := r.count(ctx)
	if err != nil {
		return err
	}

	s.counts = after.since(before)
	s.counts.less("POST buckets", n)

	if err := sleep(ctx, quiet-aftermath); err != nil {
		return err
	}

	s.quiet, err = r.memory()
	say("Quiet: %s MiB", s.quiet)

	return err
}

func newBucket(i int) *storagev1beta1.Bucket {
	return &storagev1beta1.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("bucket-%d", i)}}
}
