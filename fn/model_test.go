package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"pgregory.net/rapid"
)

// TestModel drives the function through the life of an Echo, against a model of
// Crossplane core, the API server, the kubelet and the Deployment controller, and
// checks what must always hold after every step. `make model RUNS=10000` runs it
// for longer. The model's files are model_*_test.go.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)

		if rapid.IntRange(0, 9).Draw(t, "doomed") == 9 {
			w.doom()
			return
		}

		w.drawSpec()

		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			w.disturb()
			w.checkForeign()

			// Core may lag behind, and may come unasked.
			switch rapid.IntRange(0, 5).Draw(t, "core") {
			case 0:
			case 1:
				w.reconcile()
			default:
				w.core(2)
			}

			w.checkForeign()
		}

		w.settle(rapid.Bool().Draw(t, "heal"))
	})
	t.Logf("the slowest Echo settled after %d rounds", mostSettled)
}

// disturb has one thing happen.
func (w *world) disturb() {
	some := func(*stored) bool { return rapid.IntRange(0, 2).Draw(w.t, "moves") > 0 }

	switch rapid.SampledFrom(events).Draw(w.t, "event") {
	case "kubelet":
		w.tick(some)
	case "controllers":
		w.tick(func(*stored) bool { return true })
		w.controlDeployments()
		w.controlQuotas()
	case "quiet":
		for range 6 {
			w.pass(round)
			w.tick(func(*stored) bool { return true })
			w.controlDeployments()
			w.core(2)
		}
	case "time":
		w.pass(time.Duration(rapid.IntRange(1, 60000).Draw(w.t, "passes")) * time.Millisecond)
		w.bury()
	case "edit":
		w.edit(rapid.SampledFrom(often).Draw(w.t, "often"))
	case "rare edit":
		w.edit(rapid.SampledFrom(sorted(edits)).Draw(w.t, "seldom"))
	case "back":
		w.rollBack()
	case "mistake":
		w.blunder()
	case "delete":
		w.deleteOne()
	case "fate":
		w.befall()
	case "foreign":
		w.intrude()
	case "quota":
		w.drawQuota()
	case "bucket":
		w.upset()
	case "add buckets":
		w.addBuckets()
	case "install":
		w.provided = true
	case "breaker":
		w.trip()
	case "upgrade":
		w.monitored = !w.monitored
		w.dirty = true // Core does not watch schemas.
	}
}

var events = []string{
	"kubelet", "kubelet", "kubelet", "kubelet", "controllers", "controllers", "controllers", "controllers", "time", "time", "quiet", "quiet",
	"edit", "edit", "rare edit", "back", "mistake", "delete", "fate", "foreign", "quota", "upgrade", "bucket", "add buckets", "install", "breaker",
}

// The most rounds that an Echo may take to settle once disturbances have stopped,
// and how much time a round takes. A round is a step of the kubelet and of every
// controller, and as many composes as core has cause for.
const (
	mostRounds = 80
	round      = 15 * time.Second
)

// settle stops all disturbances and sees to it that the Echo comes to rest, as it
// should be if all that is wrong is mended.
func (w *world) settle(heal bool) {
	w.calm = true
	w.log("calm, heal: %t", heal)

	if heal {
		w.heal()
	}

	quiet := 0

	for n := range mostRounds {
		if quiet == 3 {
			settledAfter(n - quiet)
			break
		}

		w.pass(max(round, w.nextLook()))
		w.tick(func(*stored) bool { return true })
		w.controlDeployments()
		w.controlQuotas()

		writes := w.writes
		if w.core(20) == 20 {
			w.fail("core is kept busy without end: %s", w.summary())
		}

		quiet++
		if w.writes > writes || !w.due.IsZero() && !w.breaker.open || w.ending() {
			quiet = 0
		}
	}

	if quiet < 3 {
		w.fail("has not settled after %d rounds: %s", mostRounds, w.summary())
	}

	w.checkSettled(heal)
}

// nextLook is how long an Echo that core tells too little of waits to be looked at.
func (w *world) nextLook() time.Duration {
	if !w.breaker.open || w.due.IsZero() {
		return 0
	}

	return w.due.Sub(w.now)
}

// ending is true while some object is on its way out.
func (w *world) ending() bool {
	for _, o := range w.objects {
		if o.terminating() {
			return true
		}
	}

	return false
}

// checkSettled: another compose writes nothing and answers the same.
func (w *world) checkSettled(heal bool) {
	last, writes := w.last, w.writes
	w.reconcile()

	if w.writes != writes {
		w.fail("writes although nothing has changed")
	}

	if !protoEqual(w.last.response.GetDesired(), last.response.GetDesired()) {
		w.fail("two answers although nothing has changed:\n%s", cmp.Diff(last.response, w.last.response, protocmp.Transform()))
	}

	if n := len(w.last.response.GetResults()); n > 0 {
		w.fail("%d events although nothing has changed", n)
	}

	w.checkWanted()

	if s, _ := condition(w.xr, "Ready"); heal && s != "True" {
		w.fail("is not ready although nothing is in the way: %s", w.summary())
	}
}

// checkWanted: what the spec asks for is there, and where somebody else's object is
// in its place the Echo says so.
func (w *world) checkWanted() {
	s := w.spec()
	wanted := map[string]bool{
		"Service":                 s["ports"] != nil,
		"Deployment":              w.workload() == "Deployment",
		"PodDisruptionBudget":     s["disruption"] != nil || w.replicas() > 1,
		"HorizontalPodAutoscaler": s["autoscaling"] != nil,
		"Ingress":                 s["ingress"] != nil,
		"PodMonitor":              s["monitoring"] != nil && w.monitored,
	}
	taken := w.checkBucketsWanted()

	for _, kind := range sorted(wanted) {
		o := w.objects[objectID(kind, w.namespace, w.app)]

		switch {
		case kind == "Deployment" && w.waitsForKeys(): // It is neither made nor looked for before.
		case o != nil && o.foreign != nil:
			if wanted[kind] {
				taken = kind
			}
		case wanted[kind] && o == nil:
			w.fail("has no %s", kind)
		case !wanted[kind] && o != nil && kind != "Deployment": // That one stays until Pods have taken over.
			w.fail("still has a %s", kind)
		}
	}

	accepted, reason := condition(w.xr, "Accepted")
	ready, _ := condition(w.xr, "Ready")

	if taken == "" && accepted != "True" {
		w.fail("is not accepted (%s) although nothing is in the way", reason)
	}

	if taken != "" && (accepted != "False" || reason != "NameTaken" || ready != "False") {
		w.fail("does not say that the name of its %s is taken", taken)
	}
}

var mostSettled int

func settledAfter(rounds int) { mostSettled = max(mostSettled, rounds) }
