package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestDisruption evicts Pods as a node that is drained does. A budget holds only
// if Kubernetes finds out how many Pods there should be.
func TestDisruption(t *testing.T) {
	cases := []struct {
		reason     string
		disruption string
		healthy    int
	}{
		{reason: "Without a word, one Pod may be evicted.", disruption: `null`, healthy: 2},
		{reason: "A number is how many have to stay.", disruption: `{"minAvailable":1}`, healthy: 1},
		{reason: "A percentage is rounded up.", disruption: `{"minAvailable":"50%"}`, healthy: 2},
		{reason: "If all have to stay, none may be evicted.", disruption: `{"minAvailable":3}`, healthy: 3},
	}

	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("disruption"))

		for _, workload := range workloads {
			t.patch("shop", fmt.Sprintf(`{"workload":%q}`, workload))

			for _, tc := range cases {
				t.patch("shop", `{"disruption":`+tc.disruption+`}`)
				t.runs("shop", 3)
				t.budget(tc.reason, 3, tc.healthy)

				err := t.evict(name(t.livePods("shop")[0]))
				if refused := err != nil && strings.Contains(err.Error(), "disruption budget"); refused != (tc.healthy == 3) {
					t.Errorf("%s: %s: %s: eviction: %v", workload, tc.disruption, tc.reason, err)
				}
			}
		}

		t.runs("shop", 3)
		t.kubectl("scale", "echo", "shop", "--replicas", "1")
		t.patch("shop", `{"disruption":null}`)
		t.eventually(func() string { return some(t.list("pdb")) })
	})
}

// budget waits until Kubernetes knows how many Pods there should be, and how many
// have to stay.
func (t *team) budget(reason string, expected, healthy int) {
	t.Helper()
	t.eventually(func() string {
		b := t.get("pdb", "shop")

		got := fmt.Sprint(b["status"])
		for field, want := range map[string]int{"expectedPods": expected, "desiredHealthy": healthy, "disruptionsAllowed": expected - healthy} {
			if n, _ := at(b, "status", field); fmt.Sprint(n) != strconv.Itoa(want) {
				return fmt.Sprintf("%s: want %s %d, status is %s", reason, field, want, got)
			}
		}

		return ""
	})
}

// evict evicts a Pod, unless a budget is in the way.
func (t *team) evict(pod string) error {
	t.Helper()

	doc := t.file(fmt.Sprintf(`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":%q,"namespace":%q}}`, pod, t.tenant.Namespace))
	_, err := t.cp.Kubectl(t.Context(), "create", "--raw", fmt.Sprintf("/api/v1/namespaces/%s/pods/%s/eviction", t.tenant.Namespace, pod), "-f", doc)

	return err
}
