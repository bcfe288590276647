package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestExamples applies every example as it stands.
func TestExamples(t *testing.T) {
	// The Echo of an example is "shop" and has one replica, unless it is here.
	names := map[string]string{"echo": "test-echo", "deployment": "front", "environment": "worker"}
	replicas := map[string]int{
		"echo": 3, "deployment": 2, "ports": 2, "probes": 2, "service": 2, "ingress": 2, "autoscaling": 2, "rollout": 4,
		"disruption": 3, "volumes": 2, "scheduling": 2, "restricted": 2, "monitoring": 2, "bucket": 2, "buckets": 2,
	}

	// What a cluster with a cloud would add.
	clouds := map[string]func(t *team){
		"service": (*team).balance,
		"volumes": (*team).disk,
	}

	dirs, err := os.ReadDir(example(""))
	if err != nil {
		t.Fatal(err)
	}

	t.Parallel()

	for _, c := range configurations {
		for _, d := range dirs {
			t.Run(c+"/"+d.Name(), func(t *testing.T) {
				t.Parallel()

				tm, echo, n := newTeam(t, c, "-"+d.Name()), "shop", 1
				if v, ok := names[d.Name()]; ok {
					echo = v
				}

				if v, ok := replicas[d.Name()]; ok {
					n = v
				}

				tm.kubectl("apply", "-f", example(d.Name()))

				if cloud, ok := clouds[d.Name()]; ok {
					cloud(tm)
				}

				tm.runs(echo, n)
			})
		}
	}
}

// balance gives the Service of an Echo an address, as a cloud would.
func (t *team) balance() {
	t.Helper()
	t.eventually(func() string {
		if t.get("service", "shop") == nil {
			return "want a Service"
		}

		return ""
	})

	if s := t.echo("shop"); s.condition("Ready").Status == "True" {
		t.Error("want an Echo whose load balancer has no address not to be ready")
	}

	t.admin("patch", "service", "shop", "--subresource", "status", "--type", "merge", "-p", `{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}`)
}

// disk gives the claim of an Echo's volume a volume, as a storage class would.
func (t *team) disk() {
	t.Helper()

	path := filepath.Join("/srv", t.tenant.Namespace)
	t.admin("apply", "-f", t.file(fmt.Sprintf(`
apiVersion: v1
kind: PersistentVolume
metadata: {name: %s}
spec:
  accessModes: [ReadWriteMany]
  capacity: {storage: 1Gi}
  claimRef: {namespace: %s, name: shop-uploads}
  hostPath: {path: %s}
`, t.tenant.Namespace, t.tenant.Namespace, path)))
}
