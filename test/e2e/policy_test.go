package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPolicy gives a team a Composition of its own, with defaults and limits.
func TestPolicy(t *testing.T) {
	forEach(t, func(t *team) {
		composition := "policy-" + t.tenant.Namespace
		t.composition(composition, map[string]any{
			"defaults": map[string]any{"workload": "Deployment", "labels": map[string]any{"example.com/cost-centre": "42"}},
			"limits":   map[string]any{"maxReplicas": 2, "allowedImagePrefixes": []string{"nginx", "registry.example.com/shop/"}},
		})

		t.apply(fmt.Sprintf("apiVersion: my-operator.dev/v1\nkind: Echo\nmetadata: {name: shop}\nspec: {image: nginx:1.21, replicas: 2, %s}", t.pointer(composition)))
		t.runs("shop", 2)

		if n := len(t.list("deployments", "-l", "example.com/cost-centre=42")); n != 1 {
			t.Errorf("want a Deployment with the platform's label, got %d", n)
		}

		before := uids(t.livePods("shop"))

		for _, tc := range []struct{ over, back, words string }{
			{over: `{"replicas":3}`, back: `{"replicas":2}`, words: "spec.replicas: 3 is over the limit of 2"},
			{over: `{"autoscaling":{"maxReplicas":9}}`, back: `{"autoscaling":null}`, words: "spec.autoscaling.maxReplicas: 9"},
			{over: `{"image":"nginxed"}`, back: `{"image":"nginx:1.21"}`, words: "spec.image"},
		} {
			t.patch("shop", tc.over)
			t.says("shop", "Accepted", "False", "LimitExceeded", tc.words, "set by the platform team", composition)

			if diff := cmp.Diff(before, uids(t.livePods("shop"))); diff != "" {
				t.Errorf("%s: what runs should be untouched: -before, +after:\n%s", tc.over, diff)
			}

			t.patch("shop", tc.back)
			t.says("shop", "Accepted", "True", "Accepted")
			t.runs("shop", 2)
		}

		if diff := cmp.Diff(before, uids(t.livePods("shop"))); diff != "" {
			t.Errorf("no Pod should have been replaced: -before, +after:\n%s", diff)
		}
	})
}

// composition makes a Composition that is like the installed one, but for the
// function's input.
func (t *team) composition(name string, input map[string]any) {
	t.Helper()

	installed := "echoes.my-operator.dev"
	if t.claims {
		installed = "xechoes.my-operator.dev"
	}

	c := t.get("composition", installed)
	input["apiVersion"], input["kind"] = "echo.fn.my-operator.dev/v1beta1", "Input"

	spec, _ := c["spec"].(map[string]any)
	pipeline, _ := spec["pipeline"].([]any)
	step, _ := pipeline[0].(map[string]any)
	step["input"] = input

	b, err := json.Marshal(map[string]any{
		"apiVersion": c["apiVersion"], "kind": c["kind"], "metadata": map[string]any{"name": name}, "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}

	t.admin("apply", "-f", t.file(string(b)))
}

// pointer is the part of an Echo's spec that names its Composition.
func (t *team) pointer(composition string) string {
	ref := fmt.Sprintf("compositionRef: {name: %s}", composition)
	if t.claims {
		return ref
	}

	return "crossplane: {" + ref + "}"
}
