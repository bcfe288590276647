package config

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

const (
	// readTimeout bounds a read, which others may wait for too.
	readTimeout = 10 * time.Second

	// fresh is how old what was read must be to be forgotten on request: when a
	// thousand resources are refused at once, one read is enough for all.
	fresh = 2 * time.Second

	// keepLast is how long what was once read well is kept for those who ask for
	// nothing newer.
	keepLast = time.Hour
)

// recent remembers for a short while what was read, so that many who ask for the
// same thing at about the same time cost one read.
type recent[K comparable, V any] struct {
	read func(context.Context, K) (V, error)
	now  func() time.Time

	mu      sync.Mutex
	entries map[K]*entry[V]
}

// entry is one thing that was read, or is being read until done is closed.
type entry[V any] struct {
	done chan struct{}

	// What follows is written before done is closed, and not after, save for
	// forgotten and used, which the mutex guards.
	value V
	err   error
	at    time.Time

	// good is what was last read without an error.
	good *V

	forgotten bool
	used      time.Time
}

func newRecent[V any](read func(context.Context, types.NamespacedName) (V, error)) *recent[types.NamespacedName, V] {
	return &recent[types.NamespacedName, V]{read: read, now: time.Now, entries: map[types.NamespacedName]*entry[V]{}}
}

// get returns what was read lately, else reads it. Only the first of those who ask
// reads; the others wait for it, or for the end of their context.
func (r *recent[K, V]) get(ctx context.Context, key K) (V, error) {
	e, mine := r.enter(key)
	if mine {
		// Not the context of whoever came first: the others wait for it too.
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()

		e.value, e.err = r.read(reading, key)
		if e.at = r.now(); e.err == nil {
			e.good = &e.value
		}

		close(e.done)
	}

	select {
	case <-e.done:
		return e.value, e.err
	case <-ctx.Done():
		var none V

		return none, ctx.Err()
	}
}

// enter returns the entry of a key, and whether the caller is to fill it.
func (r *recent[K, V]) enter(key K) (*entry[V], bool) {
	r.mu.Lock()
	defer r.mu.Unlock()

	now := r.now()

	before, ok := r.entries[key]
	if ok {
		before.used = now
		if !before.isDone() || !before.stale(now) {
			return before, false
		}
	}

	for k, e := range r.entries {
		if e.isDone() && now.Sub(e.used) > keepLast {
			delete(r.entries, k)
		}
	}

	e := &entry[V]{done: make(chan struct{}), used: now}
	if before != nil {
		e.good = before.good
	}

	r.entries[key] = e

	return e, true
}

// forget has the next get read anew, unless what there is was read just now.
func (r *recent[K, V]) forget(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if e, ok := r.entries[key]; ok && e.isDone() && r.now().Sub(e.at) >= fresh {
		e.forgotten = true
	}
}

// last returns what was last read well, within the hour or for as long as somebody
// goes on asking for it.
func (r *recent[K, V]) last(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if e, ok := r.entries[key]; ok && e.isDone() && e.good != nil {
		return *e.good, true
	}

	var none V

	return none, false
}

func (e *entry[V]) isDone() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// stale tells whether a done entry is to be read anew.
func (e *entry[V]) stale(now time.Time) bool {
	if e.forgotten {
		return true
	}

	if e.err != nil {
		return now.Sub(e.at) >= rememberFailure
	}

	return now.Sub(e.at) >= rememberRead
}
