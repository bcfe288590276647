package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func TestCanonical(t *testing.T) {
	s, err := structpb.NewStruct(map[string]any{
		"b": 1, "a": "x", "c": nil, "d": map[string]any{"z": true, "y": []any{nil, "", map[string]any{"q": nil}}},
	})
	if err != nil {
		t.Fatal(err)
	}

	want, err := structpb.NewStruct(map[string]any{
		"a": "x", "b": 1, "d": map[string]any{"y": []any{nil, "", map[string]any{}}, "z": true},
	})
	if err != nil {
		t.Fatal(err)
	}

	ordered, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}

	// Generated code encodes maps in an order that differs from call to call.
	for range 20 {
		b, err := proto.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}

		got, err := Struct(b).Canonical()
		if err != nil {
			t.Fatal(err)
		}

		if diff := cmp.Diff(ordered, []byte(got)); diff != "" {
			t.Fatalf("objects that mean the same should be the same bytes: -want, +got:\n%s", diff)
		}
	}
}

func TestCanonicalMalformed(t *testing.T) {
	if _, err := (Struct{tagFields, 5}).Canonical(); err == nil {
		t.Error("an object that is cut off should be an error")
	}
}
