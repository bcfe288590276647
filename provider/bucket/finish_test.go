package bucket

import (
	"context"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

// written remembers the status that was last written.
type written struct {
	client.SubResourceWriter

	reason xpv2.ConditionReason
}

func (w *written) Update(_ context.Context, o client.Object, _ ...client.SubResourceUpdateOption) error {
	if b, ok := o.(*v1beta1.Bucket); ok {
		w.reason = b.GetCondition(xpv2.TypeReady).Reason
	}

	return nil
}

func TestFinishing(t *testing.T) {
	cases := map[string]struct {
		reason     string
		step       step
		conditions []xpv2.Condition
		want       xpv2.ConditionReason // "" if nothing is written
	}{
		"Finished": {
			reason:     "A bucket that was made and has all that the spec declares is available.",
			step:       finished,
			conditions: []xpv2.Condition{xpv2.Creating(), xpv2.ReconcileSuccess()},
			want:       xpv2.ReasonAvailable,
		},
		"Further": {
			reason:     "One that is yet to be set to what the spec declares is not.",
			step:       further,
			conditions: []xpv2.Condition{xpv2.Creating(), xpv2.ReconcileSuccess()},
			want:       xpv2.ReasonCreating,
		},
		"FailedAfter": {
			reason:     "Nor is one whose Secret could not be written.",
			step:       finished,
			conditions: []xpv2.Condition{xpv2.Creating(), xpv2.ReconcileError(errors.New("no Secret"))},
			want:       xpv2.ReasonCreating,
		},
		"Dropped": {
			reason:     "The status of what is gone is of no use.",
			step:       dropped,
			conditions: []xpv2.Condition{xpv2.Deleting(), xpv2.ReconcileSuccess()},
		},
		"DroppedInVain": {
			reason:     "What keeps the finalizer from going is said.",
			step:       dropped,
			conditions: []xpv2.Condition{xpv2.Deleting(), xpv2.ReconcileError(errors.New("no API server"))},
			want:       xpv2.ReasonDeleting,
		},
		"Emptying": {
			reason:     "A bucket that takes more than one step to delete shows it.",
			step:       further,
			conditions: []xpv2.Condition{xpv2.Deleting(), xpv2.ReconcileSuccess()},
			want:       xpv2.ReasonDeleting,
		},
		"Nothing": {
			reason:     "Without a step it is as the reconciler has it.",
			conditions: []xpv2.Condition{xpv2.Available(), xpv2.ReconcileSuccess()},
			want:       xpv2.ReasonAvailable,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := &v1beta1.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "assets"}}
			b.SetConditions(tc.conditions...)
			m := newMemory()
			if tc.step != nowhere {
				m.step(client.ObjectKeyFromObject(b), tc.step)
			}

			to := &written{}
			if err := (finishingWriter{SubResourceWriter: to, memory: m}).Update(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, to.reason); diff != "" {
				t.Errorf("%s\nUpdate(...): Ready written: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
