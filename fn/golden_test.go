package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// What test/render renders with the real CLI and core.
const (
	examples = "../examples"
	rendered = "../test/render/testdata"
)

// TestGoldenMeaning answers for every example what its golden files say, once as
// it is applied first and once as it is settled, and holds each answer against the
// generated code. An earlier function and its context are there the second time
// each is asked.
func TestGoldenMeaning(t *testing.T) {
	dirs, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}

	earlier := &fnv1.State{
		Composite: resource(t, `{status: {theirs: kept}}`),
		Resources: map[string]*fnv1.Resource{"theirs": resource(t, `{kind: ConfigMap, data: {a: null, b: [{}, 1.5]}}`)},
	}

	for _, d := range dirs {
		for _, stage := range []string{"first", "steady"} {
			t.Run(d.Name()+"/"+stage, func(t *testing.T) {
				want := documents(t, filepath.Join(rendered, d.Name(), stage+".yaml"))
				req := asked(t, d.Name(), stage, want)
				rsp := meaningful(t, req)

				if diff := cmp.Diff(golden(want), wanted(rsp)); diff != "" {
					t.Errorf("-golden file, +answer:\n%s", diff)
				}

				req.Desired, req.Context = earlier, object(t, `{theirs: [null]}`)
				beside := meaningful(t, req)

				delete(beside.GetDesired().GetResources(), "theirs")
				delete(beside.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields(), "theirs")

				beside.Context = nil
				if diff := cmp.Diff(rsp, beside, protocmp.Transform()); diff != "" {
					t.Errorf("an earlier function should make no difference: -without, +with:\n%s", diff)
				}
			})
		}
	}
}

// asked is the request about an example as core makes it: with what is observed
// at the stage, once all that was asked for has been looked up. Only schemas are
// found.
func asked(t *testing.T, example, stage string, want []tree) *fnv1.RunFunctionRequest {
	t.Helper()

	req := &fnv1.RunFunctionRequest{
		Meta:              &fnv1.RequestMeta{Tag: "t"},
		Observed:          &fnv1.State{Resources: map[string]*fnv1.Resource{}},
		RequiredResources: map[string]*fnv1.Resources{},
		RequiredSchemas:   map[string]*fnv1.Schema{},
	}

	for _, o := range documents(t, filepath.Join(examples, example, "echo.yaml")) {
		if strings.HasPrefix(text(o, "apiVersion"), "my-operator.dev/") {
			meta := child(o, "metadata")
			meta["namespace"], meta["uid"] = text(want[0], "metadata", "namespace"), controller(want[1])
			req.Observed.Composite = &fnv1.Resource{Resource: sure(structpb.NewStruct(o))}
		}
	}

	if stage == "steady" {
		for _, o := range documents(t, filepath.Join(rendered, example, "observed.yaml")) {
			req.Observed.Resources[text(o, "metadata", "annotations", annotationKey)] = &fnv1.Resource{Resource: sure(structpb.NewStruct(o))}
		}
	}

	for range maxIterations {
		rsp := answer(t, req)

		for name := range rsp.GetRequirements().GetResources() {
			req.RequiredResources[name] = &fnv1.Resources{}
		}

		for name := range rsp.GetRequirements().GetSchemas() {
			req.RequiredSchemas[name] = &fnv1.Schema{OpenapiV3: object(t, `{type: object}`)}
		}
	}

	return req
}

// meaningful answers a request in both orders in which the generated code writes
// maps, and holds the answers against it.
func meaningful(t *testing.T, req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	t.Helper()

	var rsp *fnv1.RunFunctionResponse

	for _, o := range []proto.MarshalOptions{{}, deterministic} {
		out, err := newFunction().Run(context.Background(), must(o.Marshal(req)))
		if err != nil {
			t.Fatal(err)
		}

		next, err := read(req, out)
		if err != nil {
			t.Fatal(err)
		}

		if err := checkMeaning(req, next); err != nil {
			t.Fatal(err)
		}

		if diff := cmp.Diff(rsp, next, protocmp.Transform()); rsp != nil && diff != "" {
			t.Fatalf("two answers to one request:\n%s", diff)
		}

		rsp = next
	}

	return rsp
}

// documents are the objects of a YAML file.
func documents(t *testing.T, path string) []tree {
	t.Helper()

	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	var all []tree

	for doc := range bytes.SplitSeq(b, []byte("---\n")) {
		o := tree{}
		if err := yaml.Unmarshal(doc, &o); err != nil {
			t.Fatal(err)
		}

		if len(o) > 0 {
			all = append(all, o)
		}
	}

	return all
}

// wanted is the status and the objects that an answer asks for, by their key.
func wanted(rsp *fnv1.RunFunctionResponse) map[string]any {
	all := map[string]any{"": at(rsp.GetDesired().GetComposite().GetResource().AsMap(), "status")}
	for key, r := range rsp.GetDesired().GetResources() {
		all[key] = r.GetResource().AsMap()
	}

	return all
}

// golden is the same of a rendering, less what core adds.
func golden(docs []tree) map[string]any {
	status := child(docs[0], "status")
	delete(status, "conditions")

	all := map[string]any{"": status}

	for _, o := range docs[1:] {
		meta := child(o, "metadata")
		all[text(meta, "annotations", annotationKey)] = o

		if meta["generateName"] != nil { // Core named it.
			delete(meta, "name")
		}

		delete(meta, "generateName")
		delete(meta, "ownerReferences")
		delete(child(meta, "annotations"), annotationKey)
		delete(child(meta, "labels"), labelPrefix)

		maps.DeleteFunc(meta, func(_ string, v any) bool { return equal(v, tree{}) })
	}

	return all
}
