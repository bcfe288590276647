package provider

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestEchoUnheard has an Echo changed while Crossplane hears nothing of it: so much
// has happened to its bucket that Crossplane's circuit breaker has opened, and drops
// the change. These tests run Crossplane with the limits that it comes with.
func TestEchoUnheard(t *testing.T) {
	forEach(t, func(t *team) {
		t.must(nil, installEchoes())
		echo := newEcho(t.tenant.Namespace, t.composition(t.config.Name))
		t.apply(echo)
		t.echoSays(echo, "Ready", metav1.ConditionTrue, "")
		t.calm(echo, "ReconcileError")

		b := &bucket{ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: "shop-assets"}}
		updates := 0
		t.eventually(func() string {
			for range 60 { // Two of 100 tokens each.
				updates++
				patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"example.org/updates":"%d"}}}`, updates)
				t.must(nil, root.Patch(t.Context(), b, client.RawPatch(types.MergePatchType, patch)))
			}

			return t.echoFails(echo, "Responsive", metav1.ConditionFalse, "")
		})

		change(t, echo, func(e *unstructured.Unstructured) {
			t.must(nil, unstructured.SetNestedField(e.Object, int64(3), "spec", "replicas"))
		})
		t.echoSays(echo, "WorkloadReady", metav1.ConditionTrue, "3/3 replicas ready")
		t.echoSays(echo, "Ready", metav1.ConditionTrue, "")

		if n := len(t.pods()); n != 3 {
			t.Errorf("want 3 Pods, got %d", n)
		}

		// It was open all the while.
		if wrong := t.echoFails(echo, "Responsive", metav1.ConditionFalse, ""); wrong != "" {
			t.Error(wrong)
		}
	})
}

// calm fails the test if an Echo has had a warning with a reason: what is merely on
// its way is none.
func (t *team) calm(echo *unstructured.Unstructured, reason string) {
	t.Helper()

	events := &corev1.EventList{}
	t.must(nil, root.List(t.Context(), events, client.InNamespace(echo.GetNamespace())))
	for _, e := range events.Items {
		if e.InvolvedObject.Kind == "Echo" && e.Type == corev1.EventTypeWarning && e.Reason == reason {
			t.Errorf("a warning without cause: %s", e.Message)
		}
	}
}
