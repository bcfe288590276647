package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestUnschedulable has an Echo whose Pods fit no node.
func TestUnschedulable(t *testing.T) {
	forEach(t, func(t *team) {
		for _, workload := range workloads {
			t.apply(fmt.Sprintf("apiVersion: my-operator.dev/v1\nkind: Echo\nmetadata: {name: shop}\nspec: {image: a, workload: %s, scheduling: {nodeSelector: {example.com/disk: fast}}}", workload))
			t.says("shop", "WorkloadReady", "False", "Unschedulable", "0/1 replicas ready: pod ", "nodes are available")
			t.patch("shop", `{"scheduling":null}`)
			t.runs("shop", 1)
			t.kubectl("delete", "echo", "shop")
			t.eventually(func() string { return some(t.list("pods")) })
		}
	})
}

// waiting is the status that a kubelet gives a Pod whose container is waiting.
const waiting = `{"status":{
	"phase":"Pending",
	"conditions":[{"type":"Ready","status":"False","reason":"ContainersNotReady"}],
	"containerStatuses":[{
		"name":"echo","image":"a","imageID":"","ready":false,"restartCount":%d,
		"state":{"waiting":{"reason":%q}},"lastState":%s
	}]
}}`

// TestPodFails puts an Echo on a node that nobody plays the kubelet of, but the
// test.
func TestPodFails(t *testing.T) {
	forEach(t, func(t *team) {
		t.bareNode()
		t.apply(fmt.Sprintf(`
apiVersion: my-operator.dev/v1
kind: Echo
metadata: {name: shop}
spec:
  image: a
  scheduling:
    nodeSelector: {example.com/team: %s}
    tolerations: [{operator: Exists}]
`, t.tenant.Namespace))

		pod := t.boundPod("shop")

		for i, reason := range []string{"ErrImagePull", "ImagePullBackOff", "ErrImagePull", "ImagePullBackOff"} {
			t.kubelet(pod, fmt.Sprintf(waiting, i, reason, "{}"))
			t.says("shop", "WorkloadReady", "False", "ImagePullBackOff", "0/1 replicas ready: pod "+pod, "cannot pull its image")
		}

		t.kubelet(pod, fmt.Sprintf(waiting, 3, "CrashLoopBackOff", `{"terminated":{"exitCode":137,"reason":"OOMKilled"}}`))

		s := t.says("shop", "WorkloadReady", "False", "CrashLoopBackOff", "pod "+pod, "exit code 137 (OOMKilled)")
		if s.Phase != "Degraded" {
			t.Errorf("want phase Degraded, got %+v", s)
		}

		t.kubelet(pod, `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":null}}`)
		t.runs("shop", 1)

		// That there is no event but at a turn is for the model to find out: of one
		// object Crossplane records no more than 25 events in a row.
		for _, reason := range []string{"ImagePullBackOff", "CrashLoopBackOff", "Ready"} {
			t.told("shop", reason)
		}
	})
}

// bareNode makes a node that only Pods with a toleration for it are put on, and
// that no kubelet looks after.
func (t *team) bareNode() {
	t.Helper()

	name := "bare-" + t.tenant.Namespace
	t.admin("apply", "-f", t.file(fmt.Sprintf(`
apiVersion: v1
kind: Node
metadata: {name: %s, labels: {example.com/team: %s}}
spec: {taints: [{key: example.com/team, effect: NoSchedule}]}
`, name, t.tenant.Namespace)))
	t.admin("patch", "node", name, "--subresource", "status", "--type", "merge", "-p",
		`{"status":{"allocatable":{"cpu":"4","memory":"4Gi","pods":"10"},"capacity":{"cpu":"4","memory":"4Gi","pods":"10"}}}`)

	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()

		if _, err := t.cp.Kubectl(ctx, "delete", "node", name); err != nil {
			t.Error(err)
		}
	})
}

// boundPod waits until the only Pod of an Echo is bound to a node.
func (t *team) boundPod(echo string) string {
	t.Helper()

	var pod string

	t.eventually(func() string {
		for _, p := range t.list("pods", "-l", "my-operator.dev/echo="+echo) {
			if _, bound := at(p, "spec", "nodeName"); bound {
				pod = name(p)
				return ""
			}
		}

		return "no Pod is bound to a node"
	})

	return pod
}

// kubelet sets the status of a Pod.
func (t *team) kubelet(pod, status string) {
	t.Helper()
	t.admin("patch", "pod", pod, "--subresource", "status", "--type", "merge", "-p", status)
}

// told waits until a turn of the tenant's Echo was an event, of which the tenant sees
// one line.
func (t *team) told(echo, reason string) {
	t.Helper()
	t.eventually(func() string {
		events := t.list("events", "--field-selector", "involvedObject.kind=Echo,involvedObject.name="+echo+",reason="+reason)
		if len(events) != 1 {
			return fmt.Sprintf("want an event %s on the Echo, got %d", reason, len(events))
		}

		return ""
	})
}
