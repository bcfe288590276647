package bucket

import (
	"context"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func TestPrompt(t *testing.T) {
	name := types.NamespacedName{Namespace: "team-a", Name: "assets"}
	again := reconcile.Result{Requeue: true}
	cases := map[string]struct {
		reason string
		step   bool
		inner  reconcile.Result
		err    error
		want   reconcile.Result
	}{
		"Stepped": {reason: "After a step the next one follows soon.", step: true, inner: again, want: reconcile.Result{RequeueAfter: soon}},
		"Failed":  {reason: "What failed waits as long as failures do.", inner: again, want: again},
		"Error":   {reason: "So does what could not even be written down.", step: true, inner: again, err: errors.New("no API server"), want: again},
		"Done":    {reason: "What is done is done.", step: true, inner: reconcile.Result{}, want: reconcile.Result{}},
	}
	for test, tc := range cases {
		t.Run(test, func(t *testing.T) {
			m := newMemory()
			p := prompt{memory: m, inner: reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
				if tc.step {
					m.step(name, further)
				}

				return tc.inner, tc.err
			})}

			got, _ := p.Reconcile(t.Context(), reconcile.Request{NamespacedName: name})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nReconcile(...): -want, +got:\n%s", tc.reason, diff)
			}
			if m.stepped(name) {
				t.Errorf("%s\nA step counts once.", tc.reason)
			}
		})
	}
}
