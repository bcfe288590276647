package observed

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/wire"
)

func TestApplied(t *testing.T) {
	spec := `{
		nodeName: node-0,
		containers: [
			{name: sidecar, image: proxy},
			{name: echo, image: a, imagePullPolicy: IfNotPresent,
			 ports: [{containerPort: 80, protocol: TCP, name: http}, {containerPort: 81, protocol: TCP}]}],
		tolerations: [{key: a}, {key: b}],
		finalizers: [first, second]}`
	ours := `{manager: apiextensions.crossplane.io/composed/1, operation: Apply, fieldsV1: `

	cases := map[string]struct {
		reason  string
		managed string
		want    string
	}{
		"Parts": {
			reason: "What Kubernetes and others have added should be left out, down to the items of lists.",
			managed: ours + `{"f:spec": {"f:containers": {'k:{"name":"echo"}': {".": {}, "f:name": {}, "f:image": {},
				"f:ports": {'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}, "f:protocol": {}}}}},
				"f:tolerations": {}, "f:finalizers": {'v:"second"': {}}}}}`,
			want: `{
				containers: [{name: echo, image: a, ports: [{containerPort: 80, protocol: TCP}]}],
				tolerations: [{key: a}, {key: b}],
				finalizers: [second]}`,
		},
		"NoAccount": {
			reason: "Of a Pod without an account all of the spec should be taken.",
			want:   spec,
		},
		"AnothersAccount": {
			reason:  "What others have applied is not this composite's.",
			managed: `{manager: kubelet, operation: Update, subresource: status, fieldsV1: {"f:status": {}}}`,
			want:    spec,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := ReadPod(object(t, `{metadata: {managedFields: [`+tc.managed+`]}, spec: `+spec+`}`))
			if err != nil {
				t.Fatal(err)
			}

			s, err := p.Applied()
			if err != nil {
				t.Fatal(err)
			}

			got, want := map[string]any{}, map[string]any{}
			if err := wire.Unmarshal(s, &got); err != nil {
				t.Fatal(err)
			}

			if err := wire.Unmarshal(object(t, tc.want), &want); err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
