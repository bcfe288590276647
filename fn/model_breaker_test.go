package main

import "time"

// Core's defaults, see NewTokenBucketBreaker in its internal/circuit/token_bucket.go.
const (
	breakerCooldown = 5 * time.Minute
	breakerInterval = 30 * time.Second
)

// A breaker is core's circuit breaker for the composite. It does not count events:
// that it opens is one of the things that happen.
type breaker struct {
	open            bool
	opened, allowed time.Time
}

// trip opens the breaker. The event that does so still gets through.
func (w *world) trip() {
	if w.breaker.open {
		return
	}

	w.log("core's circuit breaker opens")
	w.breaker = breaker{open: true, opened: w.now, allowed: w.now}
	w.dirty = true
}

// passes tells whether an event gets through, see NewMapFunc and RecordEvent in
// core's internal/circuit. It takes an event to close the breaker, and that one may
// be dropped.
func (b *breaker) passes(now time.Time) bool {
	if !b.open {
		return true
	}

	passes := now.Sub(b.allowed) > breakerInterval
	if passes {
		b.allowed = now
	}

	b.open = now.Sub(b.opened) < breakerCooldown

	return passes
}

// wake tells core of an event, unless the breaker drops it.
func (w *world) wake() {
	if w.breaker.passes(w.now) {
		w.dirty = true
	}
}

// respond sets the condition that core sets before it calls any function.
func (w *world) respond() {
	status := child(w.xr, "status")

	if w.breaker.open {
		setCondition(status, w.now, "Responsive", "False", "WatchCircuitOpen", "Too many watch events.")
	} else {
		setCondition(status, w.now, "Responsive", "True", "WatchCircuitClosed", "")
	}
}
