package render

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const repository = "../.."

var update = flag.Bool("update", false, "write the golden files")

// served says which kinds the cluster serves beside Kubernetes' own: those of the
// Prometheus operator and of provider-echo.
var served = []string{"--required-schemas", filepath.Join("testdata", "schemas")}

// TestExamples renders every example twice: as it is applied first, and once all
// that it asked for is there. The second needs observed resources; they are what
// the first rendered, with the status that a cluster would give them. An Echo with
// buckets is rendered once more in between: its Pods wait for keys.
func TestExamples(t *testing.T) {
	tools := os.Getenv("ECHO_TOOLS")
	if tools == "" {
		t.Fatal("ECHO_TOOLS must name the directory of the built tools: run make test")
	}

	r, err := Start(t.Context(), tools, repository)
	if err != nil {
		t.Fatal(err)
	}

	t.Cleanup(func() {
		if err := r.Stop(); err != nil {
			t.Error(err)
		}
	})

	examples, err := Examples(repository)
	if err != nil {
		t.Fatal(err)
	}

	for _, e := range examples {
		t.Run(e, func(t *testing.T) {
			first, err := r.Example(t.Context(), e, served...)
			if err != nil {
				t.Fatal(err)
			}

			golden(t, filepath.Join("testdata", e, "first.yaml"), first)

			all := first

			if bytes.Contains(first, []byte("kind: Bucket\n")) {
				keys := filepath.Join("testdata", e, "keys.yaml")
				golden(t, keys, settled(t, first))

				all, err = r.Example(t.Context(), e, append([]string{"--observed-resources", keys}, served...)...)
				if err != nil {
					t.Fatal(err)
				}

				golden(t, filepath.Join("testdata", e, "second.yaml"), all)
			}

			observed := filepath.Join("testdata", e, "observed.yaml")
			golden(t, observed, settled(t, all))

			steady, err := r.Example(t.Context(), e, append([]string{"--observed-resources", observed}, served...)...)
			if err != nil {
				t.Fatal(err)
			}

			golden(t, filepath.Join("testdata", e, "steady.yaml"), steady)

			if want := "isReady: true"; !strings.Contains(string(steady), want) {
				t.Errorf("once all is there, the Echo should say %s", want)
			}
		})
	}
}

// golden compares with a golden file, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()

	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}

		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}

	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: -want, +got (go test ./test/render -update writes it anew):\n%s", path, diff)
	}
}

// statuses are what a cluster would make of each kind, and of the type of Service
// that differs from the others.
var statuses = map[string]string{
	"Pod": `
phase: Running
conditions:
- {type: Ready, status: "True", lastTransitionTime: "2024-01-01T00:00:05Z"}
`,
	"Deployment": `
observedGeneration: 1
conditions:
- {type: Available, status: "True", reason: MinimumReplicasAvailable}
- {type: Progressing, status: "True", reason: NewReplicaSetAvailable}
`,
	"Service": `
loadBalancer: {}
`,
	"LoadBalancer": `
loadBalancer:
  ingress:
  - ip: 192.0.2.1
`,
	"Ingress": `
loadBalancer:
  ingress:
  - ip: 192.0.2.1
`,
	"HorizontalPodAutoscaler": `
currentReplicas: 1
desiredReplicas: 1
conditions:
- {type: AbleToScale, status: "True", reason: ReadyForNewScale}
- {type: ScalingActive, status: "True", reason: ValidMetricFound}
- {type: ScalingLimited, status: "False", reason: DesiredWithinRange}
`,
	"Bucket": `
conditions:
- {type: Synced, status: "True", reason: ReconcileSuccess}
- {type: Ready, status: "True", reason: Available}
`,
	"BucketAccess": `
conditions:
- {type: Synced, status: "True", reason: ReconcileSuccess}
- {type: Ready, status: "True", reason: Available}
atProvider:
  accessKeyID: echo-4jv2k7qpxd-1
`,
	"PodDisruptionBudget": `
conditions:
- {type: DisruptionAllowed, status: "True", reason: SufficientPods}
`,
}

// settled are the composed resources of a rendering, with their status.
func settled(t *testing.T, rendered []byte) []byte {
	t.Helper()

	var out bytes.Buffer

	for _, doc := range bytes.Split(rendered, []byte("---\n"))[2:] {
		o := map[string]any{}
		if err := yaml.Unmarshal(doc, &o); err != nil {
			t.Fatal(err)
		}

		kind, _ := o["kind"].(string)

		if spec, _ := o["spec"].(map[string]any); kind == "Service" && spec["type"] == "LoadBalancer" {
			kind = "LoadBalancer"
		}

		status := map[string]any{}
		if err := yaml.Unmarshal([]byte(statuses[kind]), &status); err != nil {
			t.Fatal(err)
		}

		if kind == "Deployment" {
			replicas := o["spec"].(map[string]any)["replicas"]
			for _, f := range []string{"replicas", "updatedReplicas", "readyReplicas", "availableReplicas"} {
				status[f] = replicas
			}
		}

		metadata, _ := o["metadata"].(map[string]any)
		if annotations, _ := metadata["annotations"].(map[string]any); kind == "Bucket" {
			annotations["crossplane.io/external-name"] = fmt.Sprintf("default-%s-4jv2k7qpxd", metadata["name"])
		}

		metadata["creationTimestamp"] = "2024-01-01T00:00:00Z"
		metadata["generation"] = 1

		if len(status) > 0 {
			o["status"] = status
		}

		b, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}

		out.WriteString("---\n")
		out.Write(b)
	}

	return out.Bytes()
}
