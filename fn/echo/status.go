package echo

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	echov1 "my-operator.dev/echo/apis/my-operator/v1"
	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/network"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/podset"
	"my-operator.dev/echo/fn/readiness"
	"my-operator.dev/echo/fn/workload"
)

// Conditions of an Echo, beside those that Crossplane sets.
const (
	// ConditionAccepted: the spec can be composed as it stands.
	ConditionAccepted = "Accepted"
	// ConditionWorkloadReady: the replicas that the spec asks for are there.
	ConditionWorkloadReady = "WorkloadReady"
)

// Reasons of the conditions, beside those of package readiness.
const (
	ReasonAccepted    = "Accepted"
	ReasonInvalidSpec = "InvalidSpec"
	ReasonNameTaken   = "NameTaken"
	ReasonStopped     = "Stopped"
)

// facts are what is observed of an App's replicas.
type facts struct {
	current, ready, updated int
	// verdict is on the replica that holds things up most, and culprit its
	// name; the verdict is Ready if there is none.
	verdict readiness.Verdict
	culprit string
}

// podFacts counts Pods. One that has ended or is on its way out is not current.
func podFacts(members map[int]*member, template string) facts {
	f := facts{verdict: readiness.Verdict{Ready: true, Reason: readiness.ReasonReady}}

	for _, slot := range slices.Sorted(maps.Keys(members)) {
		m := members[slot]
		if m.plan.Terminating {
			continue
		}

		if m.plan.State != podset.Finished {
			f.current++

			if m.verdict.Ready {
				f.ready++
			}

			if m.plan.Template == template {
				f.updated++
			}
		}

		// The first one that is stuck, else the first that is not ready.
		if !m.verdict.Ready && (f.culprit == "" || m.verdict.Stuck && !f.verdict.Stuck) {
			f.verdict, f.culprit = m.verdict, "pod "+m.pod.Metadata.Name
		}
	}

	return f
}

// deploymentFacts reads a Deployment's own count of its Pods.
func deploymentFacts(d *observed.Deployment) facts {
	f := facts{
		current: int(d.Status.Replicas),
		ready:   int(d.Status.ReadyReplicas),
		updated: int(d.Status.UpdatedReplicas),
		verdict: readiness.Deployment(d),
	}

	if d.Status.ObservedGeneration < d.Metadata.Generation {
		f.updated = 0 // What is up to date is up to date with another spec.
	}

	if !f.verdict.Ready {
		f.culprit = "deployment " + d.Metadata.Name
	}

	return f
}

// report sets status and conditions.
func (c *composer) report(f facts) {
	want := c.app.Replicas()
	done := f.verdict.Ready && f.current == want && f.ready == want && f.updated == want

	status := echov1.EchoStatus{
		CurrentReplicas: int32(f.current), //nolint:gosec // Counts of Pods in one request.
		ReadyReplicas:   int32(f.ready),   //nolint:gosec // Likewise.
		UpdatedReplicas: int32(f.updated), //nolint:gosec // Likewise.
		IsReady:         done,
		LabelSelector:   workload.LabelEcho + "=" + c.app.Name,
		Phase:           phase(f, want, done),
		Message:         message(f, want),
	}

	if len(c.app.Spec.Ports) > 0 && c.req.Observed[keyService] != nil {
		status.Address = network.Address(c.app)
	}

	c.rsp.Status = status
	c.rsp.NotReady = c.rsp.NotReady || !done
	c.rsp.Conditions = []composition.Condition{c.accepted(), workloadReady(f, want, done, status.Message)}
}

func phase(f facts, want int, done bool) echov1.Phase {
	switch {
	case done && want == 0:
		return echov1.PhaseStopped
	case done:
		return echov1.PhaseRunning
	case f.verdict.Stuck:
		return echov1.PhaseDegraded
	case f.ready == 0 && want > 0:
		return echov1.PhasePending
	default:
		return echov1.PhaseProgressing
	}
}

// message says how many of the replicas are ready, how many are of the latest
// spec if not all are, and what holds things up.
func message(f facts, want int) string {
	s := fmt.Sprintf("%d/%d replicas ready", f.ready, want)

	if f.updated < f.current {
		s += fmt.Sprintf(", %d updated", f.updated)
	}

	if f.culprit != "" && !f.verdict.Ready {
		s += ": " + f.culprit + ": " + f.verdict.String()
	}

	return s
}

func (c *composer) accepted() composition.Condition {
	if len(c.taken) > 0 {
		return composition.Condition{Type: ConditionAccepted, Reason: ReasonNameTaken, Message: strings.Join(c.taken, "; ")}
	}

	return composition.Condition{Type: ConditionAccepted, Status: true, Reason: ReasonAccepted}
}

// rejected is the condition of an Echo that cannot be composed as it stands.
func rejected(err error) composition.Condition {
	return composition.Condition{Type: ConditionAccepted, Reason: ReasonInvalidSpec, Message: err.Error()}
}

func workloadReady(f facts, want int, done bool, message string) composition.Condition {
	reason := readiness.ReasonReady

	switch {
	case done && want == 0:
		reason = ReasonStopped
	case !done && f.verdict.Ready:
		reason = readiness.ReasonProgressing
	case !done:
		reason = cmp.Or(f.verdict.Reason, readiness.ReasonProgressing)
	}

	return composition.Condition{Type: ConditionWorkloadReady, Status: done, Reason: reason, Message: message}
}
