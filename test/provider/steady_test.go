package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"my-operator.dev/echo/test/s3proxy"
)

// observe is the one call that tells of a bucket whether it is there, whose it is and
// what tags it has.
const observe = "GET bucket?tagging"

// steady waits for some polls of a Bucket that is as it should be, the only one behind
// the proxy. At each it is observed with one call, and with one more for each of so
// many sub-resources; nothing is written, neither to the server nor to the API server.
func (t *team) steady(p *s3proxy.Proxy, b *bucket, subResources int) {
	t.Helper()

	// What the last change has caused comes to its end first: from one observation to
	// the next there is a whole poll.
	t.observed(p, 1)
	t.ready(b)

	const polls = 3

	t.read(b)
	before := b.GetResourceVersion()
	n := t.observed(p, polls)
	calls := p.Calls()
	t.read(b)

	if got := b.GetResourceVersion(); got != before {
		t.Errorf("the Bucket was written while all was well: resource version %s, then %s", before, got)
	}
	for operation, times := range calls {
		if s3proxy.Writes(operation) {
			t.Errorf("%s was called %d times while all was well", operation, times)
		}
		// The calls of one observation do not come at one instant.
		if times < n-1 || times > n+1 {
			t.Errorf("%s was called %d times in %d polls", operation, times, n)
		}
	}
	if got := len(calls); got > 1+subResources {
		t.Errorf("want %d kinds of calls, got %v", 1+subResources, slices.Sorted(maps.Keys(calls)))
	}
}

// observed waits for as many observations from now on, and returns how many they were.
func (t *team) observed(p *s3proxy.Proxy, n int) int {
	t.Helper()
	p.Reset()

	got := 0
	t.eventually(func() string {
		if got = p.Calls()[observe]; got < n {
			return fmt.Sprintf("want %d observations, there were %v", n, p.Calls())
		}

		return ""
	})

	return got
}

// TestSteady has all be well, and counts what that costs.
func TestSteady(t *testing.T) {
	forEach(t, func(t *team) {
		t.sub("Plain", func(t *team) {
			calls := t.counted()
			b := t.bucket("plain", parameters{})
			t.ready(b)

			// A bucket is made, marked, and looked at once more at most.
			if all, writes := calls.Total(); all > 3 || writes > 2 {
				t.Errorf("want 3 calls at most to make a bucket, got %v", calls.Calls())
			}
			t.steady(calls, b, 0)
		})

		t.sub("All", func(t *team) {
			calls := t.counted()
			external := t.tenant.Namespace + "-all"
			p, n := parameters{}, 0
			for field, s := range settings() {
				if s.on != "" && s.on != t.server.Name || field == "versioning" {
					continue
				}
				s.set(&p, external)
				n++
			}

			b := t.bucket("all", p, named[*bucket](external))
			t.ready(b)
			if c := b.GetCondition("Supported"); c.Message != "" {
				t.Error(c.Message)
			}
			// Tags cost nothing, and object lock brings versioning.
			t.steady(calls, b, n)
			if !strings.Contains(meta.GetExternalName(b), "all") {
				t.Errorf("external name: got %q", meta.GetExternalName(b))
			}
		})
	})
}
