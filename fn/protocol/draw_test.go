package protocol

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// Few keys, so that the same one comes often.
var keys = rapid.SampledFrom([]string{"", "a", "b", "é", "status"})

func drawValue(r *rapid.T, depth int) *structpb.Value {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}

	switch rapid.IntRange(0, kinds-1).Draw(r, "kind") {
	case 0:
		return structpb.NewNullValue()
	case 1:
		return structpb.NewNumberValue(rapid.SampledFrom([]float64{0, 1, -2.5, 1e300}).Draw(r, "number"))
	case 2:
		return structpb.NewBoolValue(rapid.Bool().Draw(r, "bool"))
	case 3:
		return structpb.NewStringValue(rapid.SampledFrom([]string{"", "x", "日本"}).Draw(r, "text"))
	case 4:
		return structpb.NewStructValue(drawStruct(r, depth-1))
	default:
		l := &structpb.ListValue{}
		for range rapid.IntRange(0, 2).Draw(r, "elements") {
			l.Values = append(l.Values, drawValue(r, depth-1))
		}

		return structpb.NewListValue(l)
	}
}

func drawStruct(r *rapid.T, depth int) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for range rapid.IntRange(0, 3).Draw(r, "fields") {
		s.Fields[keys.Draw(r, "field")] = drawValue(r, depth)
	}

	return unknown(r, s)
}

// drawState draws a State. A status in it is an object, as it is in any that
// Crossplane passes on.
func drawState(r *rapid.T) *fnv1.State {
	s := &fnv1.State{Composite: maybe(r, drawResource), Resources: drawMap(r, drawResource)}

	if f := s.GetComposite().GetResource().GetFields(); f["status"] != nil {
		f["status"] = structpb.NewStructValue(drawStruct(r, 2))
	}

	return unknown(r, s)
}

func drawResource(r *rapid.T) *fnv1.Resource {
	return unknown(r, &fnv1.Resource{
		Resource:          maybe(r, func(r *rapid.T) *structpb.Struct { return drawStruct(r, 2) }),
		ConnectionDetails: rapid.SampledFrom([]map[string][]byte{nil, {"k": []byte("\xff")}}).Draw(r, "connectionDetails"),
		Ready:             fnv1.Ready(rapid.IntRange(0, 2).Draw(r, "ready")),
	})
}

func drawRequest(r *rapid.T) *fnv1.RunFunctionRequest {
	object := func(r *rapid.T) *structpb.Struct { return drawStruct(r, 2) }

	return unknown(r, &fnv1.RunFunctionRequest{
		Meta: maybe(r, func(r *rapid.T) *fnv1.RequestMeta {
			return unknown(r, &fnv1.RequestMeta{
				Tag:          rapid.SampledFrom([]string{"", "t", "other"}).Draw(r, "tag"),
				Capabilities: rapid.SampledFrom([][]fnv1.Capability{nil, {1, 2, 3}}).Draw(r, "capabilities"),
			})
		}),
		Observed:       maybe(r, drawState),
		Desired:        maybe(r, drawState),
		Input:          maybe(r, object),
		Context:        maybe(r, object),
		ExtraResources: drawMap(r, drawItems),
		Credentials: drawMap(r, func(r *rapid.T) *fnv1.Credentials {
			return unknown(r, &fnv1.Credentials{})
		}),
		RequiredResources: drawMap(r, drawItems),
		RequiredSchemas: drawMap(r, func(r *rapid.T) *fnv1.Schema {
			return unknown(r, &fnv1.Schema{OpenapiV3: maybe(r, object)})
		}),
	})
}

func drawItems(r *rapid.T) *fnv1.Resources {
	rs := &fnv1.Resources{}
	for range rapid.IntRange(0, 2).Draw(r, "items") {
		rs.Items = append(rs.Items, drawResource(r))
	}

	return unknown(r, rs)
}

func drawMap[M any](r *rapid.T, draw func(*rapid.T) *M) map[string]*M {
	m := map[string]*M{}
	for range rapid.IntRange(0, 2).Draw(r, "entries") {
		m[keys.Draw(r, "key")] = draw(r)
	}

	return m
}

// maybe draws what may be absent.
func maybe[M any](r *rapid.T, draw func(*rapid.T) *M) *M {
	if rapid.IntRange(0, 3).Draw(r, "absent") == 0 {
		return nil
	}

	return draw(r)
}

// unknown adds fields that no version of the protocol has yet, or that have
// another type there.
func unknown[M proto.Message](r *rapid.T, m M) M {
	if rapid.IntRange(0, 5).Draw(r, "known") != 0 {
		return m
	}

	b := protowire.AppendVarint(protowire.AppendTag(nil, 100, protowire.VarintType), 7)
	b = protowire.AppendString(protowire.AppendTag(b, 101, protowire.BytesType), "\xff")
	b = protowire.AppendFixed32(protowire.AppendTag(b, 2, protowire.Fixed32Type), 7)
	b = protowire.AppendTag(protowire.AppendTag(b, 3, protowire.StartGroupType), 3, protowire.EndGroupType)
	m.ProtoReflect().SetUnknown(b)

	return m
}
