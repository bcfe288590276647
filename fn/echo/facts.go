package echo

import (
	"maps"
	"slices"

	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/podset"
	"my-operator.dev/echo/fn/readiness"
)

// facts are what is observed of an App's replicas.
type facts struct {
	current, ready, updated int
	// verdict is on the replica that holds things up most, and culprit its
	// name; the verdict is Ready if there is none.
	verdict readiness.Verdict
	culprit string
	// waiting is what the App as a whole waits for, in words.
	waiting string
}

// done is true of an App that has exactly the replicas that are wanted, ready and
// up to date.
func (f *facts) done(want int) bool {
	return f.verdict.Ready && f.current == want && f.ready == want && f.updated == want
}

// add counts a Pod that exists.
func (f *facts) add(m *member) {
	f.current++

	if m.verdict.Ready {
		f.ready++
	}
}

// blame takes a Pod for the culprit if it is stuck and none was before, or if it
// is not ready and there is no culprit yet.
func (f *facts) blame(m *member) {
	if m.plan.Terminating || m.verdict.Ready {
		return
	}

	if f.culprit == "" || m.verdict.Stuck && !f.verdict.Stuck {
		f.verdict, f.culprit = m.verdict, "pod "+m.pod.Metadata.Name
	}
}

// podFacts counts Pods. One that has ended or is on its way out is not current.
func podFacts(members map[string]*member, template string) facts {
	f := facts{verdict: readiness.Verdict{Ready: true, Reason: readiness.ReasonReady}}

	for _, key := range slices.Sorted(maps.Keys(members)) {
		m := members[key]
		f.blame(m)

		if m.plan.Terminating || m.plan.State == podset.Finished {
			continue
		}

		f.add(m)

		if m.plan.Template == template {
			f.updated++
		}
	}

	return f
}

// deploymentFacts reads a Deployment's own count of its Pods. Of one that is yet
// to be changed, or whose controller has yet to see the change, it is a count of
// Pods of a spec that no longer holds.
func deploymentFacts(d *observed.Deployment, template string) facts {
	f := facts{
		current: int(d.Status.Replicas),
		ready:   int(d.Status.ReadyReplicas),
		updated: int(d.Status.UpdatedReplicas),
		verdict: readiness.Deployment(d),
	}

	if d.Spec.Template.Metadata.Labels.Template != template {
		f.verdict = readiness.Stale()
	}

	if f.verdict == readiness.Stale() {
		f.updated = 0
	}

	if !f.verdict.Ready {
		f.culprit = "deployment " + d.Metadata.Name
	}

	return f
}
