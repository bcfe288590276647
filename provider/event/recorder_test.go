package event

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

type recorded struct{ messages *[]string }

func (r recorded) Event(_ runtime.Object, e event.Event) {
	*r.messages = append(*r.messages, e.Message)
}
func (r recorded) WithAnnotations(_ ...string) event.Recorder { return r }

func TestOnTransitions(t *testing.T) {
	down := errors.New("the server cannot be reached")
	cases := map[string]struct {
		reason string
		before []xpv2.Condition
		event  event.Event
		want   []string
	}{
		"First": {
			reason: "A resource that has no conditions yet has said nothing.",
			event:  event.Warning("CannotObserve", down),
			want:   []string{down.Error()},
		},
		"FromWell": {
			reason: "What was well and is not any more is news.",
			before: []xpv2.Condition{xpv2.ReconcileSuccess()},
			event:  event.Warning("CannotObserve", down),
			want:   []string{down.Error()},
		},
		"Again": {
			reason: "What was said before is not said again, though the condition puts more before it.",
			before: []xpv2.Condition{xpv2.ReconcileError(errors.Wrap(down, "observe failed"))},
			event:  event.Warning("CannotObserve", down),
		},
		"Otherwise": {
			reason: "Another fault is news.",
			before: []xpv2.Condition{xpv2.ReconcileError(errors.New("observe failed: no credentials"))},
			event:  event.Warning("CannotObserve", down),
			want:   []string{down.Error()},
		},
		"Conflict": {
			reason: "A conflict passes by itself.",
			event:  event.Warning("CannotUpdate", errors.New("Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again")),
		},
		"Normal": {
			reason: "What is no warning is always recorded.",
			before: []xpv2.Condition{xpv2.ReconcileError(errors.New("made"))},
			event:  event.Normal("Created", "made"),
			want:   []string{"made"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := &v1beta1.Bucket{}
			b.SetConditions(tc.before...)

			var got []string
			OnTransitions(recorded{&got}).WithAnnotations("external-name", "x").Event(b, tc.event)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nEvent(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
