package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestForeignService shows that a Service that was there before stays as it is,
// and that the tenant is told; and that the Echo gets its own once the name is
// free.
func TestForeignService(t *testing.T) {
	forEach(t, func(t *team) {
		t.apply("apiVersion: v1\nkind: Service\nmetadata: {name: shop}\nspec: {selector: {app: other}, ports: [{port: 7}]}")

		before := t.get("service", "shop")

		t.kubectl("apply", "-f", example("ports"))
		t.eventually(func() string {
			s := t.echo("shop")
			if c := s.condition("Accepted"); c.Status != "False" || c.Reason != "NameTaken" || !strings.Contains(c.Message, `Service "shop"`) {
				return fmt.Sprintf("want the Echo to say that the name is taken, got %+v", c)
			}

			if s.condition("Ready").Status == "True" || s.ReadyReplicas != 2 {
				return fmt.Sprintf("want the Pods to run and the Echo not to be ready, got %+v", s)
			}

			return ""
		})

		if diff := cmp.Diff(before, t.get("service", "shop")); diff != "" {
			t.Errorf("the Service should be untouched: -before, +after:\n%s", diff)
		}

		t.kubectl("delete", "service", "shop")
		t.runs("shop", 2)
		t.eventually(func() string {
			if s := t.echo("shop"); s.Address != "shop."+t.tenant.Namespace+".svc:8080" {
				return "want the address of the Service, got " + s.Address
			}

			return ""
		})
	})
}

// TestForeignNames shows the same of all else that an Echo is made of and that
// carries a name which the tenant can see.
func TestForeignNames(t *testing.T) {
	const foreign = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: other}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: shop}
spec: {minAvailable: 1, selector: {matchLabels: {app: other}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop}
spec: {defaultBackend: {service: {name: other, port: {number: 80}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 0
  selector: {matchLabels: {app: other}}
  template: {metadata: {labels: {app: other}}, spec: {containers: [{name: other, image: other}]}}
`

	kinds := []string{"HorizontalPodAutoscaler", "PodDisruptionBudget", "Ingress", "Deployment"}

	forEach(t, func(t *team) {
		t.apply(foreign)

		before := map[string]any{}
		for _, kind := range kinds {
			before[kind] = essence(t.get(kind, "shop"))
		}

		t.apply(`
apiVersion: my-operator.dev/v1
kind: Echo
metadata: {name: shop}
spec:
  image: nginx:1.21
  workload: Deployment
  ports: [{port: 80}]
  ingress: {host: shop.example.com}
  autoscaling: {maxReplicas: 3}
  disruption: {minAvailable: 1}
`)

		words := make([]string, 0, len(kinds))
		for _, kind := range kinds {
			words = append(words, kind+` "shop"`)
		}

		t.says("shop", "Accepted", "False", "NameTaken", words...)

		for _, kind := range kinds {
			if diff := cmp.Diff(before[kind], essence(t.get(kind, "shop"))); diff != "" {
				t.Errorf("the %s should be untouched: -before, +after:\n%s", kind, diff)
			}
		}

		t.kubectl("delete", "hpa,pdb,ingress,deployment", "shop")
		t.runs("shop", 1)
		t.says("shop", "Accepted", "True", "Accepted")
	})
}

// TestForeignFiles shows the same of the ConfigMap of an Echo's files, whose name
// is the Echo's and a hash.
func TestForeignFiles(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("files"))
		t.runs("shop", 1)

		var files string

		for _, m := range t.list("configmaps", "-l", "my-operator.dev/echo=shop") {
			files = name(m)
		}

		t.kubectl("delete", "echo", "shop")
		t.eventually(func() string { return some(t.list("configmaps", "-l", "my-operator.dev/echo=shop")) })
		t.kubectl("create", "configmap", files, "--from-literal=whose=other")

		before := t.get("configmap", files)

		t.kubectl("apply", "-f", example("files"))
		t.says("shop", "Accepted", "False", "NameTaken", fmt.Sprintf("ConfigMap %q", files))

		t.kubectl("delete", "echo", "shop")
		t.eventually(func() string { return some(t.list("pods")) })

		if diff := cmp.Diff(before, t.get("configmap", files)); diff != "" {
			t.Errorf("the ConfigMap should be untouched, and outlive the Echo: -before, +after:\n%s", diff)
		}
	})
}

// essence is an object without what its own controller writes.
func essence(o map[string]any) map[string]any {
	e := map[string]any{"spec": o["spec"]}

	for _, field := range []string{"uid", "labels", "ownerReferences", "generation"} {
		e[field], _ = at(o, "metadata", field)
	}

	return e
}
