package readiness

import (
	"cmp"

	"my-operator.dev/echo/fn/observed"
)

// reasonScalingDisabled is Kubernetes' word for zero replicas, which are nobody's
// mistake.
const reasonScalingDisabled = "ScalingDisabled"

// hints say what to do. Kubernetes' own messages name whichever Pod came first,
// another at each look.
var hints = map[string]string{
	reasonScalingDisabled:          "there are zero replicas",
	"FailedGetResourceMetric":      "there are no metrics of the Pods: the cluster needs a metrics server, and the Pods to be ready and to request the resource",
	"FailedGetScale":               "the Echo's scale cannot be read",
	"FailedUpdateScale":            "the Echo's scale cannot be set",
	"InvalidMetricSourceType":      "its metrics are not understood",
	"FailedComputeMetricsReplicas": "its metrics make no sense",
}

// Autoscaler judges a HorizontalPodAutoscaler: ready when it can tell from its
// metrics how many replicas there should be.
func Autoscaler(a *observed.Autoscaler) Verdict {
	for _, t := range []string{"AbleToScale", "ScalingActive"} {
		if c := a.Condition(t); c.Status == "False" {
			reason := cmp.Or(c.Reason, ReasonNotReady)
			return Verdict{Reason: reason, Message: hints[reason], Stuck: reason != reasonScalingDisabled}
		}
	}

	if a.Condition("ScalingActive").Status != "True" {
		return Verdict{Reason: ReasonStarting}
	}

	return Verdict{Ready: true, Reason: ReasonReady}
}
