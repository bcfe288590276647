package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/test/bench/raw"
)

// callers are how many call at the same time, on one connection, as core does.
var callers = []int{1, 8}

type loadKey struct {
	work    string
	callers int
}

// A load is how a server bore one, in medians over the rounds.
type load struct {
	rounds []slice

	p50, p99 time.Duration
	rate     float64 // calls a second
	cpu      time.Duration
}

// A slice is the same of one round.
type slice struct {
	p50, p99 time.Duration
	rate     float64
	cpu      time.Duration // of the server, for one call
}

func (l *load) finish() {
	pick := func(of func(slice) time.Duration) time.Duration {
		values := make([]time.Duration, 0, len(l.rounds))
		for _, s := range l.rounds {
			values = append(values, of(s))
		}

		return median(values)
	}

	l.p50 = pick(func(s slice) time.Duration { return s.p50 })
	l.p99 = pick(func(s slice) time.Duration { return s.p99 })
	l.cpu = pick(func(s slice) time.Duration { return s.cpu })

	rates := make([]float64, 0, len(l.rounds))
	for _, s := range l.rounds {
		rates = append(rates, s.rate)
	}

	l.rate = median(rates)
}

// measureLoads starts all servers, leaves them alone for a while, and loads one
// after the other with each work, round after round, so that whatever else the
// machine does meets all alike.
func (r *rig) measureLoads(ctx context.Context, plan plan, all []*measured, works []*work) error {
	processes, stop, err := r.startAll(ctx, servers)
	if err != nil {
		return err
	}
	defer stop()

	if err := measureIdle(ctx, plan, processes, all, works[0]); err != nil {
		return err
	}

	for n := range plan.rounds {
		say("Load: round %d of %d", n+1, plan.rounds)

		for _, w := range works {
			for _, c := range callers {
				for i, p := range processes {
					s, err := p.load(ctx, w, c, plan.slice)
					if err != nil {
						return err
					}

					key := loadKey{w.Name, c}
					if all[i].loads[key] == nil {
						all[i].loads[key] = &load{}
					}

					all[i].loads[key].rounds = append(all[i].loads[key].rounds, s)
				}
			}
		}
	}

	for i, p := range processes {
		for _, l := range all[i].loads {
			l.finish()
		}

		if all[i].loaded, err = p.memory(); err != nil {
			return err
		}
	}

	return nil
}

// load calls the process for as long as d, after a tenth of d to warm up.
func (p *process) load(ctx context.Context, w *work, callers int, d time.Duration) (slice, error) {
	if _, err := p.calls(ctx, w, callers, d/10); err != nil {
		return slice{}, err
	}

	before, err := p.cpu()
	if err != nil {
		return slice{}, err
	}

	began := time.Now()

	took, err := p.calls(ctx, w, callers, d)
	if err != nil {
		return slice{}, err
	}

	elapsed := time.Since(began)

	after, err := p.cpu()
	if err != nil {
		return slice{}, err
	}

	return slice{
		p50:  quantile(took, 0.5),
		p99:  quantile(took, 0.99),
		rate: float64(len(took)) / elapsed.Seconds(),
		cpu:  (after - before) / time.Duration(len(took)),
	}, nil
}

// calls has callers call until d is over, and returns how long each call took. It
// fails if an answer has not the length of the right one.
func (p *process) calls(ctx context.Context, w *work, callers int, d time.Duration) ([]time.Duration, error) {
	var wg sync.WaitGroup

	times, errs := make([][]time.Duration, callers), make([]error, callers)
	until := time.Now().Add(d)

	for i := range callers {
		wg.Go(func() {
			request := raw.Message(w.requests[p.name])

			for len(times[i]) == 0 || time.Now().Before(until) {
				var got raw.Length

				began := time.Now()
				err := p.conn.Invoke(ctx, raw.FullMethod, &request, &got)
				times[i] = append(times[i], time.Since(began))

				if err == nil && got != w.lengths[p.name] {
					err = errors.Errorf("want an answer of %d bytes, got %d", w.lengths[p.name], got)
				}

				if err != nil {
					errs[i] = errors.Wrapf(err, "%s fails at %s", p.name, w.Name)
					return
				}
			}
		})
	}

	wg.Wait()

	return slices.Concat(times...), errors.Join(errs...)
}
