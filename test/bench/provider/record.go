package main

import (
	"context"
	"slices"
	"time"

	"my-operator.dev/echo/test/bench/plot"
	"my-operator.dev/echo/test/bench/proc"
)

const (
	// sampleEvery is how often memory is read, which takes the kernel half a
	// millisecond.
	sampleEvery = 250 * time.Millisecond

	// tellEvery is how often progress is said, in samples.
	tellEvery = 8
)

// A record is how a figure of the test and the provider's memory went in time.
type record struct {
	figure []plot.Point // seconds, figure
	memory []plot.Point // seconds, MiB resident
	peak   proc.Memory  // at the moment with most resident
	middle proc.Memory  // medians, each of its own

	done chan struct{}
}

// until returns how the figure went until it was n, which it was after so long.
func (r *record) until(after time.Duration, n int) []plot.Point {
	return append(slices.Clone(r.figure), plot.Point{X: after.Seconds(), Y: float64(n)})
}

// record records until the function that it returns is called, which waits for it.
func (r *rig) record(ctx context.Context, what string, figure func() int) (*record, func()) {
	ctx, cancel := context.WithCancel(ctx)
	rec := &record{done: make(chan struct{})}
	began, pid := time.Now(), r.process.PID

	go func() {
		defer close(rec.done)

		var rss, anon []float64

		for i := 0; ; i++ {
			at := time.Since(began).Seconds()

			// A process that has ended is found by whoever waits for it.
			if m, err := proc.ReadMemory(pid); err == nil {
				n := figure()
				rec.figure = append(rec.figure, plot.Point{X: at, Y: float64(n)})
				rec.memory = append(rec.memory, plot.Point{X: at, Y: m.RSS})
				rss, anon = append(rss, m.RSS), append(anon, m.Anon)
				rec.middle = proc.Memory{RSS: median(rss), Anon: median(anon)}

				if m.RSS > rec.peak.RSS {
					rec.peak = m
				}

				if i%tellEvery == 0 {
					say("%6.1f s %6d %s %12s MiB", at, n, what, m)
				}
			}

			if sleep(ctx, sampleEvery) != nil {
				return
			}
		}
	}()

	return rec, func() {
		cancel()
		<-rec.done
	}
}
