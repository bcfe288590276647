package e2e

import "testing"

// podMonitors is the definition of PodMonitors, as far as an Echo needs it.
const podMonitors = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: podmonitors.monitoring.coreos.com}
spec:
  group: monitoring.coreos.com
  names: {kind: PodMonitor, listKind: PodMonitorList, plural: podmonitors, singular: podmonitor}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// TestMonitoring has the Prometheus operator come to a cluster in which an Echo
// wants to be monitored already.
func TestMonitoring(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("monitoring"))
		t.runs("shop", 2)
		t.says("shop", "Monitoring", "False", "NotServed", "PodMonitor")

		t.admin("apply", "-f", t.file(podMonitors))
		t.eventually(func() string {
			if _, err := t.cp.Kubectl(t.Context(), "get", "--raw", "/openapi/v3/apis/monitoring.coreos.com/v1"); err != nil {
				return err.Error()
			}

			return ""
		})

		// Crossplane keeps what it knows of the kinds that are served until any
		// definition changes, and looks at an Echo again when something of it
		// does.
		t.admin("annotate", "--overwrite", "crd/podmonitors.monitoring.coreos.com", "example.com/published=true")
		t.kubectl("scale", "echo", "shop", "--replicas", "3")
		t.says("shop", "Monitoring", "True", "Ready")

		if m := t.get("podmonitor", "shop"); m == nil {
			t.Error("want a PodMonitor")
		}

		t.runs("shop", 3)
	})
}
