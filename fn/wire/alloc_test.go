//go:build !race

// Under the race detector a sync.Pool forgets at random, so the counts would be those of the detector.

package wire

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestUnmarshalAllocations holds the price of looking at a Pod: one for each string, one for the conditions and two
// for the labels.
func TestUnmarshalAllocations(t *testing.T) {
	pod := encodeAny(t, observedPod())
	cases := map[string]struct {
		reason string
		into   func() any
		want   float64
	}{
		"View":    {"2 strings, a map of 3 keys and 3 values, a list of 5 pairs, and the view itself.", func() any { return new(podView) }, 22},
		"Nothing": {"What is not looked at costs nothing.", func() any { return new(struct{}) }, 0},
		"Raw": {"Nor does what is kept as it is.", func() any {
			return new(struct {
				Spec Struct `json:"spec"`
			})
		}, 1},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			got := testing.AllocsPerRun(100, func() {
				if err := Unmarshal(pod, tc.into()); err != nil {
					t.Fatal(err)
				}
			})
			if got > tc.want {
				t.Errorf("\n%s\nUnmarshal(...): want %v allocations at most, got %v", tc.reason, tc.want, got)
			}
		})
	}
}

// TestMarshalAllocations shows that writing allocates only in types with MarshalJSON, once the target is large enough.
func TestMarshalAllocations(t *testing.T) {
	plain := desiredPod()
	plain.Spec.Containers[0].Resources, plain.Spec.Containers[0].ReadinessProbe = corev1.ResourceRequirements{}, nil
	cases := map[string]struct {
		reason string
		in     any
		want   float64
	}{
		"Pod":    {"A Pod has none once the quantities and the probe's port are gone.", plain, 0},
		"All":    {"These cost 5: two quantities, and a port.", desiredPod(), 5},
		"Any":    {"Nothing is gained from a type.", map[string]any{"a": []any{1.0, "b", true, map[string]any{"c": "d"}}}, 0},
		"Secret": {"Maps of other types are free too.", &corev1.Secret{Data: map[string][]byte{"a": []byte("x"), "b": []byte("y")}}, 0},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			var out []byte
			got := testing.AllocsPerRun(100, func() {
				var err error
				if out, err = Append(out[:0], tc.in); err != nil {
					t.Fatal(err)
				}
			})
			if got > tc.want {
				t.Errorf("\n%s\nAppend(...): want %v allocations at most, got %v", tc.reason, tc.want, got)
			}
		})
	}
}
