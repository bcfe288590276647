package identity

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"my-operator.dev/echo/provider/identity"
)

// TestTwins has two processes make a key for the same owner at once, as when a leader that was cut off goes on beside
// the next. Each key that one of them knows has to be found by the other: else it works, and nobody ever removes it.
func TestTwins(t *testing.T) {
	const owners = 20

	for name, s := range servers {
		t.Run(name, func(t *testing.T) {
			g := identity.Grant{Bucket: fill(t, s, "twins"), Write: true}
			for i := range owners {
				o := owner(t, strconv.Itoa(i))
				made := makeTwice(t, s, o, g)

				of := s.provider(t)
				found, err := of.Observe(t.Context(), o, g)
				done(t, err)
				for _, k := range made {
					if !slices.Contains(found.Keys, k.AccessKeyID) {
						t.Errorf("nobody knows of a key that was made: want %v among %v", k, found.Keys)
					}
				}

				done(t, of.RemoveAll(t.Context(), o, g))
				gone(t, of, o, g)
				for _, k := range made {
					dead(t, s, k, g.Bucket)
				}
			}
			if left := s.leftovers(t); len(left) > 0 {
				t.Errorf("the server still has %v", left)
			}
		})
	}
}

// makeTwice makes a key by each of two processes at once. One that fails, as when the other is in its way, makes it
// again.
func makeTwice(t *testing.T, s server, o identity.Owner, g identity.Grant) [2]identity.Key {
	t.Helper()
	var (
		made  [2]identity.Key
		group sync.WaitGroup
		tries = 5
	)
	for i := range made {
		of := s.provider(t)
		group.Go(func() {
			var err error
			for range tries {
				if made[i], err = of.Make(t.Context(), o, g); err == nil {
					return
				}
			}
			t.Error(err)
		})
	}
	group.Wait()
	return made
}
