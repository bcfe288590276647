package echo

import (
	"cmp"
	"fmt"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/readiness"
	"my-operator.dev/echo/fn/wire"
)

// Conditions of an Echo, beside those that Crossplane sets.
const (
	// ConditionAccepted: the spec can be composed as it stands.
	ConditionAccepted = "Accepted"
	// ConditionWorkloadReady: the replicas that the spec asks for are there.
	ConditionWorkloadReady = "WorkloadReady"
	// ConditionAutoscaling: the autoscaler does its job.
	ConditionAutoscaling = "Autoscaling"
	// ConditionMonitoring: Prometheus is told of the Pods.
	ConditionMonitoring = "Monitoring"
	// ConditionBucketsReady: the buckets are there, and the keys to them.
	ConditionBucketsReady = "BucketsReady"
)

// Reasons of the conditions, beside those of package readiness.
const (
	ReasonAccepted      = "Accepted"
	ReasonInvalidSpec   = "InvalidSpec"
	ReasonLimitExceeded = "LimitExceeded"
	ReasonNameTaken     = "NameTaken"
	ReasonStopped       = "Stopped"
	ReasonNotRequested  = "NotRequested"
	ReasonNotServed     = "NotServed"
	ReasonCreating      = "Creating"
	// ReasonWaitingForBuckets: nothing starts before its keys are there.
	ReasonWaitingForBuckets = "WaitingForBuckets"
)

// A rejection is why an Echo cannot be composed as it stands.
type rejection struct {
	reason string
	err    wire.FieldErrors
}

func reject(reason string, m mistakes) *rejection {
	return &rejection{reason: reason, err: wire.FieldErrors(m)}
}

func (r *rejection) Error() string { return r.err.Error() }

func (r *rejection) condition() composition.Condition {
	return composition.Condition{Type: ConditionAccepted, Reason: r.reason, Message: r.Error()}
}

// conditions sets the Echo's conditions. One that is about something the spec no
// longer asks for is sent once more, because Crossplane keeps what it is not
// told about.
func (c *composer) conditions(f facts, want int, done bool, message string) {
	c.rsp.Conditions = append(c.rsp.Conditions, c.accepted(), workloadReady(f, want, done, message))

	c.optional(ConditionAutoscaling, c.app.Spec.Autoscaling != nil, c.autoscaling)
	c.optional(ConditionMonitoring, c.app.Spec.Monitoring != nil, c.monitoring)
	c.optional(ConditionBucketsReady, len(c.buckets) > 0, c.bucketsReady)
}

func (c *composer) optional(t string, wanted bool, condition func() composition.Condition) {
	_, sent := c.previous(t)

	switch {
	case wanted:
		c.rsp.Conditions = append(c.rsp.Conditions, condition())
	case sent:
		c.rsp.Conditions = append(c.rsp.Conditions, composition.Condition{Type: t, Reason: ReasonNotRequested})
	}
}

// previous is a condition as it was left by an earlier call.
func (c *composer) previous(t string) (turn, bool) {
	for _, p := range c.xr.Status.Conditions {
		if p.Type == t {
			return p, true
		}
	}

	return turn{}, false
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

func (c *composer) autoscaling() composition.Condition {
	v := readiness.Verdict{Reason: ReasonCreating}

	if s, ok := c.req.Observed[keyAutoscaler]; ok {
		a, err := observed.ReadAutoscaler(s)
		if err != nil {
			v = readiness.Verdict{Reason: readiness.ReasonFailed, Message: fmt.Sprintf("cannot read it: %s", err)}
		} else {
			v = readiness.Autoscaler(a)
		}
	}

	return composition.Condition{Type: ConditionAutoscaling, Status: v.Ready, Reason: v.Reason, Message: v.Message}
}

func (c *composer) monitoring() composition.Condition {
	switch {
	case !c.req.Schemas[keyPodMonitor]:
		return composition.Condition{Type: ConditionMonitoring, Reason: ReasonNotServed, Message: "the cluster does not serve PodMonitor of monitoring.coreos.com/v1"}
	case !c.exists(keyPodMonitor):
		return composition.Condition{Type: ConditionMonitoring, Reason: ReasonCreating}
	default:
		return composition.Condition{Type: ConditionMonitoring, Status: true, Reason: readiness.ReasonReady}
	}
}
