package observed

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
)

func TestObjectController(t *testing.T) {
	cases := map[string]struct {
		reason string
		object string
		want   string
	}{
		"Nobody": {
			reason: "An object without references is nobody's.",
			object: `{kind: Service}`,
		},
		"OwnersOnly": {
			reason: "An owner need not be the controller.",
			object: `{metadata: {ownerReferences: [{uid: a}, {uid: b, controller: false}]}}`,
		},
		"Controller": {
			reason: "Of several owners, the one that controls counts.",
			object: `{metadata: {ownerReferences: [{uid: a}, {uid: b, controller: true}]}}`,
			want:   "b",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o, err := ReadObject(object(t, tc.object))
			if err != nil {
				t.Fatal(err)
			}

			if got := o.Controller(); got != tc.want {
				t.Errorf("\n%s\nwant %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

func TestReadSpec(t *testing.T) {
	cases := map[string]struct {
		reason string
		object string
		want   string
	}{
		"Spec": {
			reason: "A spec should be kept whole, with what looks empty.",
			object: `{kind: Deployment, spec: {replicas: 0, paused: false, strategy: {}, x: null, l: []}, status: {replicas: 1}}`,
			want:   `{replicas: 0, paused: false, strategy: {}, x: null, l: []}`,
		},
		"None": {
			reason: "An object without a spec has none.",
			object: `{kind: ConfigMap}`,
			want:   `{}`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := ReadSpec(object(t, tc.object))
			if err != nil {
				t.Fatal(err)
			}

			got := &structpb.Struct{}
			if err := proto.Unmarshal(b, got); err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(message(t, tc.want), got, protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
