package network

import (
	"flag"
	"fmt"
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

// update rewrites the golden files: go test ./fn/network -update.
var update = flag.Bool("update", false, "write what is rendered to testdata, instead of comparing it with that")

// newApp is an App in namespace team-a whose spec is given as YAML, over the defaults
// that an App has.
func newApp(t testing.TB, spec string) *app.App {
	t.Helper()

	a := &app.App{Namespace: "team-a", Name: "shop"}

	for _, doc := range []string{`{image: a, replicas: 1, resources: {}, service: {}, security: {}}`, spec} {
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

// golden compares an object with testdata/NAME.yaml, and sees to it that it is
// minimal.
func golden(t *testing.T, name, reason string, o any) {
	t.Helper()

	b, err := wire.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := proto.Unmarshal(b, s); err != nil {
		t.Fatal(err)
	}

	for _, path := range surplus(s.AsMap(), "") {
		t.Errorf("\n%s\n%s is no opinion, and makes this function its owner", reason, path)
	}

	got, err := yaml.Marshal(s.AsMap())
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
		t.Errorf("\n%s\n%s: -want, +got (go test ./fn/network -update writes it):\n%s", reason, path, diff)
	}
}

// surplus are the paths of what server-side apply had better not be given: nulls,
// empty objects, lists and texts, a status, a time of creation.
func surplus(v any, path string) []string {
	var paths []string

	switch v := v.(type) {
	case nil:
		return []string{path + ": null"}
	case string:
		if v == "" {
			return []string{path + `: ""`}
		}
	case map[string]any:
		if len(v) == 0 {
			return []string{path + ": {}"}
		}

		for key, e := range v {
			at := path + "." + key

			if at == ".status" || key == "creationTimestamp" {
				paths = append(paths, at)
			}

			paths = append(paths, surplus(e, at)...)
		}
	case []any:
		if len(v) == 0 {
			return []string{path + ": []"}
		}

		for i, e := range v {
			paths = append(paths, surplus(e, fmt.Sprintf("%s[%d]", path, i))...)
		}
	}

	return paths
}
