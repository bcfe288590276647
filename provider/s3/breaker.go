package s3

import (
	"math/rand/v2"
	"sync"
	"time"
)

const (
	// tripAfter is how many failures in a row open a breaker.
	tripAfter = 5
	// The time for which a breaker stays open doubles from the first to the second with each probe that fails.
	minOpen = time.Second
	maxOpen = time.Minute
)

// A verdict is what a call says of the health of what a breaker stands before.
type verdict int

const (
	// unknown is of a call that says nothing, such as one that was given up.
	unknown verdict = iota
	alive
	dead
)

// A breaker makes calls fail at once while it is likely that they would fail anyway. After some time it lets one call
// through as a probe, which decides. The zero value is ready, and closed.
type breaker struct {
	mu sync.Mutex
	// failures are those in a row, while it is closed.
	failures int
	// open is for how long it was last opened, before jitter. 0 means that it is closed.
	open time.Duration
	// until is when the next probe may go.
	until time.Time
	// probing says that one is under way.
	probing bool
	// last is the failure that opened it.
	last *Error
}

// pass lets a call through, or says why not. The one that passes must report its verdict by done, once.
func (b *breaker) pass() (done func(verdict, *Error), err *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == 0 {
		return b.record, nil
	}
	if refused := b.refusal(); refused != nil {
		return nil, refused
	}
	b.probing = true
	return b.probed, nil
}

// refused tells whether pass would refuse, without letting anything through.
func (b *breaker) refused() *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refusal()
}

// refusal wants the mutex held. Its text is that of the failure which opened the breaker, so that a condition does not
// change to and fro between the failure and its consequence.
func (b *breaker) refusal() *Error {
	if b.open == 0 {
		return nil
	}
	wait := time.Until(b.until)
	if b.probing {
		wait = max(wait, minOpen)
	}
	if wait <= 0 {
		return nil
	}
	return &Error{Class: Open, Code: b.last.Code, Status: b.last.Status, RetryAfter: wait, words: b.last.Error()}
}

// record takes the verdict of a call that began while the breaker was closed.
func (b *breaker) record(v verdict, failure *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.open != 0: // A probe decides now, and not those that are late.
	case v == alive:
		b.failures = 0
	case v == dead:
		if b.failures++; b.failures >= tripAfter {
			b.trip(minOpen, failure)
		}
	}
}

// probed takes the verdict of a probe.
func (b *breaker) probed(v verdict, failure *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch v {
	case alive:
		b.failures, b.open, b.last = 0, 0, nil
	case dead:
		b.trip(min(2*b.open, maxOpen), failure)
	case unknown: // The next call is the next probe.
	}
}

// trip opens the breaker for a time that is cut by up to a half at random, so that not all come back at one instant.
func (b *breaker) trip(open time.Duration, failure *Error) {
	b.open, b.last = open, failure
	b.until = time.Now().Add(open/2 + rand.N(open/2)) //nolint:gosec // Jitter is no secret.
}

// isOpen is for a metric.
func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open != 0
}
