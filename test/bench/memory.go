package main

import (
	"context"
	"slices"
	"time"

	"my-operator.dev/echo/test/bench/proc"
)

// measured is what one server was found to need.
type measured struct {
	server

	start  time.Duration // to the first answer
	fresh  proc.Memory   // before any call
	first  proc.Memory   // after one call
	loaded proc.Memory   // after the whole load
	idle   float64       // CPU without calls, in percent of a core
	loads  map[loadKey]*load
}

// measureStarts starts each server several times, and has it answer once.
func (r *rig) measureStarts(ctx context.Context, plan plan, all []*measured, w []*work) error {
	say("Starting each server %d times", plan.starts)

	times := map[string][]time.Duration{}

	for range plan.starts {
		for _, m := range all {
			p, err := r.start(ctx, m.server)
			if err != nil {
				return err
			}

			_, err = p.call(ctx, w[0].requests[m.name])
			times[m.name] = append(times[m.name], time.Since(p.began))
			p.stop()

			if err != nil {
				return err
			}
		}
	}

	for _, m := range all {
		m.start = median(times[m.name])
	}

	return nil
}

// measureIdle leaves servers alone that have just started.
func measureIdle(ctx context.Context, plan plan, processes []*process, all []*measured, w *work) error {
	say("Idling for %s", plan.settle+plan.idle)

	if err := sleep(ctx, plan.settle); err != nil {
		return err
	}

	before := make([]time.Duration, len(processes))
	for i, p := range processes {
		var err error
		if all[i].fresh, err = p.memory(); err != nil {
			return err
		}

		if before[i], err = p.cpu(); err != nil {
			return err
		}
	}

	if err := sleep(ctx, plan.idle); err != nil {
		return err
	}

	for i, p := range processes {
		after, err := p.cpu()
		if err != nil {
			return err
		}

		all[i].idle = 100 * (after - before[i]).Seconds() / plan.idle.Seconds()

		if _, err := p.call(ctx, w.requests[p.name]); err != nil {
			return err
		}

		if all[i].first, err = p.memory(); err != nil {
			return err
		}
	}

	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// median is the middle of values, the lower one of two. There must be one.
func median[T time.Duration | float64](values []T) T { return quantile(values, 0.5) }

// quantile is the smallest value that is not less than a share q of the values.
func quantile[T time.Duration | float64](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1))]
}
