package main

import (
	"slices"
	"time"
)

// doom has every Pod end soon after it starts, for a while, and counts how often
// it is replaced: at once at first, and then later and later, for as long as it
// takes.
func (w *world) doom() {
	const (
		lasts = 7 * time.Minute
		// Back-offs of 10 s, doubled up to 5 minutes, are over after 5 Pods and
		// 310 s. One more Pod is there from the start, and one is made at once.
		most = 7 + int((lasts-310*time.Second)/(5*time.Minute))
		// Core's jitter makes each wait longer by a tenth at most, and a Pod
		// takes a few seconds to end.
		least = most - 2
	)

	w.doomed = true
	w.spec()["image"], w.spec()["workload"], w.spec()["replicas"] = "shop:1", "Pods", 1.0

	for end := w.now.Add(lasts); w.now.Before(end); {
		w.tick(func(*stored) bool { return true })

		if w.core(20) == 20 {
			w.fail("core is kept busy without end: %s", w.summary())
		}

		moves := slices.ContainsFunc(w.of("Pod"), func(p *stored) bool { return p.life.stage != ended || p.terminating() })
		if moves || w.due.IsZero() {
			w.pass(3100 * time.Millisecond)
		} else {
			w.pass(w.due.Sub(w.now))
		}
	}

	if w.births < least || w.births > most {
		w.fail("%d Pods in %s, want %d to %d", w.births, lasts, least, most)
	}
}
