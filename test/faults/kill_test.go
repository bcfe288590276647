package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// kills are how often the provider is killed while resources are made, and again while
// they are deleted.
const kills = 4

// instants is by how much a kill misses the call that sets it off, at most: it may
// happen before the call, while it is under way, or when it is being written down.
const instants = 60 * time.Millisecond

// TestKilled kills the provider with SIGKILL at random instants, while Buckets, or
// Buckets and accesses to them, are made and then deleted.
func TestKilled(t *testing.T) {
	cases := map[string]struct {
		buckets, accesses int

		// most calls there are between a kill and the next.
		most int
	}{
		"Buckets":  {buckets: 200, most: 90},
		"Accesses": {buckets: 20, accesses: 20, most: 40},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for trial := range *trials {
				s := servers[names[trial%len(names)]]
				t.Run(fmt.Sprintf("%d-%s", trial, s.Name), func(t *testing.T) {
					tm := newTeam(t, fmt.Sprintf("killed%s%d", shorten(name), trial), s)
					tm.countsUsers = true
					n := tm.killed(random(trial), tc.buckets, tc.accesses, tc.most)
					t.Logf("trial %d of %d on %s: %d Buckets and %d accesses made and deleted, %d kills: 0 lost, 0 leaked, 0 stuck",
						trial+1, *trials, s.Name, tc.buckets, tc.accesses, n)
				})
			}
		})
	}
}

// shorten makes the name of a case one that a namespace may hold.
func shorten(name string) string { return string(name[0] | 0x20) }

// killed makes and deletes resources under kills, and returns how many those were.
func (t *team) killed(r *rand.Rand, buckets, accesses, most int) int {
	t.Helper()

	var objects []client.Object
	for _, name := range numbered("b", 0, buckets) {
		objects = append(objects, t.bucket(proxied, name))
	}
	keys := numbered("a", 0, accesses)
	for i, name := range keys {
		objects = append(objects, t.access(proxied, name, numbered("b", i, i+1)[0]))
	}

	made := t.underKills(r, most, func() {
		t.make(objects...)
		t.settles(buckets, accesses)
	})
	t.settles(buckets, accesses)
	t.keysWork(keys...)

	deleted := t.underKills(r, most, func() {
		t.removeAll()
		t.settles(0, 0)
	})
	t.settles(0, 0)

	return made + deleted
}

// underKills does something while the provider is killed at random, and returns how
// often it was.
func (t *team) underKills(r *rand.Rand, most int, do func()) int {
	t.Helper()

	process, err := cp.ProviderProcess(providerName)
	if err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	n := 0

	var wg sync.WaitGroup
	wg.Go(func() {
		for n < kills && t.proxy.Await(ctx, 1+r.IntN(most)) == nil {
			time.Sleep(time.Duration(r.Int64N(int64(instants))))
			process.Kill()
			n++
		}
	})

	defer wg.Wait()
	defer cancel()
	do()
	cancel()
	wg.Wait()

	if err := process.Await(t.Context()); err != nil {
		t.Fatal(err)
	}

	return n
}
