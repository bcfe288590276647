package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/wire"
)

func TestNewDeployment(t *testing.T) {
	golden(t, "deployment", "The original Echo should be as small a Deployment as runs it.", NewDeployment(example(t), template(t, example(t))))
	golden(t, "deployment-whole", "Each field of the spec should be where a Deployment has it.", NewDeployment(whole(t), template(t, whole(t))))

	stopped := example(t)
	*stopped.Spec.Replicas = 0
	golden(t, "deployment-stopped", "Zero replicas should be asked for, for without the field Kubernetes runs one.", NewDeployment(stopped, template(t, stopped)))
}

// TestDeploymentSelects shows that a Deployment selects its own Pods: the API
// server refuses one that does not.
func TestDeploymentSelects(t *testing.T) {
	spec := struct {
		Spec DeploymentSpec `json:"spec"`
	}{}

	b, err := wire.Marshal(NewDeployment(whole(t), template(t, whole(t))))
	if err != nil {
		t.Fatal(err)
	}

	if err := wire.Unmarshal(b, &spec); err != nil {
		t.Fatal(err)
	}

	selector, labels := spec.Spec.Selector.MatchLabels, spec.Spec.Template.Metadata.Labels
	if len(selector) == 0 {
		t.Error("a Deployment needs a selector")
	}

	for key, want := range selector {
		if got := labels[key]; got != want {
			t.Errorf("want label %s=%s on its Pods, got %q", key, want, got)
		}
	}
}

// TestKeepDeployment shows that a Deployment that is kept is asked for as it
// stands.
func TestKeepDeployment(t *testing.T) {
	spec, err := wire.Marshal(map[string]any{"replicas": 2, "paused": false, "template": map[string]any{"spec": map[string]any{"containers": []any{}}}})
	if err != nil {
		t.Fatal(err)
	}

	want := map[string]any{"replicas": 2.0, "paused": false, "template": map[string]any{"spec": map[string]any{"containers": []any{}}}}
	if diff := cmp.Diff(want, rendered(t, KeepDeployment(example(t), spec))["spec"]); diff != "" {
		t.Errorf("spec: -want, +got:\n%s", diff)
	}
}
