package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// Names that core gives.
const (
	annotationKey = "crossplane.io/composition-resource-name"
	labelPrefix   = "crossplane.io/composite"
)

// retryFatal is when core tries again after a function has failed. It begins with
// less, but that makes no difference here.
const retryFatal = time.Minute

// maxIterations is how often core asks a function again, see
// MaxRequirementsIterations in its internal/xfn/required_resources.go.
const maxIterations = 5

// A call is one compose: what core sent last, what came of it, and how things
// were when it began.
type call struct {
	request  *fnv1.RunFunctionRequest
	response *fnv1.RunFunctionResponse
	size     int
	fatal    string
	before   tree // The composite.
	observed map[string]*stored
}

// reconcile does what core does with a composite, see Compose in its
// internal/controller/apiextensions/composite/composition_functions.go.
func (w *world) reconcile() {
	w.dirty, w.due = false, time.Time{}
	w.composes++

	c := &call{before: clone(w.xr), observed: w.observe()}
	w.respond()
	c.request = w.request(c.observed)
	w.runPipeline(c)
	w.checkCall(c)

	if c.fatal != "" {
		w.conditionsAfterFatal(c)
	} else {
		w.compose(c)
	}

	w.last = c
	if !equal(c.before, w.xr) {
		w.writes++
		w.wake()
	}
}

// observe finds the objects that the composite refers to and controls.
func (w *world) observe() map[string]*stored {
	observed := map[string]*stored{}

	for _, id := range w.refs {
		o, ok := w.objects[id]
		if !ok {
			continue
		}

		if c := controller(o.tree); c != "" && c != w.uid() {
			continue
		}

		observed[text(o.tree, "metadata", "annotations", annotationKey)] = o
	}

	return observed
}

func (w *world) request(observed map[string]*stored) *fnv1.RunFunctionRequest {
	req := &fnv1.RunFunctionRequest{
		Observed:          &fnv1.State{Composite: &fnv1.Resource{Resource: sure(structpb.NewStruct(w.xr))}, Resources: map[string]*fnv1.Resource{}},
		Desired:           clonePB(w.earlier),
		Context:           &structpb.Struct{Fields: map[string]*structpb.Value{"earlier": structpb.NewStringValue("x")}},
		RequiredResources: map[string]*fnv1.Resources{},
		RequiredSchemas:   map[string]*fnv1.Schema{},
	}
	if w.input != nil {
		req.Input = sure(structpb.NewStruct(w.input))
	}

	for key, o := range observed {
		req.Observed.Resources[key] = &fnv1.Resource{Resource: o.encode()}
	}

	// Core seeds what was required last time.
	for name, s := range w.required {
		req.RequiredResources[name] = w.fetch(s)
	}

	req.Meta = &fnv1.RequestMeta{Tag: strconv.Itoa(w.composes)}

	return req
}

func clonePB(s *fnv1.State) *fnv1.State { return proto.Clone(s).(*fnv1.State) }

// runPipeline runs the function until it requires nothing new, see RunFunction in
// core's internal/xfn/required_resources.go.
func (w *world) runPipeline(c *call) {
	var requirements *fnv1.Requirements

	for i := 0; i <= maxIterations; i++ {
		c.response, c.size = w.run(c.request)

		for _, r := range c.response.GetResults() {
			if r.GetSeverity() == fnv1.Severity_SEVERITY_FATAL {
				c.fatal = r.GetMessage()
				return
			}
		}

		reqs := c.response.GetRequirements()
		if proto.Equal(reqs, requirements) {
			return
		}

		resources, schemas := map[string]*fnv1.Resources{}, map[string]*fnv1.Schema{}
		for name, s := range w.required {
			resources[name] = w.fetch(s)
		}

		for name, s := range reqs.GetResources() {
			if s.GetNamespace() != w.namespace {
				w.fail("requires %s %q of namespace %q, not of the tenant's", s.GetKind(), name, s.GetNamespace())
			}

			resources[name] = w.fetch(s)
		}

		for name, s := range reqs.GetSchemas() {
			schemas[name] = w.schema(s)
		}

		if i == 0 && maps.EqualFunc(c.request.GetRequiredResources(), resources, protoEqual) &&
			maps.EqualFunc(c.request.GetRequiredSchemas(), schemas, protoEqual) {
			return
		}

		requirements = reqs
		c.request.RequiredResources, c.request.RequiredSchemas = resources, schemas
		c.request.Context = c.response.GetContext()
	}

	w.fail("requirements did not stabilize after %d iterations", maxIterations)
}

func protoEqual[M proto.Message](a, b M) bool { return proto.Equal(a, b) }

// run runs the function on a request, in several encodings of one meaning.
func (w *world) run(req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, int) {
	f := newFunction()
	f.Now = func() time.Time { return w.now }

	request := sure(deterministic.Marshal(req))
	out := sure(f.Run(context.Background(), request))

	if again := sure(f.Run(context.Background(), request)); !bytes.Equal(out, again) {
		w.fail("two answers to one request")
	}

	rsp, err := read(req, out)
	if err != nil {
		w.fail("%s", err)
	}

	if w.composes%5 != 0 { // This takes most of the test's time.
		return rsp, len(out)
	}

	if err := checkMeaning(req, rsp); err != nil {
		w.fail("%s", err)
	}

	// Without Deterministic, maps are written in a random order. What is passed
	// on or kept as it was observed comes back in the order in which it came.
	other := &fnv1.RunFunctionResponse{}

	shuffled := sure(f.Run(context.Background(), sure(proto.Marshal(req))))
	if err := proto.Unmarshal(shuffled, other); err != nil {
		w.fail("cannot read the response: %s", err)
	}

	if !proto.Equal(rsp, other) {
		w.fail("two answers to one request in two encodings:\n%s", cmp.Diff(rsp, other, protocmp.Transform()))
	}

	return rsp, len(out)
}

func (w *world) fetch(s *fnv1.ResourceSelector) *fnv1.Resources {
	if name := s.GetMatchName(); name != "" {
		o, ok := w.objects[objectID(s.GetKind(), s.GetNamespace(), name)]
		if !ok {
			return &fnv1.Resources{}
		}

		return &fnv1.Resources{Items: []*fnv1.Resource{{Resource: o.encode()}}}
	}

	found := &fnv1.Resources{}

	for _, o := range w.of(s.GetKind()) {
		if w.selects(s, o.tree) {
			found.Items = append(found.Items, &fnv1.Resource{Resource: o.encode()})
		}
	}

	return found
}

// selects is true of an object that a selector finds.
func (w *world) selects(s *fnv1.ResourceSelector, o tree) bool {
	if text(o, "kind") != s.GetKind() || text(o, "metadata", "namespace") != s.GetNamespace() {
		return false
	}

	if name := s.GetMatchName(); name != "" {
		return text(o, "metadata", "name") == name
	}

	for k, v := range s.GetMatchLabels().GetLabels() {
		if text(o, "metadata", "labels", k) != v {
			return false
		}
	}

	return true
}

func (w *world) schema(s *fnv1.SchemaSelector) *fnv1.Schema {
	if s.GetKind() == "PodMonitor" && !w.monitored || strings.HasPrefix(s.GetKind(), "Bucket") && !w.provided {
		return &fnv1.Schema{}
	}

	return &fnv1.Schema{OpenapiV3: &structpb.Struct{Fields: map[string]*structpb.Value{"type": structpb.NewStringValue("object")}}}
}

// conditionsAfterFatal does what core does with the conditions of a composite
// when a function fails.
func (w *world) conditionsAfterFatal(c *call) {
	seen := w.conditions(c)
	status := child(w.xr, "status")

	for _, x := range list(status, "conditions") {
		if t := text(x, "type"); t != "Synced" && t != "Ready" && t != "Responsive" && !seen[t] {
			setCondition(status, w.now, t, "Unknown", "FatalError", "A fatal error occurred before the status of this condition could be determined.")
		}
	}

	setCondition(status, w.now, "Synced", "False", "ReconcileError", c.fatal)
	w.due = w.now.Add(retryFatal)
}

// conditions sets the conditions of a response on the composite.
func (w *world) conditions(c *call) map[string]bool {
	seen := map[string]bool{}

	for _, x := range c.response.GetConditions() {
		seen[x.GetType()] = true
		value := map[fnv1.Status]string{fnv1.Status_STATUS_CONDITION_TRUE: "True", fnv1.Status_STATUS_CONDITION_FALSE: "False"}[x.GetStatus()]
		setCondition(child(w.xr, "status"), w.now, x.GetType(), value, x.GetReason(), x.GetMessage())
	}

	return seen
}

// childName is the name that core gives a composed resource without one, see
// ChildName in its internal/names/names.go.
func (w *world) childName(key string) string {
	sum := sha256.Sum256([]byte(w.uid() + key))
	return w.xrName() + "-" + hex.EncodeToString(sum[:])[:12]
}

func (w *world) uid() string    { return text(w.xr, "metadata", "uid") }
func (w *world) xrName() string { return text(w.xr, "metadata", "name") }

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
