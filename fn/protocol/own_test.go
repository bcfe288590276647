package protocol

import (
	"maps"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/composition"
)

// An own is what this function adds to what it was given.
type own struct {
	seconds  int64
	notReady bool
	status   map[string]any // nil for none
	objects  map[string]map[string]any
	ready    map[string]bool
	warnings []string
}

// texts are values that are written whatever they are in.
var texts = rapid.SampledFrom([]string{"x", "y", "日本"})

func drawOwn(r *rapid.T) own {
	o := own{
		seconds:  int64(rapid.IntRange(0, 300).Draw(r, "requeue")),
		notReady: rapid.Bool().Draw(r, "notReady"),
		objects:  map[string]map[string]any{},
		ready:    map[string]bool{},
	}

	if rapid.Bool().Draw(r, "status") {
		o.status = drawObject(r)
	}

	for range rapid.IntRange(0, 3).Draw(r, "resources") {
		key := keys.Draw(r, "resource")
		o.objects[key], o.ready[key] = drawObject(r), rapid.Bool().Draw(r, "isReady")
	}

	for range rapid.IntRange(0, 2).Draw(r, "warnings") {
		o.warnings = append(o.warnings, texts.Draw(r, "warning"))
	}

	return o
}

func drawObject(r *rapid.T) map[string]any {
	o := map[string]any{"kind": texts.Draw(r, "text")}

	if rapid.Bool().Draw(r, "nested") {
		o[keys.Draw(r, "key")] = map[string]any{"n": rapid.IntRange(-3, 1<<40).Draw(r, "n"), "l": []any{texts.Draw(r, "element"), true}}
	}

	return o
}

// response is what to encode.
func (o own) response() *composition.Response {
	rsp := &composition.Response{
		Resources: map[string]composition.Resource{},
		NotReady:  o.notReady,
		Requeue:   time.Duration(o.seconds) * time.Second,
	}

	if o.status != nil {
		rsp.Status = o.status
	}

	for key, object := range o.objects {
		rsp.Resources[key] = composition.Resource{Object: object, Ready: o.ready[key]}
	}

	for _, w := range o.warnings {
		rsp.Events = append(rsp.Events, composition.Event{Warning: true, Message: w})
		rsp.Conditions = append(rsp.Conditions, composition.Condition{Type: w, Status: o.notReady})
	}

	return rsp
}

// upon is the answer that the generated code would make of it.
func (o own) upon(req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	rsp := &fnv1.RunFunctionResponse{
		Meta:    &fnv1.ResponseMeta{Tag: req.GetMeta().GetTag(), Ttl: &durationpb.Duration{Seconds: o.seconds}},
		Desired: &fnv1.State{},
		Context: req.GetContext(),
	}
	if req.GetDesired() != nil {
		rsp.Desired = proto.CloneOf(req.GetDesired())
	}

	o.composite(rsp.GetDesired())

	for key, object := range o.objects {
		if rsp.GetDesired().GetResources() == nil {
			rsp.Desired.Resources = map[string]*fnv1.Resource{}
		}

		rsp.Desired.Resources[key] = &fnv1.Resource{Resource: mustStruct(object), Ready: fnv1.Ready_READY_FALSE}
		if o.ready[key] {
			rsp.Desired.Resources[key].Ready = fnv1.Ready_READY_TRUE
		}
	}

	both := fnv1.Target_TARGET_COMPOSITE_AND_CLAIM.Enum()

	for _, w := range o.warnings {
		status := fnv1.Status_STATUS_CONDITION_FALSE
		if o.notReady {
			status = fnv1.Status_STATUS_CONDITION_TRUE
		}

		rsp.Results = append(rsp.GetResults(), &fnv1.Result{Severity: fnv1.Severity_SEVERITY_WARNING, Message: w, Target: both})
		rsp.Conditions = append(rsp.GetConditions(), &fnv1.Condition{Type: w, Status: status, Target: both})
	}

	return rsp
}

// composite adds readiness and status to the composite.
func (o own) composite(s *fnv1.State) {
	if o.status == nil && !o.notReady {
		return
	}

	if s.GetComposite() == nil {
		s.Composite = &fnv1.Resource{}
	}

	if o.notReady {
		s.Composite.Ready = fnv1.Ready_READY_FALSE
	}

	if o.status == nil {
		return
	}

	if s.GetComposite().GetResource() == nil {
		s.Composite.Resource = &structpb.Struct{}
	}

	if s.GetComposite().GetResource().GetFields() == nil {
		s.Composite.Resource.Fields = map[string]*structpb.Value{}
	}

	merged := map[string]*structpb.Value{}
	maps.Copy(merged, s.GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields())
	maps.Copy(merged, mustStruct(o.status).GetFields())

	s.Composite.Resource.Fields["status"] = structpb.NewStructValue(&structpb.Struct{Fields: merged})
}

func mustStruct(o map[string]any) *structpb.Struct {
	s, err := structpb.NewStruct(o)
	if err != nil {
		panic(err)
	}

	return s
}
