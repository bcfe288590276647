package workload

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// update rewrites the golden files: go test ./fn/workload -update.
var update = flag.Bool("update", false, "write what is rendered to testdata, instead of comparing it with that")

// defaults is what an App's spec has at the least.
const defaults = `
replicas: 3
resources: {requests: {cpu: 100m, memory: 128Mi}}
service: {}
security: {profile: Baseline}
`

// newApp is an App in namespace team-a whose spec is given as YAML, over the
// defaults.
func newApp(t testing.TB, name, spec string) *app.App {
	t.Helper()

	a := &app.App{Namespace: "team-a", Name: name}

	for _, doc := range []string{defaults, spec} {
		j, err := yaml.YAMLToJSON([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}

		s := &structpb.Struct{}
		if err := s.UnmarshalJSON(j); err != nil {
			t.Fatal(err)
		}

		b, err := proto.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}

		if err := wire.UnmarshalStrict(b, &a.Spec); err != nil {
			t.Fatal(err)
		}
	}

	if err := a.Spec.Settle(); err != nil {
		t.Fatal(err)
	}

	return a
}

// example is the App of the example that is all defaults.
func example(t testing.TB) *app.App {
	t.Helper()
	return newApp(t, "test-echo", `image: "nginx:1.21"`)
}

// whole is an App that asks for a good deal.
func whole(t testing.TB) *app.App {
	t.Helper()

	spec, err := os.ReadFile("testdata/spec/whole.yaml")
	if err != nil {
		t.Fatal(err)
	}

	return newApp(t, "shop", string(spec))
}

func template(t testing.TB, a *app.App) Template {
	t.Helper()

	tmpl, err := NewTemplate(a)
	if err != nil {
		t.Fatal(err)
	}

	return tmpl
}

// rendered is what an object encodes to, by the generated code's reading of it.
func rendered(t testing.TB, o any) map[string]any {
	t.Helper()

	b, err := wire.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := proto.Unmarshal(b, s); err != nil {
		t.Fatal(err)
	}

	return s.AsMap()
}

// golden compares an object with testdata/NAME.yaml.
func golden(t *testing.T, name, reason string, o any) {
	t.Helper()

	got, err := yaml.Marshal(rendered(t, o))
	if err != nil {
		t.Fatal(err)
	}

	path := filepath.Join("testdata", name+".yaml")

	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("\n%s\n%s: -want, +got (go test ./fn/workload -update writes it):\n%s", reason, path, diff)
	}
}

// object is an object in wire form, as it is handed on.
func object(t testing.TB, o map[string]any) wire.Struct {
	t.Helper()

	s, err := wire.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	return s
}
