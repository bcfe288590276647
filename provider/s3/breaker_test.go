package s3

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fail has a breaker see n failures of calls that it lets pass.
func fail(t *testing.T, b *breaker, n int) {
	t.Helper()
	for range n {
		done, err := b.pass()
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		done(dead, &Error{Class: Unreachable, words: "https://x cannot be reached: connection refused"})
	}
}

func TestBreakerOpens(t *testing.T) {
	cases := map[string]struct {
		reason string
		calls  []verdict
		open   bool
	}{
		"New":       {"Nothing is known, so calls pass.", nil, false},
		"Few":       {"Some failures are no death.", []verdict{dead, dead, dead, dead}, false},
		"Enough":    {"Five in a row are.", []verdict{dead, dead, dead, dead, dead}, true},
		"Recovered": {"A success begins the count anew.", []verdict{dead, dead, dead, dead, alive, dead, dead, dead, dead}, false},
		"Unknown":   {"Calls that were given up neither count nor help.", []verdict{dead, dead, unknown, dead, dead, unknown, dead}, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := breaker{}
			for _, v := range tc.calls {
				done, err := b.pass()
				if err != nil {
					t.Fatal(err)
				}
				done(v, &Error{Class: Unreachable})
			}
			if diff := cmp.Diff(tc.open, b.isOpen()); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.open, b.refused() != nil); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestBreakerProbesLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &breaker{}
		fail(t, b, tripAfter)
		for _, open := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
			_, err := b.pass()
			if err == nil {
				t.Fatalf("Call passes an open breaker")
			}
			if diff := cmp.Diff([]string{"open", "https://x cannot be reached: connection refused"}, []string{string(err.Class), err.Error()}); diff != "" {
				t.Errorf("The text is that of the failure.\n-want, +got:\n%s", diff)
			}
			if wait := err.RetryAfter.Seconds(); wait < float64(open)/2 || wait > float64(open) {
				t.Errorf("Open for %f s, want between %d s and half of it", wait, open)
			}
			time.Sleep(err.RetryAfter)
			fail(t, b, 1)
		}
	})
}

func TestBreakerLetsOneProbeThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &breaker{}
		late, err := b.pass()
		if err != nil {
			t.Fatal(err)
		}
		fail(t, b, tripAfter)
		late(alive, nil)
		if !b.isOpen() {
			t.Error("A late success of a call before closes it")
		}
		time.Sleep(maxOpen)

		probe, err := b.pass()
		if err != nil {
			t.Fatal(err)
		}
		if _, err = b.pass(); err == nil || err.RetryAfter <= 0 {
			t.Errorf("A second call passes beside the probe, or is told nothing: %v", err)
		}
		probe(unknown, nil)
		if probe, err = b.pass(); err != nil {
			t.Fatalf("After a probe that was given up none may follow: %v", err)
		}
		probe(alive, nil)
		if b.isOpen() {
			t.Error("A probe's success does not close it")
		}
		fail(t, b, tripAfter-1)
		if b.isOpen() {
			t.Error("Failures of before count still")
		}
	})
}
