package readiness

import (
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"my-operator.dev/echo/fn/wire"
)

// object is a YAML document as it comes in a request.
func object(t testing.TB, doc string) wire.Struct {
	t.Helper()

	j, err := yaml.YAMLToJSONStrict([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := protojson.Unmarshal(j, s); err != nil {
		t.Fatal(err)
	}

	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}

	return b
}

func TestVerdictString(t *testing.T) {
	cases := map[string]struct {
		reason  string
		verdict Verdict
		want    string
	}{
		"ReasonAlone": {
			reason:  "Without a message there should be no colon that leads nowhere.",
			verdict: Verdict{Reason: ReasonStarting},
			want:    "Starting",
		},
		"Both": {
			reason:  "A message should follow upon the reason.",
			verdict: Verdict{Reason: ReasonImagePullBackOff, Message: "container echo: cannot pull its image"},
			want:    "ImagePullBackOff: container echo: cannot pull its image",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.verdict.String(); got != tc.want {
				t.Errorf("\n%s\nwant: %s\ngot:  %s", tc.reason, tc.want, got)
			}
		})
	}
}
