package composition

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFatal(t *testing.T) {
	err := errors.New("cannot read the composite")
	accepted := Condition{Type: "Accepted", Reason: "InvalidSpec", Message: "spec.image: must not be empty"}

	cases := map[string]struct {
		reason     string
		conditions []Condition
		want       *Response
	}{
		"ErrorAlone": {
			reason: "A fatal response should say nothing of resources, or what exists is deleted.",
			want:   &Response{Fatal: err},
		},
		"WithConditions": {
			reason:     "A condition that is left out of a fatal response turns Unknown, so some have to be sent.",
			conditions: []Condition{accepted},
			want:       &Response{Fatal: err, Conditions: []Condition{accepted}},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Fatal(err, tc.conditions...), cmpopts.EquateErrors()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
