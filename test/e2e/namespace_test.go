package e2e

import (
	"fmt"
	"testing"
)

// TestQuota has a namespace with room for two Pods of three, and makes room for
// the third.
func TestQuota(t *testing.T) {
	forEach(t, func(t *team) {
		t.admin("create", "quota", "team", "--hard=pods=2")

		for _, workload := range workloads {
			t.apply(fmt.Sprintf("apiVersion: my-operator.dev/v1\nkind: Echo\nmetadata: {name: shop}\nspec: {image: a, replicas: 3, workload: %s}", workload))

			s := t.says("shop", "WorkloadReady", "False", "QuotaExceeded", "2/3 replicas ready", "team", "pods")
			if s.Phase != "Degraded" || s.CurrentReplicas != 2 || s.condition("Ready").Status == "True" {
				t.Errorf("want two of three Pods to run, got %+v", s)
			}

			t.admin("patch", "quota", "team", "--type", "merge", "-p", `{"spec":{"hard":{"pods":"3"}}}`)
			t.runs("shop", 3)

			t.kubectl("delete", "echo", "shop")
			t.eventually(func() string { return some(t.list("pods")) })
			t.admin("patch", "quota", "team", "--type", "merge", "-p", `{"spec":{"hard":{"pods":"2"}}}`)
		}
	})
}

// TestRestricted has a namespace that enforces the Pod Security Standard
// "restricted".
func TestRestricted(t *testing.T) {
	forEach(t, func(t *team) {
		t.admin("label", "namespace", t.tenant.Namespace, "pod-security.kubernetes.io/enforce=restricted")

		t.kubectl("apply", "-f", example("restricted"))
		t.runs("shop", 2)
		t.patch("shop", `{"workload":"Deployment"}`)
		t.runs("shop", 2)

		for _, workload := range workloads {
			t.apply(fmt.Sprintf("apiVersion: my-operator.dev/v1\nkind: Echo\nmetadata: {name: baseline}\nspec: {image: a, workload: %s}", workload))
			t.refusedPods("baseline", "restricted")
		}

		t.patch("baseline", `{"security":{"profile":"Restricted"}}`)
		t.runs("baseline", 1)
	})
}

// TestServiceAccountMissing has an Echo whose Pods the API server refuses until
// what they need is there.
func TestServiceAccountMissing(t *testing.T) {
	forEach(t, func(t *team) {
		for _, workload := range workloads {
			t.apply(fmt.Sprintf("apiVersion: my-operator.dev/v1\nkind: Echo\nmetadata: {name: shop}\nspec: {image: a, serviceAccountName: shop, workload: %s}", workload))
			t.refusedPods("shop", `"shop" not found`)
			t.kubectl("create", "serviceaccount", "shop")
			t.runs("shop", 1)
			t.kubectl("delete", "serviceaccount", "shop")
			t.kubectl("delete", "echo", "shop")
			t.eventually(func() string { return some(t.list("pods")) })
		}
	})
}

// refusedPods waits until an Echo says why the API server refuses its Pods.
func (t *team) refusedPods(echo, why string) {
	t.Helper()

	// What an earlier workload said may stand a moment longer.
	t.eventually(func() string {
		s := t.says(echo, "WorkloadReady", "False", "FailedCreate", why)
		if s.Phase != "Degraded" || s.CurrentReplicas != 0 {
			return fmt.Sprintf("want an Echo without Pods, got %+v", s)
		}

		return ""
	})
}
