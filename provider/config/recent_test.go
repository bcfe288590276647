package config

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
)

func TestRecent(t *testing.T) {
	key := types.NamespacedName{Name: "keys"}
	boom := errors.New("boom")

	type step struct {
		after  time.Duration
		forget bool
		fails  bool
	}

	cases := map[string]struct {
		reason string
		steps  []step
		// want is how often has been read after each step.
		want []int
		last bool
	}{
		"Remembered": {
			reason: "What was read is good for half a minute.",
			steps:  []step{{}, {after: 29 * time.Second}, {after: time.Second}},
			want:   []int{1, 1, 2}, last: true,
		},
		"FailureRemembered": {
			reason: "A failure is good for a few seconds, and leaves nothing to fall back on.",
			steps:  []step{{fails: true}, {after: 4 * time.Second}, {after: time.Second, fails: true}},
			want:   []int{1, 1, 2},
		},
		"Forgotten": {
			reason: "What is forgotten is read again.",
			steps:  []step{{}, {after: 3 * time.Second, forget: true}, {}},
			want:   []int{1, 2, 2}, last: true,
		},
		"TooFresh": {
			reason: "What was read just now is as good as it gets.",
			steps:  []step{{}, {after: time.Second, forget: true}},
			want:   []int{1, 1}, last: true,
		},
		"Last": {
			reason: "What was once read well can be had after it failed, for as long as somebody asks.",
			steps:  []step{{}, {after: 50 * time.Minute, fails: true}, {after: 50 * time.Minute, fails: true}},
			want:   []int{1, 2, 3}, last: true,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				reads, fails := 0, false
				r := newRecent(func(context.Context, types.NamespacedName) (int, error) {
					reads++
					if fails {
						return 0, boom
					}
					return reads, nil
				})

				var got []int

				for _, s := range tc.steps {
					time.Sleep(s.after)

					if s.forget {
						r.forget(key)
					}

					fails = s.fails
					_, _ = r.get(t.Context(), key)

					got = append(got, reads)
				}

				_, last := r.last(key)
				if diff := cmp.Diff(tc.want, got); diff != "" || last != tc.last {
					t.Errorf("\n%s\nreads: -want, +got:\n%s\nlast: want %t, got %t", tc.reason, diff, tc.last, last)
				}
			})
		})
	}
}

func TestRecentReadsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		r := newRecent(func(context.Context, types.NamespacedName) (int, error) {
			reads++

			time.Sleep(time.Second)

			return reads, nil
		})

		// The first one's context ends while the others wait for what it reads.
		first, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()

		var wg sync.WaitGroup

		wg.Go(func() { _, _ = r.get(first, types.NamespacedName{}) })
		synctest.Wait()

		for range 100 {
			wg.Go(func() {
				if v, err := r.get(t.Context(), types.NamespacedName{}); v != 1 || err != nil {
					t.Errorf("get(...): want 1, got %d, %v", v, err)
				}
			})
		}

		wg.Wait()

		if reads != 1 {
			t.Errorf("a hundred who ask at once cost %d reads, want 1", reads)
		}
	})
}
