package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	kjson "sigs.k8s.io/json"
)

// seeds are Structs of all shapes that matter, and what is left of one if it is cut anywhere.
func seeds(f *testing.F) {
	f.Helper()
	pod := encodeAny(f, observedPod())
	f.Add([]byte(pod))
	f.Add([]byte(pod[:len(pod)/2]))
	small := encodeMap(f, map[string]any{
		"n": nil, "t": true, "x": 1.5, "s": "é", "l": []any{1.0, []any{}, map[string]any{}}, "m": map[string]any{"": "b"},
		"metadata": map[string]any{"name": "a", "generation": 3.0, "labels": map[string]any{"a": "b"}, "creationTimestamp": nil},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "c", "resources": map[string]any{"limits": map[string]any{"cpu": 2.0, "memory": "1Gi"}},
			"ports": []any{map[string]any{"containerPort": 80.0}}, "livenessProbe": map[string]any{"httpGet": map[string]any{"port": 80.0}},
		}}},
	})
	for i := range small {
		f.Add([]byte(small[:i]))
	}
	for _, s := range oddStructs {
		f.Add([]byte(s.wire))
	}
}

// entryOf returns a Struct with one entry, whose value is the concatenation of the fields given.
func entryOf(key string, fields ...[]byte) Struct {
	value := bytes.Join(fields, nil)
	e := protowire.AppendString([]byte{tagKey}, key)
	e = protowire.AppendBytes(append(e, tagValue), value)
	return protowire.AppendBytes([]byte{tagFields}, e)
}

func message(tag byte, content []byte) []byte { return protowire.AppendBytes([]byte{tag}, content) }

func join(parts ...Struct) Struct { return bytes.Join(toBytes(parts), nil) }

func toBytes(parts []Struct) [][]byte {
	out := make([][]byte, len(parts))
	for i := range parts {
		out[i] = parts[i]
	}
	return out
}

// FuzzUnmarshal compares decoding into any with the generated code, for any input: whether it is accepted, and what
// it means.
func FuzzUnmarshal(f *testing.F) {
	seeds(f)
	f.Fuzz(compareAny)
}

func compareAny(t *testing.T, b []byte) {
	s := &structpb.Struct{}
	theirs := proto.Unmarshal(b, s)
	got := map[string]any{}
	ours := Unmarshal(b, &got)
	if errors.Is(ours, errTooDeep) {
		return
	}
	if _, ok := errors.AsType[FieldErrors](ours); ok {
		// The only mistake that an any allows. AsMap turns it into a string.
		if theirs != nil || !hasNonFinite(structpb.NewStructValue(s)) {
			t.Fatalf("unexpected mistakes: %v (generated code: %v)", ours, theirs)
		}
		return
	}
	if (ours == nil) != (theirs == nil) {
		t.Fatalf("generated code: %v, ours: %v", theirs, ours)
	}
	if ours != nil {
		return
	}
	if diff := cmp.Diff(s.AsMap(), got); diff != "" {
		t.Fatalf("-generated code, +ours:\n%s", diff)
	}
	// What was read can be written, in the bytes of the generated code if no null gets lost on the way.
	written, err := Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	dropNulls(got)
	if want := encodeMap(t, got); !bytes.Equal(want, written) {
		t.Fatalf("generated code writes\n%x, we write\n%x", want, written)
	}
}

func hasNonFinite(v *structpb.Value) bool {
	switch k := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		return math.IsNaN(k.NumberValue) || math.IsInf(k.NumberValue, 0)
	case *structpb.Value_StructValue:
		for _, v := range k.StructValue.GetFields() {
			if hasNonFinite(v) {
				return true
			}
		}
	case *structpb.Value_ListValue:
		if slices.ContainsFunc(k.ListValue.GetValues(), hasNonFinite) {
			return true
		}
	}
	return false
}

// dropNulls removes the nulls in objects, which Marshal leaves out.
func dropNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e == nil {
				delete(v, k)
			}
			dropNulls(e)
		}
	case []any:
		for _, e := range v {
			dropNulls(e)
		}
	}
}

// FuzzUnmarshalPod compares decoding into a large Kubernetes type with the way through generated code, JSON and the JSON
// decoder of Kubernetes, which too matches names exactly.
func FuzzUnmarshalPod(f *testing.F) {
	seeds(f)
	f.Fuzz(comparePod)
}

func comparePod(t *testing.T, b []byte) {
	var got corev1.Pod
	ours := Unmarshal(b, &got)
	s := &structpb.Struct{}
	if err := proto.Unmarshal(b, s); err != nil || hasNonFinite(structpb.NewStructValue(s)) || hasHugeInteger(s.AsMap()) {
		// We may have skipped what is wrong; all that matters is not to panic.
		return
	}
	text, err := json.Marshal(s.AsMap())
	if err != nil {
		t.Fatal(err)
	}
	var want corev1.Pod
	theirs := kjson.UnmarshalCaseSensitivePreserveInts(text, &want)
	if errors.Is(ours, errTooDeep) {
		return
	}
	if (ours == nil) != (theirs == nil) {
		t.Fatalf("JSON: %v, ours: %v\n%s", theirs, ours, text)
	}
	if ours != nil {
		return
	}
	sameEscapes(t, &want)
	sameEscapes(t, &got)
	if !reflect.DeepEqual(want, got) && !equality.Semantic.DeepEqual(want, got) {
		t.Fatalf("-JSON, +ours:\n%s", cmp.Diff(want, got))
	}
}

// sameEscapes writes anew the JSON that is kept as text, since there are several ways to write a string.
func sameEscapes(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	for i := range pod.ManagedFields {
		fields := pod.ManagedFields[i].FieldsV1
		if fields == nil || fields.Raw == nil {
			continue
		}
		var v any
		if err := json.Unmarshal(fields.Raw, &v); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		fields.Raw = text
	}
}

// hasHugeInteger reports whether v has a number that JSON text may change.
func hasHugeInteger(v any) bool {
	switch v := v.(type) {
	case float64:
		return math.Abs(v) > 1<<53
	case map[string]any:
		for _, e := range v {
			if hasHugeInteger(e) {
				return true
			}
		}
	case []any:
		if slices.ContainsFunc(v, hasHugeInteger) {
			return true
		}
	}
	return false
}

// FuzzMarshal writes any Pod that can be read, and compares it with the JSON of the same Pod. Both lose what is empty
// first; that the right empty things stay is for the table tests.
func FuzzMarshal(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		var pod corev1.Pod
		if err := Unmarshal(b, &pod); err != nil {
			return
		}
		text, err := json.Marshal(&pod)
		if err != nil {
			return // such as a time with a year of five digits
		}
		written, err := Marshal(&pod)
		if err != nil {
			t.Fatal(err)
		}
		s := &structpb.Struct{}
		if err := proto.Unmarshal(written, s); err != nil {
			t.Fatal(err)
		}
		if canonical := encodeProto(t, s); !bytes.Equal(canonical, written) {
			t.Fatalf("not canonical:\nwant %x\ngot  %x", canonical, written)
		}
		got := s.AsMap()
		var want map[string]any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(prune(want), prune(got)); diff != "" {
			t.Fatalf("-JSON, +ours:\n%s", diff)
		}
		// A required field must not get lost, and neither must what was set on purpose.
		var again corev1.Pod
		if err := Unmarshal(written, &again); err != nil {
			t.Fatal(err)
		}
		twice, err := Marshal(&again)
		if err != nil || !bytes.Equal(written, twice) {
			t.Fatalf("does not settle: %v\n%x\n%x", err, written, twice)
		}
	})
}

// prune returns v without what is empty, zero or null, or nil if nothing remains.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			if e = prune(e); e != nil {
				out[k] = e
			}
		}
		if len(out) > 0 {
			return out
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = prune(v[i])
		}
		if len(out) > 0 {
			return out
		}
	case string:
		if v != "" && v != "0" {
			return v
		}
	case float64:
		if v != 0 {
			return v
		}
	case bool:
		if v {
			return v
		}
	}
	return nil
}
