package observed

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadBindings(t *testing.T) {
	containers := `containers: [{name: a, envFrom: [{configMapRef: {name: c}}, {secretRef: {name: s}}]}, {name: b, envFrom: [{prefix: P_, secretRef: {name: t}}]}]`

	cases := map[string]struct {
		reason string
		object string
		want   []string
	}{
		"Pod": {
			reason: "The Secrets of all containers of a Pod count, and ConfigMaps do not.",
			object: `{kind: Pod, spec: {` + containers + `}}`,
			want:   []string{"s", "t"},
		},
		"Deployment": {
			reason: "A Deployment's are those of the Pods that it makes.",
			object: `{kind: Deployment, spec: {template: {spec: {` + containers + `}}}}`,
			want:   []string{"s", "t"},
		},
		"None": {
			reason: "A single key of a Secret is no binding.",
			object: `{kind: Pod, spec: {containers: [{name: a, env: [{name: X, valueFrom: {secretKeyRef: {name: s, key: k}}}]}]}}`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ReadBindings(object(t, tc.object))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
