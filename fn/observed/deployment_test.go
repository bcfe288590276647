package observed

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadDeployment(t *testing.T) {
	d, err := ReadDeployment(object(t, `
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, generation: 7}
spec: {replicas: 3, paused: true, selector: {}}
status:
  observedGeneration: 6
  replicas: 5
  updatedReplicas: 4
  readyReplicas: 3
  availableReplicas: 2
  conditions: [{type: Available, status: "True"}, {type: Progressing, status: "False", reason: ProgressDeadlineExceeded}]
`))
	if err != nil {
		t.Fatal(err)
	}

	want := &Deployment{
		APIVersion: "apps/v1",
		Kind:       "Deployment",
		Metadata:   Metadata{Name: "shop", Generation: 7},
		Spec:       DeploymentSpec{Replicas: 3, Paused: true},
		Status: DeploymentStatus{
			ObservedGeneration: 6, Replicas: 5, UpdatedReplicas: 4, ReadyReplicas: 3, AvailableReplicas: 2,
			Conditions: []Condition{{Type: "Available", Status: "True"}, {Type: "Progressing", Status: "False", Reason: "ProgressDeadlineExceeded"}},
		},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}

	if diff := cmp.Diff(want.Status.Conditions[1], d.Condition("Progressing")); diff != "" {
		t.Errorf("condition Progressing: -want, +got:\n%s", diff)
	}

	if diff := cmp.Diff(Condition{}, d.Condition("ReplicaFailure")); diff != "" {
		t.Errorf("a condition that is not there should be the zero one: -want, +got:\n%s", diff)
	}
}
