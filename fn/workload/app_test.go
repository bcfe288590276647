package workload

import (
	"testing"

	"my-operator.dev/echo/fn/app"

	"github.com/google/go-cmp/cmp"
)

func TestAppSelector(t *testing.T) {
	cases := map[string]struct {
		reason string
		a, b   *app.App
		same   bool
	}{
		"OtherName": {
			reason: "Two Apps of one namespace should not select each other's Pods.",
			a:      newApp(t, "shop", `image: a`),
			b:      newApp(t, "shop-2", `image: a`),
		},
		"OtherSpec": {
			reason: "A Deployment's selector cannot change, so it must not depend on the spec.",
			a:      newApp(t, "shop", `image: a`),
			b:      newApp(t, "shop", `{image: b, replicas: 0, workload: Deployment}`),
			same:   true,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if same := cmp.Equal(tc.a.Selector(), tc.b.Selector()); same != tc.same {
				t.Errorf("\n%s\nwant the same: %t, got %v and %v", tc.reason, tc.same, tc.a.Selector(), tc.b.Selector())
			}
		})
	}
}

// TestAppLabels shows that labels are the caller's to change.
func TestAppLabels(t *testing.T) {
	a := example(t)
	a.ExtraLabels = map[string]string{"cost-centre": "42", app.LabelEcho: "another"}

	if got := a.Labels()["cost-centre"]; got != "42" {
		t.Errorf("every object should carry the platform's labels: want cost-centre=42, got %q", got)
	}

	for key, value := range a.Selector() {
		if got := a.Labels()[key]; got != value {
			t.Errorf("every object should carry what its Pods are selected by: want %s=%s, got %q", key, value, got)
		}
	}

	before := a.Labels()
	a.Labels()["x"] = "y"
	NewPod(a, template(t, a), 0)

	if diff := cmp.Diff(before, a.Labels()); diff != "" {
		t.Errorf("labels should not be shared between objects: -want, +got:\n%s", diff)
	}
}
