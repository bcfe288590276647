package readiness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/observed"
)

func TestDeployment(t *testing.T) {
	cases := map[string]struct {
		reason     string
		deployment string
		want       Verdict
	}{
		"Ready": {
			reason: "A Deployment is ready when all its replicas run the latest template and are available.",
			deployment: `
metadata: {generation: 2}
spec: {replicas: 3}
status:
  observedGeneration: 2
  replicas: 3
  updatedReplicas: 3
  readyReplicas: 3
  availableReplicas: 3
  conditions:
  - {type: Available, status: "True", reason: MinimumReplicasAvailable}
  - {type: Progressing, status: "True", reason: NewReplicaSetAvailable}
`,
			want: Verdict{Ready: true, Reason: ReasonReady},
		},
		"JustMade": {
			reason:     "A Deployment that its controller has not seen yet has a status that says nothing.",
			deployment: `{metadata: {generation: 1}, spec: {replicas: 0}}`,
			want:       Verdict{Reason: ReasonProgressing, Message: "its latest change has not been acted on yet"},
		},
		"GenerationLags": {
			reason: "A status of an earlier generation is of a spec that no longer holds, its failures included.",
			deployment: `
metadata: {generation: 3}
spec: {replicas: 1}
status:
  observedGeneration: 2
  replicas: 1
  updatedReplicas: 1
  availableReplicas: 1
  conditions: [{type: Progressing, status: "False", reason: ProgressDeadlineExceeded}]
`,
			want: Verdict{Reason: ReasonProgressing, Message: "its latest change has not been acted on yet"},
		},
		"Zero": {
			reason:     "A Deployment of none is ready when none is left.",
			deployment: `{metadata: {generation: 1}, spec: {replicas: 0}, status: {observedGeneration: 1}}`,
			want:       Verdict{Ready: true, Reason: ReasonReady},
		},
		"ZeroSoon": {
			reason:     "While replicas are left of a Deployment of none, it is not done.",
			deployment: `{metadata: {generation: 2}, spec: {replicas: 0}, status: {observedGeneration: 2, replicas: 2, updatedReplicas: 2}}`,
			want:       Verdict{Reason: ReasonProgressing, Message: "surplus replicas still there: 2"},
		},
		"Quota": {
			reason: "A quota that is used up should be told as such, for the tenant can act on it.",
			deployment: `
metadata: {generation: 1}
spec: {replicas: 2}
status:
  observedGeneration: 1
  replicas: 1
  updatedReplicas: 1
  availableReplicas: 1
  conditions:
  - {type: Progressing, status: "True", reason: NewReplicaSetCreated}
  - {type: ReplicaFailure, status: "True", reason: FailedCreate, message: 'pods "echo-5d-x" is forbidden: exceeded quota: compute'}
`,
			want: Verdict{Reason: ReasonQuotaExceeded, Message: `pods "echo-5d-x" is forbidden: exceeded quota: compute`, Stuck: true},
		},
		"QuotaBeforeDeadline": {
			reason: "Why there are no Pods says more than how long there have been none.",
			deployment: `
metadata: {generation: 1}
spec: {replicas: 2}
status:
  observedGeneration: 1
  conditions:
  - {type: Progressing, status: "False", reason: ProgressDeadlineExceeded, message: timed out}
  - {type: ReplicaFailure, status: "True", reason: FailedCreate, message: "exceeded quota: compute"}
`,
			want: Verdict{Reason: ReasonQuotaExceeded, Message: "exceeded quota: compute", Stuck: true},
		},
		"Forbidden": {
			reason: "Pods that admission refuses for another reason should be told in its words.",
			deployment: `
metadata: {generation: 1}
spec: {replicas: 1}
status:
  observedGeneration: 1
  conditions: [{type: ReplicaFailure, status: "True", reason: FailedCreate, message: violates PodSecurity}]
`,
			want: Verdict{Reason: "FailedCreate", Message: "violates PodSecurity", Stuck: true},
		},
		"FailureOver": {
			reason: "A failure that is over should not be held against it.",
			deployment: `
metadata: {generation: 1}
spec: {replicas: 1}
status:
  observedGeneration: 1
  replicas: 1
  updatedReplicas: 1
  availableReplicas: 1
  conditions: [{type: ReplicaFailure, status: "False", reason: FailedCreate, message: "exceeded quota: compute"}]
`,
			want: Verdict{Ready: true, Reason: ReasonReady},
		},
		"DeadlineExceeded": {
			reason: "A rollout that has timed out will not come to its end by waiting.",
			deployment: `
metadata: {generation: 2}
spec: {replicas: 2}
status:
  observedGeneration: 2
  replicas: 3
  updatedReplicas: 1
  availableReplicas: 2
  conditions: [{type: Progressing, status: "False", reason: ProgressDeadlineExceeded, message: ReplicaSet "echo-5d" has timed out progressing.}]
`,
			want: Verdict{Reason: ReasonProgressDeadlineExceeded, Message: `ReplicaSet "echo-5d" has timed out progressing.`, Stuck: true},
		},
		"PausedBeforeItIsDone": {
			reason:     "A rollout that somebody paused goes on when somebody resumes it.",
			deployment: `{metadata: {generation: 2}, spec: {replicas: 2, paused: true}, status: {observedGeneration: 2, replicas: 2, updatedReplicas: 0, availableReplicas: 2}}`,
			want:       Verdict{Reason: ReasonPaused, Message: "0/2 replicas updated", Stuck: true},
		},
		"PausedWhenDone": {
			reason:     "A pause that holds nothing up is no reason.",
			deployment: `{metadata: {generation: 2}, spec: {replicas: 1, paused: true}, status: {observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1}}`,
			want:       Verdict{Ready: true, Reason: ReasonReady},
		},
		"Updating": {
			reason:     "A rollout on its way should say how far it is.",
			deployment: `{metadata: {generation: 2}, spec: {replicas: 4}, status: {observedGeneration: 2, replicas: 5, updatedReplicas: 3, availableReplicas: 4}}`,
			want:       Verdict{Reason: ReasonProgressing, Message: "3/4 replicas updated"},
		},
		"OldOnesStillThere": {
			reason:     "A rollout is over when the last replica of the earlier template is gone.",
			deployment: `{metadata: {generation: 2}, spec: {replicas: 3}, status: {observedGeneration: 2, replicas: 5, updatedReplicas: 3, availableReplicas: 5}}`,
			want:       Verdict{Reason: ReasonProgressing, Message: "surplus replicas still there: 2"},
		},
		"NotAvailable": {
			reason:     "A replica that is updated and not available does not count.",
			deployment: `{metadata: {generation: 2}, spec: {replicas: 3}, status: {observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 1}}`,
			want:       Verdict{Reason: ReasonProgressing, Message: "1/3 replicas available"},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := observed.ReadDeployment(object(t, tc.deployment))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, Deployment(d)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
