package protocol

import (
	"math"
	"strings"
	"testing"

	"my-operator.dev/echo/fn/composition"
)

func TestEncodeRefuses(t *testing.T) {
	cases := map[string]struct {
		reason   string
		response *composition.Response
		want     string
	}{
		"Resource": {
			reason:   "A number that JSON does not have cannot be applied, and its key and field say where it came from.",
			response: &composition.Response{Resources: map[string]composition.Resource{"pod-0": {Object: map[string]any{"spec": math.NaN()}}}},
			want:     `cannot write composed resource "pod-0": cannot encode map[string]interface {} as a Struct: spec: `,
		},
		"ResourceNil": {
			reason:   "A resource without an object is a mistake of ours.",
			response: &composition.Response{Resources: map[string]composition.Resource{"pod-0": {}}},
			want:     `cannot write composed resource "pod-0": `,
		},
		"Status": {
			reason:   "A status that does not encode should be told from a resource that does not.",
			response: &composition.Response{Status: map[string]any{"message": "\xff"}},
			want:     "cannot write the composite's status: ",
		},
		"StatusNoObject": {
			reason:   "A status is an object.",
			response: &composition.Response{Status: "ready"},
			want:     "cannot write the composite's status: ",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := Encode(&Envelope{}, tc.response)
			if b != nil || err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("\n%s\nwant no bytes and an error with: %s\ngot %d bytes, %v", tc.reason, tc.want, len(b), err)
			}
		})
	}
}

// TestEncodeLimit shows that an answer may be as large as core accepts, and no
// larger.
func TestEncodeLimit(t *testing.T) {
	sized := func(n int) ([]byte, error) {
		return Encode(&Envelope{}, &composition.Response{Events: []composition.Event{{Message: strings.Repeat("x", n)}}})
	}

	// A length of this size takes the same bytes wherever it is near the limit.
	near, err := sized(MaxResponse - 100)
	if err != nil {
		t.Fatal(err)
	}

	fits := MaxResponse - (len(near) - (MaxResponse - 100))

	if b, err := sized(fits); err != nil || len(b) != MaxResponse {
		t.Errorf("want %d bytes, got %d, %v", MaxResponse, len(b), err)
	}

	if b, err := sized(fits + 1); b != nil || err == nil || !strings.Contains(err.Error(), "the answer takes 4194305 bytes, and Crossplane accepts at most 4194304") {
		t.Errorf("one byte more should be refused, got %d bytes, %v", len(b), err)
	}
}
