package s3proxy

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"sync"
)

// Operation names what a request does by its method, what it is about and the
// sub-resource: "GET bucket?tagging", "PUT bucket", "GET service".
func Operation(r *http.Request) string {
	path := strings.Trim(r.URL.Path, "/")

	about := "service"

	switch {
	case strings.HasPrefix(path, "minio/admin/"):
		return r.Method + " " + path
	case strings.Contains(path, "/"):
		about = "object"
	case path != "":
		about = "bucket"
	}

	for k, v := range r.URL.Query() {
		// Sub-resources are keys alone; all else has a value.
		if len(v) == 1 && v[0] == "" && k != "prefix" && k != "delimiter" && k != "marker" {
			return r.Method + " " + about + "?" + k
		}
	}

	return r.Method + " " + about
}

// Writes reports whether an operation changes anything.
func Writes(operation string) bool {
	return !strings.HasPrefix(operation, http.MethodGet) && !strings.HasPrefix(operation, http.MethodHead)
}

// calls counts operations.
type calls struct {
	mu sync.Mutex
	n  map[string]int

	// all is how many there ever were, and waiting who waits until there are as
	// many as they say.
	all     int
	waiting map[chan struct{}]int
}

func (c *calls) add(operation string) {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.n == nil {
		c.n = map[string]int{}
	}

	c.n[operation]++
	c.all++

	for enough, n := range c.waiting {
		if c.all >= n {
			delete(c.waiting, enough)
			close(enough)
		}
	}
}

// Await returns when this many further calls have arrived, or when the context ends,
// with its error.
func (p *Proxy) Await(ctx context.Context, calls int) error {
	enough := make(chan struct{})

	p.calls.mu.Lock()
	if p.calls.waiting == nil {
		p.calls.waiting = map[chan struct{}]int{}
	}
	p.calls.waiting[enough] = p.calls.all + calls
	p.calls.mu.Unlock()

	select {
	case <-enough:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Calls returns how often each operation was asked for since the last Reset.
func (p *Proxy) Calls() map[string]int {
	p.calls.mu.Lock()
	defer p.calls.mu.Unlock()

	return maps.Clone(p.calls.n)
}

// Total returns how many calls there were since the last Reset, and how many of
// them were writes.
func (p *Proxy) Total() (all, writes int) {
	for operation, n := range p.Calls() {
		all += n

		if Writes(operation) {
			writes += n
		}
	}

	return all, writes
}

// Reset begins to count anew.
func (p *Proxy) Reset() {
	p.calls.mu.Lock()
	defer p.calls.mu.Unlock()

	p.calls.n = nil
}
