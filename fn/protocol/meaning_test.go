package protocol

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/wire"
)

// A meaning is all that is read of a request, in the types of the generated code.
type meaning struct {
	Tag       string
	Composite *structpb.Struct
	Observed  map[string]*structpb.Struct
	Desired   map[string]struct{}
	Required  map[string][]*structpb.Struct
	Schemas   map[string]bool
	Input     *structpb.Struct
}

// theirs is what a request means to the generated code.
func theirs(req *fnv1.RunFunctionRequest) meaning {
	m := meaning{
		Tag:       req.GetMeta().GetTag(),
		Composite: whole(req.GetObserved().GetComposite().GetResource()),
		Observed:  map[string]*structpb.Struct{},
		Desired:   map[string]struct{}{},
		Required:  map[string][]*structpb.Struct{},
		Schemas:   map[string]bool{},
		Input:     whole(req.GetInput()),
	}

	for key, r := range req.GetObserved().GetResources() {
		m.Observed[key] = whole(r.GetResource())
	}

	for key := range req.GetDesired().GetResources() {
		m.Desired[key] = struct{}{}
	}

	for key, rs := range req.GetRequiredResources() {
		m.Required[key] = []*structpb.Struct{}
		for _, r := range rs.GetItems() {
			m.Required[key] = append(m.Required[key], whole(r.GetResource()))
		}
	}

	for key, s := range req.GetRequiredSchemas() {
		m.Schemas[key] = s.GetOpenapiV3() != nil
	}

	return m
}

// ours is what Decode made of a request.
func ours(t testing.TB, e *Envelope) meaning {
	t.Helper()

	m := meaning{
		Tag:       e.tag,
		Composite: message(t, e.Request.Composite),
		Observed:  map[string]*structpb.Struct{},
		Desired:   e.Request.Desired,
		Required:  map[string][]*structpb.Struct{},
		Schemas:   e.Request.Schemas,
		Input:     message(t, e.Request.Input),
	}

	for key, s := range e.Request.Observed {
		m.Observed[key] = message(t, s)
	}

	for key, items := range e.Request.Required {
		m.Required[key] = []*structpb.Struct{}
		for _, s := range items {
			m.Required[key] = append(m.Required[key], message(t, s))
		}
	}

	return m
}

// whole is s, or an empty one: to a function, no object and one without fields
// are the same.
func whole(s *structpb.Struct) *structpb.Struct {
	if s == nil {
		return &structpb.Struct{}
	}

	return s
}

func message(t testing.TB, s wire.Struct) *structpb.Struct {
	t.Helper()

	m := &structpb.Struct{}
	if err := proto.Unmarshal(s, m); err != nil {
		t.Fatalf("what Decode returns should be a Struct: %v", err)
	}

	return m
}

// same compares what a request means to the generated code and to Decode.
func same(t testing.TB, b []byte) {
	t.Helper()

	req := &fnv1.RunFunctionRequest{}
	if err := proto.Unmarshal(b, req); err != nil {
		t.Fatal(err)
	}

	e, err := Decode(b)
	if err != nil {
		t.Fatalf("the generated code accepts what Decode refuses: %v", err)
	}

	if diff := cmp.Diff(theirs(req), ours(t, e), protocmp.Transform()); diff != "" {
		t.Fatalf("-generated code, +Decode:\n%s", diff)
	}
}

// object is a YAML document as a Struct.
func object(t testing.TB, doc string) *structpb.Struct {
	t.Helper()

	j, err := yaml.YAMLToJSONStrict([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := protojson.Unmarshal(j, s); err != nil {
		t.Fatal(err)
	}

	return s
}

func composed(t testing.TB, doc string) *fnv1.Resource {
	t.Helper()
	return &fnv1.Resource{Resource: object(t, doc)}
}

func encoded(t testing.TB, m proto.Message) []byte {
	t.Helper()

	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}

	return b
}

// request is one of each thing that a request may hold.
func request(t testing.TB) *fnv1.RunFunctionRequest {
	t.Helper()

	return &fnv1.RunFunctionRequest{
		Meta: &fnv1.RequestMeta{Tag: "t", Capabilities: []fnv1.Capability{fnv1.Capability_CAPABILITY_CONDITIONS}},
		Observed: &fnv1.State{
			Composite: &fnv1.Resource{
				Resource:          object(t, `{apiVersion: my-operator.dev/v1, kind: Echo, metadata: {name: shop}, spec: {replicas: 3, image: a}}`),
				ConnectionDetails: map[string][]byte{"k": []byte("\xff")},
			},
			Resources: map[string]*fnv1.Resource{"pod-0": composed(t, `{kind: Pod}`), "": {}},
		},
		Desired: &fnv1.State{
			Composite: &fnv1.Resource{
				Resource:          object(t, `{status: {colour: red, nested: {a: [1, null, {}]}, nothing: null}}`),
				ConnectionDetails: map[string][]byte{"k": []byte("\xff")},
				Ready:             fnv1.Ready_READY_TRUE,
			},
			Resources: map[string]*fnv1.Resource{"theirs": {Resource: object(t, `{kind: ConfigMap}`), Ready: fnv1.Ready_READY_TRUE}},
		},
		Input:             object(t, `{kind: Input, limits: {maxReplicas: 3}}`),
		Context:           object(t, `{environment: {a: 1}}`),
		ExtraResources:    map[string]*fnv1.Resources{"old": {Items: []*fnv1.Resource{{}}}},
		Credentials:       map[string]*fnv1.Credentials{"c": {Source: &fnv1.Credentials_CredentialData{CredentialData: &fnv1.CredentialData{Data: map[string][]byte{"k": {0xff}}}}}},
		RequiredResources: map[string]*fnv1.Resources{"service": {}, "pods": {Items: []*fnv1.Resource{composed(t, `{kind: Pod}`), {}}}},
		RequiredSchemas:   map[string]*fnv1.Schema{"served": {OpenapiV3: object(t, `{type: object}`)}, "notServed": {}},
	}
}
