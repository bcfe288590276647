package workload

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/observed"
)

// kept is a Pod of an earlier template, as observed.
func kept(t testing.TB) *observed.Pod {
	t.Helper()

	doc, err := os.ReadFile("testdata/observed/pod.yaml")
	if err != nil {
		t.Fatal(err)
	}

	return read(t, string(doc))
}

// read reads a Pod given as YAML.
func read(t testing.TB, doc string) *observed.Pod {
	t.Helper()

	j, err := yaml.YAMLToJSONStrict([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := protojson.Unmarshal(j, s); err != nil {
		t.Fatal(err)
	}

	b, err := proto.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}

	p, err := observed.ReadPod(b)
	if err != nil {
		t.Fatal(err)
	}

	return p
}

func TestNewPod(t *testing.T) {
	golden(t, "pod", "The original Echo should be as small a Pod as runs it.", NewPod(example(t), template(t, example(t)), 0))
	golden(t, "pod-whole", "Each field of the spec should be where a Pod has it.", NewPod(whole(t), template(t, whole(t)), 0))
	golden(t, "pod-attempt", "A Pod that follows upon ones which ended early should know how many.", NewPod(example(t), template(t, example(t)), 3))
}

func TestKeepPod(t *testing.T) {
	golden(t, "pod-kept", "A Pod of an earlier template should keep that template's hash and the spec it has.", keep(t, example(t), kept(t), 2))
}

// TestKeepPodWithoutAccount shows that a Pod of which nobody knows what was
// applied is asked for as it stands: the API server refuses nearly every change
// to a Pod's spec.
func TestKeepPodWithoutAccount(t *testing.T) {
	p := read(t, `{metadata: {name: a}, spec: {nodeName: node-0, containers: [{name: echo, image: a}]}}`)

	want := map[string]any{"nodeName": "node-0", "containers": []any{map[string]any{"name": "echo", "image": "a"}}}
	if diff := cmp.Diff(want, rendered(t, keep(t, example(t), p, 0))["spec"]); diff != "" {
		t.Errorf("spec: -want, +got:\n%s", diff)
	}
}

func keep(t testing.TB, a *app.App, p *observed.Pod, attempt int) *Pod {
	t.Helper()

	kept, err := KeepPod(a, p, "19de85f428", attempt)
	if err != nil {
		t.Fatal(err)
	}

	return kept
}
