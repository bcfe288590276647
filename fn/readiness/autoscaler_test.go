package readiness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/observed"
)

func TestAutoscaler(t *testing.T) {
	cases := map[string]struct {
		reason     string
		autoscaler string
		want       Verdict
	}{
		"JustMade": {
			reason:     "An autoscaler that has not looked at its target yet is on its way.",
			autoscaler: `{status: {}}`,
			want:       Verdict{Reason: ReasonStarting},
		},
		"FoundItsTarget": {
			reason:     "An autoscaler that has found its target and has no figures yet is on its way.",
			autoscaler: `{status: {conditions: [{type: AbleToScale, status: "True", reason: SucceededGetScale}]}}`,
			want:       Verdict{Reason: ReasonStarting},
		},
		"Active": {
			reason: "An autoscaler does its job when it can compute a number, even where a limit caps it.",
			autoscaler: `
status:
  conditions:
  - {type: AbleToScale, status: "True", reason: ReadyForNewScale}
  - {type: ScalingActive, status: "True", reason: ValidMetricFound}
  - {type: ScalingLimited, status: "True", reason: TooManyReplicas}
`,
			want: Verdict{Ready: true, Reason: ReasonReady},
		},
		"NoTarget": {
			reason: "An autoscaler that cannot reach its target should say so, in its own words.",
			autoscaler: `
status:
  conditions:
  - {type: AbleToScale, status: "False", reason: FailedGetScale, message: the target cannot be scaled}
  - {type: ScalingActive, status: "True", reason: ValidMetricFound}
`,
			want: Verdict{Reason: "FailedGetScale", Message: "the Echo's scale cannot be read", Stuck: true},
		},
		"NoMetrics": {
			reason: "Where there is no metrics server, scaling waits for somebody to install one.",
			autoscaler: `
status:
  conditions:
  - {type: AbleToScale, status: "True", reason: SucceededGetScale}
  - {type: ScalingActive, status: "False", reason: FailedGetResourceMetric, message: unable to get metrics for resource cpu}
`,
			want: Verdict{Reason: "FailedGetResourceMetric", Message: "there are no metrics of the Pods: the cluster needs a metrics server, and the Pods to be ready and to request the resource", Stuck: true},
		},
		"NoReason": {
			reason:     "A condition without a reason still needs one word for it.",
			autoscaler: `{status: {conditions: [{type: ScalingActive, status: "False"}]}}`,
			want:       Verdict{Reason: ReasonNotReady, Stuck: true},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a, err := observed.ReadAutoscaler(object(t, tc.autoscaler))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, Autoscaler(a)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
