package wire

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// inlining has a field that encoding/json would not inline.
type inlining struct {
	Named inner `json:",inline"`
}

func TestUnmarshalReplacedMistakes(t *testing.T) {
	cases := map[string]struct {
		reason string
		wire   Struct
		into   any
		want   any
	}{
		"Field": {"A replaced field cannot be wrong.", join(entryOf("a", one), entryOf("a", str("x"))), &inner{}, &inner{A: "x"}},
		"Entry": {"Nor can a replaced entry.", join(entryOf("a", one), entryOf("a", str("x"))), &map[string]string{}, &map[string]string{"a": "x"}},
		"Typed": {"Of any map.", join(entryOf("a", str("x")), entryOf("b", null), entryOf("a", null)), &map[string]int{}, &map[string]int{"a": 0, "b": 0}},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			if err := Unmarshal(tc.wire, tc.into); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, tc.into); diff != "" {
				t.Errorf("\n%s\nUnmarshal(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnmarshalStrict(t *testing.T) {
	in := encodeMap(t, map[string]any{"bool": true, "color": "x", "ptr": map[string]any{"a": "b", "d": 1.0}, "any": map[string]any{"z": 1.0}})
	var got everything
	err := UnmarshalStrict(in, &got)
	want := FieldErrors{{Path: "color", Problem: "unknown field"}, {Path: "ptr.d", Problem: "unknown field"}}
	if diff := cmp.Diff(want, err); diff != "" {
		t.Errorf("UnmarshalStrict(...): -want, +got:\n%s", diff)
	}
	if !got.Bool || (*got.Ptr).A != "b" {
		t.Error("UnmarshalStrict(...): the other fields are not filled")
	}
}

func TestUnmarshalTargets(t *testing.T) {
	in := encodeMap(t, map[string]any{"a": "x"})
	held := map[string]string{"b": "y"}
	cases := map[string]struct {
		reason string
		into   any
		want   any
		bad    bool
	}{
		"Struct":     {"A pointer to a struct keeps what is not on the wire.", &inner{B: new(int)}, &inner{A: "x", B: new(int)}, false},
		"Inline":     {"A named field is inlined if its tag says so.", new(inlining), &inlining{Named: inner{A: "x"}}, false},
		"Map":        {"A map is added to.", held, map[string]string{"a": "x", "b": "y"}, false},
		"NilMap":     {"A map is made.", new(map[name]any), &map[name]any{"a": "x"}, false},
		"Any":        {"An any becomes a map.", new(any), new(any(map[string]any{"a": "x"})), false},
		"Value":      {"Even the whole can be kept as it is.", new(Value), new(Value(message(tagStruct, in))), false},
		"RawStruct":  {"Or as a Struct.", new(Struct), new(in), false},
		"NotPointer": {"A copy would be lost.", inner{}, inner{}, true},
		"NilPointer": {"Nothing can be filled.", (*inner)(nil), (*inner)(nil), true},
		"Nil":        {"Nothing at all.", nil, nil, true},
		"Number":     {"An object is no number.", new(int), new(int), true},
		"Array":      {"Arrays are not supported.", new([2]int), new([2]int), true},
		"IntKeys":    {"Nor are other keys.", new(map[int]string), new(map[int]string), true},
		"Option": {"Nor is the option string.", &struct {
			A int `json:"a,string"`
		}{}, &struct {
			A int `json:"a,string"`
		}{}, true},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			err := Unmarshal(in, tc.into)
			if (err != nil) != tc.bad {
				t.Errorf("\n%s\nUnmarshal(...): error %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, tc.into); diff != "" {
				t.Errorf("\n%s\nUnmarshal(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRaw keeps parts of an object as bytes and writes them back.
func TestRaw(t *testing.T) {
	type object struct {
		Null   Value            `json:"null"`
		Number *Value           `json:"number"`
		Spec   Struct           `json:"spec"`
		Unset  Value            `json:"unset"`
		Absent Struct           `json:"absent"`
		List   []Value          `json:"list"`
		Map    map[string]Value `json:"map"`
	}
	in := encodeMap(t, map[string]any{
		"null": nil, "number": 1.5, "spec": map[string]any{"a": []any{map[string]any{}}},
		"list": []any{nil, "x", map[string]any{}}, "map": map[string]any{"k": true},
	})
	var o object
	if err := Unmarshal(in, &o); err != nil {
		t.Fatal(err)
	}
	if o.Unset != nil || o.Absent != nil || cap(o.Spec) != len(o.Spec) {
		t.Errorf("Unmarshal(...): got %v", o)
	}
	out, err := Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Errorf("Marshal(...): -want, +got:\n%s", diff)
	}
	if err := Unmarshal(entryOf("spec", str("x")), &o); err == nil {
		t.Error("Unmarshal(...): a string is no Struct")
	}
}

// TestConcurrent has many goroutines meet types for the first time. It is for the race detector.
func TestConcurrent(t *testing.T) {
	pod := encodeAny(t, observedPod())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var p corev1.Pod
			if err := Unmarshal(pod, &p); err != nil {
				t.Error(err)
			}
			if _, err := Marshal(&p); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
