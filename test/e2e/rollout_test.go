package e2e

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// workloads are what can run an Echo's Pods.
var workloads = []string{"Pods", "Deployment"}

// TestRollout changes the image while watching that the bounds of the rollout
// hold, under both workloads.
func TestRollout(t *testing.T) {
	cases := map[string]struct {
		rollout     string
		least, most int
	}{
		"Surge":       {rollout: `{"maxSurge":1,"maxUnavailable":0}`, least: 4, most: 5},
		"Unavailable": {rollout: `{"maxSurge":0,"maxUnavailable":"50%"}`, least: 2, most: 4},
		"Default":     {rollout: `null`, least: 3, most: 5},
	}

	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("rollout"))

		// A Deployment bounds the sizes of its ReplicaSets. The Pods of one may
		// be there before those of the other are on their way out.
		slack := map[string]int{"Pods": 0, "Deployment": 2}

		for _, workload := range workloads {
			t.patch("shop", fmt.Sprintf(`{"workload":%q}`, workload))
			t.eventually(func() string { return t.workloadIs("shop", workload, 4) })
			t.runs("shop", 4)

			for name, tc := range cases {
				before := uids(t.livePods("shop"))
				stop := t.watchPods("shop", within(tc.least, tc.most+slack[workload]))

				t.patch("shop", fmt.Sprintf(`{"rollout":%s,"image":"nginx:%s-%s"}`, tc.rollout, workload, name))
				t.eventually(func() string { return remaining(t, before) })
				t.runs("shop", 4)
				stop()
			}
		}
	})
}

// remaining says which of the Pods of before is still there.
func remaining(t *team, before map[string]bool) string {
	for _, p := range t.livePods("shop") {
		if before[fmt.Sprint(uid(p))] {
			return "pod " + name(p) + " is still there"
		}
	}

	return ""
}

// workloadIs says how an Echo is not yet all of one workload. That it runs is not
// enough to know: it does so on the old workload's Pods, too.
func (t *team) workloadIs(echo, workload string, replicas int) string {
	pods, others := t.livePods(echo), 0

	for _, p := range pods {
		owner := metav1.GetControllerOf(&unstructured.Unstructured{Object: p})
		if owner == nil || (owner.Kind == "ReplicaSet") != (workload == "Deployment") {
			others++
		}
	}

	if n := len(t.list("deployments")); (n == 1) != (workload == "Deployment") || len(pods) != replicas || others > 0 {
		return fmt.Sprintf("workload is to be %s: there are %d Deployments, and %d of %d Pods are another workload's", workload, n, others, len(pods))
	}

	return ""
}

// TestSwitchWorkload moves an Echo between workloads, and has it change its mind
// halfway, while watching that it has all of its replicas throughout.
func TestSwitchWorkload(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("ports"))
		t.runs("shop", 2)

		stop := t.watchPods("shop", within(2, 4))

		for _, workload := range []string{"Deployment", "Pods"} {
			before := uids(t.livePods("shop"))

			t.patch("shop", fmt.Sprintf(`{"workload":%q}`, workload))
			t.eventually(func() string { return remaining(t, before) })
			t.runs("shop", 2)
			t.eventually(func() string { return t.workloadIs("shop", workload, 2) })
		}

		t.patch("shop", `{"workload":"Deployment"}`)
		t.patch("shop", `{"workload":"Pods"}`)
		t.patch("shop", `{"workload":"Deployment"}`)
		t.runs("shop", 2)
		t.eventually(func() string {
			if len(t.list("deployments")) != 1 {
				return "want a Deployment"
			}

			return ""
		})
		stop()
	})
}
