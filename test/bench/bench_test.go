package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/test/bench/fixture"
)

// TestServers runs every server that is measured on every work, to see that they
// are measured at the same: a settled Echo that each finds settled.
func TestServers(t *testing.T) {
	rig, err := newRig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rig.close)

	work, err := rig.prepare(t.Context(), works)
	if err != nil {
		t.Fatal(err)
	}

	processes, stop, err := rig.startAll(t.Context(), servers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)

	for _, w := range work {
		var want map[string]any

		for _, p := range processes {
			t.Run(w.Name+"/"+p.name, func(t *testing.T) {
				req, rsp := &fnv1.RunFunctionRequest{}, &fnv1.RunFunctionResponse{}
				if err := proto.Unmarshal(w.requests[p.name], req); err != nil {
					t.Fatal(err)
				}

				out, err := p.call(t.Context(), w.requests[p.name])
				if err != nil {
					t.Fatal(err)
				}

				if err := proto.Unmarshal(out, rsp); err != nil {
					t.Fatal(err)
				}

				if err := fixture.Check(req, rsp); err != nil {
					t.Errorf("the Echo should be settled: %v", err)
				}

				if p.name == echo {
					want = meaning(rsp)
				}

				got := meaning(rsp)
				if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
					t.Fatalf("all servers should want the same: -%s, +%s:\n%s", echo, p.name, diff)
				}

				for _, key := range slices.Sorted(maps.Keys(want)) {
					// One difference tells; a hundred Pods would tell it a hundred times.
					if diff := cmp.Diff(want[key], got[key]); diff != "" {
						t.Fatalf("all servers should want the same %s: -%s, +%s:\n%s", key, echo, p.name, diff)
					}
				}
			})
		}
	}
}

// TestSize holds the requests to the size of real ones, on which every figure
// depends: some 4.4 KB for a Pod, and the whole under what core's clients took
// by default when this was written.
func TestSize(t *testing.T) {
	rig, err := newRig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rig.close)

	work, err := rig.prepare(t.Context(), []fixture.Case{fixture.Pods("C", 100)})
	if err != nil {
		t.Fatal(err)
	}

	for name, request := range work[0].requests {
		if size := len(request) / 100; size < 4000 || size > 6000 {
			t.Errorf("%s: want 4000 to 6000 bytes a Pod, got %d", name, size)
		}
	}
}

// meaning is what a response asks for, by the key of each resource, less what each
// function says in its own way: the hash of a template (in keys too), and fields that are
// written out as empty, which the SDK's conversion adds.
func meaning(rsp *fnv1.RunFunctionResponse) map[string]any {
	m := map[string]any{
		"status": rsp.GetDesired().GetComposite().GetResource().AsMap()["status"],
	}

	for _, c := range rsp.GetConditions() {
		m["condition "+c.GetType()] = []string{c.GetStatus().String(), c.GetReason(), c.GetMessage(), c.GetTarget().String()}
	}

	for key, r := range rsp.GetDesired().GetResources() {
		labels := r.GetResource().GetFields()["metadata"].GetStructValue().GetFields()["labels"].GetStructValue()
		if hash := labels.GetFields()["my-operator.dev/template"].GetStringValue(); hash != "" {
			key = strings.Replace(key, hash, "TEMPLATE", 1)
		}

		m[key] = map[string]any{"object": prune(r.GetResource().AsMap()), "ready": r.GetReady().String()}
	}

	return m
}

// prune removes from an object what says nothing: null, zero, false, objects and
// lists that are empty once that is done, and the hash of a template.
func prune(o map[string]any) map[string]any {
	maps.DeleteFunc(o, func(k string, v any) bool {
		switch v := v.(type) {
		case nil:
			return true
		case string:
			return k == "my-operator.dev/template"
		case float64:
			return v == 0
		case bool:
			// These two are true unless they are said to be false.
			return !v && k != "automountServiceAccountToken" && k != "allowPrivilegeEscalation"
		case map[string]any:
			return len(prune(v)) == 0
		case []any:
			for _, e := range v {
				if e, ok := e.(map[string]any); ok {
					prune(e)
				}
			}

			return len(v) == 0
		}

		return false
	})

	return o
}
