package readiness

import (
	"fmt"
	"strings"

	"my-operator.dev/echo/fn/observed"
)

// Stale is the verdict on an object whose status is of an earlier spec.
func Stale() Verdict {
	return Verdict{Reason: ReasonProgressing, Message: "its latest change has not been acted on yet"}
}

// Deployment judges a Deployment: ready when its controller has seen the latest
// spec, every replica runs it, and every one is available. One with zero
// replicas is ready when none is left.
func Deployment(d *observed.Deployment) Verdict {
	s := d.Status

	if s.ObservedGeneration < d.Metadata.Generation {
		// All that its status says is of a spec that no longer holds.
		return Stale()
	}

	if c := d.Condition("ReplicaFailure"); c.Status == "True" {
		reason := c.Reason
		if strings.Contains(c.Message, "exceeded quota") {
			reason = ReasonQuotaExceeded
		}

		return Verdict{Reason: reason, Message: c.Message, Stuck: true}
	}

	if c := d.Condition("Progressing"); c.Status == "False" && c.Reason == ReasonProgressDeadlineExceeded {
		return Verdict{Reason: c.Reason, Message: c.Message, Stuck: true}
	}

	want := d.Spec.Replicas

	switch {
	case d.Metadata.DeletionTimestamp != nil:
		return Verdict{Reason: ReasonTerminating}
	case d.Spec.Paused && (s.UpdatedReplicas < want || s.Replicas > want):
		return Verdict{Reason: ReasonPaused, Message: fmt.Sprintf("%d/%d replicas updated", s.UpdatedReplicas, want), Stuck: true}
	case s.UpdatedReplicas < want:
		return Verdict{Reason: ReasonProgressing, Message: fmt.Sprintf("%d/%d replicas updated", s.UpdatedReplicas, want)}
	case s.Replicas > want:
		return Verdict{Reason: ReasonProgressing, Message: fmt.Sprintf("surplus replicas still there: %d", s.Replicas-want)}
	case s.AvailableReplicas < want:
		return Verdict{Reason: ReasonProgressing, Message: fmt.Sprintf("%d/%d replicas available", s.AvailableReplicas, want)}
	}

	return Verdict{Ready: true, Reason: ReasonReady}
}
