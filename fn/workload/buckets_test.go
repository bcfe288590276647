package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"my-operator.dev/echo/fn/app"
)

// TestTemplateBuckets shows what of a bucket is part of the Pods, and so restarts
// them when it changes.
func TestTemplateBuckets(t *testing.T) {
	cases := map[string]struct {
		reason  string
		edit    func(a *app.App)
		changes bool
	}{
		"Added": {
			reason:  "Pods get their environment when they start.",
			edit:    func(a *app.App) { a.Spec.Buckets = append(a.Spec.Buckets, app.Bucket{Name: "logs", EnvPrefix: "L_"}) },
			changes: true,
		},
		"Removed": {
			reason:  "Pods get their environment when they start.",
			edit:    func(a *app.App) { a.Spec.Buckets = nil },
			changes: true,
		},
		"Prefix": {
			reason:  "The names of variables are part of the environment.",
			edit:    func(a *app.App) { a.Spec.Buckets[0].EnvPrefix = "B_" },
			changes: true,
		},
		"OfTheBucket": {
			reason: "What the bucket is like, and what its keys open, is nothing that a Pod has to restart for.",
			edit: func(a *app.App) {
				a.Spec.Buckets[0] = app.Bucket{Name: "assets", EnvPrefix: "A_", Access: app.BucketReadOnly, Versioning: app.VersioningEnabled, Deletion: app.DeleteForce}
			},
		},
	}

	shop := func() *app.App { return newApp(t, "shop", `{image: a, buckets: [{name: assets, envPrefix: A_}]}`) }

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := shop()
			tc.edit(a)

			if got := template(t, a).Hash != template(t, shop()).Hash; got != tc.changes {
				t.Errorf("\n%s\nwant a change: %t, got %t", tc.reason, tc.changes, got)
			}
		})
	}
}

func TestEnvFrom(t *testing.T) {
	a := newApp(t, "shop", `{image: a, envFrom: [{configMapRef: {name: shop}}], buckets: [{name: assets}, {name: logs, envPrefix: LOGS_}]}`)

	pod := rendered(t, NewPod(a, template(t, a), 0))
	spec, _ := pod["spec"].(map[string]any)
	containers, _ := spec["containers"].([]any)
	got, _ := containers[0].(map[string]any)

	want := []any{
		map[string]any{"configMapRef": map[string]any{"name": "shop"}},
		map[string]any{"secretRef": map[string]any{"name": "shop-assets-dec4082c11"}},
		map[string]any{"prefix": "LOGS_", "secretRef": map[string]any{"name": a.BucketSecret("logs")}},
	}
	if diff := cmp.Diff(want, got["envFrom"]); diff != "" {
		t.Errorf("buckets should come last, for the last source of a variable holds: -want, +got:\n%s", diff)
	}
}

func TestHoldDeployment(t *testing.T) {
	a := newApp(t, "shop", `{image: b, replicas: 5}`)
	before := map[string]any{
		"replicas": 2.0, "paused": true,
		"template": map[string]any{"metadata": map[string]any{"creationTimestamp": nil, "labels": map[string]any{"a": "b"}}},
	}

	s, err := structpb.NewStruct(before)
	if err != nil {
		t.Fatal(err)
	}

	b, err := proto.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}

	held, err := HoldDeployment(a, b)
	if err != nil {
		t.Fatal(err)
	}

	want := map[string]any{
		"replicas": 5.0, "paused": true,
		"template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": "b"}}},
	}
	if diff := cmp.Diff(want, rendered(t, held)["spec"]); diff != "" {
		t.Errorf("all but the replicas should stay, and no null be asked for: -want, +got:\n%s", diff)
	}
}
