package e2e

import (
	"fmt"
	"testing"
)

// TestAutoscaling leaves it to Kubernetes' own autoscaler to scale the Echo. There
// are no metrics here; but it brings replicas within its bounds without any.
func TestAutoscaling(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("autoscaling"))
		t.runs("shop", 2)
		t.says("shop", "Autoscaling", "False", "FailedGetResourceMetric", "metrics")

		t.patch("shop", `{"autoscaling":{"minReplicas":4}}`)
		t.runs("shop", 4)

		// The replicas are the autoscaler's, so applying the Echo again, which
		// leaves them out, should not touch them.
		t.kubectl("apply", "-f", example("autoscaling"))
		t.patch("shop", `{"workload":"Deployment","autoscaling":{"minReplicas":2,"maxReplicas":3}}`)
		t.eventually(func() string {
			o := t.get("echo.my-operator.dev", "shop")
			if n, _ := at(o, "spec", "replicas"); fmt.Sprint(n) != "3" {
				return fmt.Sprintf("want the autoscaler to take the Echo from 4 to at most 3 replicas, got %v", n)
			}

			return ""
		})
		t.runs("shop", 3)

		t.kubectl("patch", "echo", "shop", "--type", "json", "-p", `[{"op":"remove","path":"/spec/autoscaling"}]`)
		t.says("shop", "Autoscaling", "False", "NotRequested")
		t.eventually(func() string { return some(t.list("hpa")) })
		t.runs("shop", 3)
	})
}
