package wire

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// A writer makes messages that are well formed but that no encoder writes. Mutated bytes, as a fuzzer makes them,
// rarely have lengths that fit.
type writer struct{ *rand.Rand }

// podKeys are names that lead deep into a Pod.
var podKeys = []string{
	"metadata", "name", "labels", "annotations", "ownerReferences", "creationTimestamp", "spec", "containers", "image", "ports",
	"containerPort", "resources", "limits", "cpu", "replicas", "status", "conditions", "phase", "managedFields", "fieldsV1", "a", "",
}

func (w writer) structure(depth int) []byte {
	var b []byte
	for range w.IntN(5) {
		b = w.noise(b)
		b = append(b, message(tagFields, w.entry(depth))...)
	}
	return b
}

func (w writer) entry(depth int) []byte {
	var b []byte
	for i := w.often(); i > 0; i-- {
		b = append(w.noise(b), message(tagKey, []byte(podKeys[w.IntN(len(podKeys))]))...)
	}
	for i := w.often(); i > 0; i-- {
		b = append(w.noise(b), message(tagValue, w.value(depth))...)
	}
	return b
}

// often returns mostly 1.
func (w writer) often() int { return []int{1, 1, 1, 1, 1, 1, 1, 0, 2, 3}[w.IntN(10)] }

func (w writer) value(depth int) []byte {
	var b []byte
	for i := w.often(); i > 0; i-- {
		b = w.noise(b)
		kind := w.IntN(8)
		if depth == 0 {
			kind = w.IntN(4)
		}
		switch kind {
		case 0:
			b = append(b, tagNull, byte(w.IntN(2)))
		case 1:
			b = appendNumber(b, float64(w.IntN(100))/float64(1+w.IntN(2)))
		case 2:
			b = append(b, str([]string{"", "x", "2026-01-02T03:04:05Z", "100m", "ä\n\"<"}[w.IntN(5)])...)
		case 3:
			b = append(b, tagBool, byte(w.IntN(2)))
		case 4, 5:
			var values [][]byte
			for range w.IntN(4) {
				values = append(values, w.value(depth-1))
			}
			b = append(b, list(values...)...)
		default:
			b = append(b, message(tagStruct, w.structure(depth-1))...)
		}
	}
	return b
}

// noise sometimes appends a field that nobody knows, or one of the wrong wire type, and rarely something broken.
func (w writer) noise(b []byte) []byte {
	num := protowire.Number(1 + w.IntN(7))
	switch w.IntN(60) {
	case 0:
		return protowire.AppendFixed32(protowire.AppendTag(b, num, protowire.Fixed32Type), 7)
	case 1:
		return protowire.AppendBytes(protowire.AppendTag(b, num+6, protowire.BytesType), []byte("noise"))
	case 2:
		b = protowire.AppendTag(b, num, protowire.StartGroupType)
		b = protowire.AppendVarint(protowire.AppendTag(b, 1, protowire.VarintType), 7)
		return protowire.AppendTag(b, num, protowire.EndGroupType)
	case 3:
		return protowire.AppendVarint(protowire.AppendTag(b, num+6, protowire.VarintType), 1<<40)
	case 4:
		if w.IntN(20) == 0 {
			return append(b, str("\xff")...)
		}
		if w.IntN(20) == 0 {
			return append(b, tagString, 200)
		}
	}
	return b
}

// TestRandom compares with the generated code what thousands of odd messages mean.
func TestRandom(t *testing.T) {
	for seed := range uint64(5000) {
		w := writer{rand.New(rand.NewPCG(seed, 0))}
		b := w.structure(8)
		compareAny(t, b)
		comparePod(t, b)
		if t.Failed() {
			t.Fatalf("with seed %d: %x", seed, b)
		}
	}
}
