package wire

import (
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	corev1 "k8s.io/api/core/v1"
)

// BenchmarkUnmarshalPod reads name, labels, phase and conditions of a Pod as an API server returns it. The second way
// is the usual one.
func BenchmarkUnmarshalPod(b *testing.B) {
	pod := encodeAny(b, observedPod())
	b.Run("wire", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v podView
			if err := Unmarshal(pod, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("wire/any", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := Unmarshal(pod, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("wire/Pod", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v corev1.Pod
			if err := Unmarshal(pod, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("structpb", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s structpb.Struct
			if err := proto.Unmarshal(pod, &s); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("structpb+JSON", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var s structpb.Struct
			if err := proto.Unmarshal(pod, &s); err != nil {
				b.Fatal(err)
			}
			text, err := protojson.Marshal(&s)
			if err != nil {
				b.Fatal(err)
			}
			var v podView
			if err := json.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMarshalPod writes a Pod as a function composes it. The second way is the usual one.
func BenchmarkMarshalPod(b *testing.B) {
	pod := desiredPod()
	b.Run("wire", func(b *testing.B) {
		b.ReportAllocs()
		var out []byte
		for b.Loop() {
			var err error
			if out, err = Append(out[:0], pod); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(out)))
	})
	b.Run("structpb+JSON", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			text, err := json.Marshal(pod)
			if err != nil {
				b.Fatal(err)
			}
			var s structpb.Struct
			if err := protojson.Unmarshal(text, &s); err != nil {
				b.Fatal(err)
			}
			if _, err := proto.Marshal(&s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
