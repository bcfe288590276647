package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOriginal(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("echo"))
		t.runs("test-echo", 3)

		s := t.echo("test-echo")
		if s.Phase != "Running" || s.LabelSelector != "my-operator.dev/echo=test-echo" {
			t.Errorf("want phase Running and the Pods' selector, got %+v", s)
		}

		if c := s.condition("WorkloadReady"); c.Status != "True" || c.Reason != "Ready" {
			t.Errorf("want WorkloadReady on the tenant's Echo, got %+v", c)
		}

		before := uids(t.livePods("test-echo"))

		t.kubectl("patch", "echo", "test-echo", "--type", "merge", "-p", `{"spec":{"replicas":1}}`)
		t.runs("test-echo", 1)

		for uid := range uids(t.livePods("test-echo")) {
			if !before[uid] {
				t.Error("the Pod that is left should be one of those there were")
			}
		}

		out := t.kubectl("get", "echo", "test-echo")
		if got := strings.Join(strings.Fields(strings.Split(out, "\n")[0]), " "); !strings.Contains(got, "DESIRED CURRENT AVAILABLE PHASE IMAGE") {
			t.Errorf("want columns for replicas and image, got %s", got)
		}
	})
}

func TestScale(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("echo"))
		t.runs("test-echo", 3)

		t.kubectl("scale", "echo", "test-echo", "--replicas", "5")
		t.runs("test-echo", 5)

		t.kubectl("scale", "echo", "test-echo", "--replicas", "0")
		t.eventually(func() string {
			s := t.echo("test-echo")
			if n := len(t.list("pods")); n > 0 || s.Phase != "Stopped" || !s.IsReady || s.condition("Ready").Status != "True" {
				return fmt.Sprintf("want no Pods and an Echo that is ready with none, got %d and %+v", n, s)
			}

			return ""
		})
	})
}

func TestPodComesBack(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("echo"))
		t.runs("test-echo", 3)

		pods := t.livePods("test-echo")

		t.kubectl("delete", "pod", name(pods[0]))
		t.runs("test-echo", 3)

		// As the kubelet leaves a Pod that it evicted from its node.
		evicted := name(pods[1])
		if _, err := t.cp.Kubectl(t.Context(), "-n", t.tenant.Namespace, "patch", "pod", evicted, "--subresource", "status", "--type", "merge", "-p",
			`{"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory."}}`); err != nil {
			t.Fatal(err)
		}

		t.eventually(func() string {
			if t.get("pod", evicted) != nil {
				return "the evicted Pod should be gone"
			}

			return ""
		})
		t.runs("test-echo", 3)

		if !uids(t.livePods("test-echo"))[fmt.Sprint(uid(pods[2]))] {
			t.Error("the Pod that nothing happened to should still be there")
		}
	})
}

func TestDelete(t *testing.T) {
	forEach(t, func(t *team) {
		t.kubectl("apply", "-f", example("ports"))
		t.runs("shop", 2)

		t.kubectl("delete", "echo", "shop")
		t.eventually(func() string {
			for _, kind := range []string{"pods", "services", "deployments"} {
				if left := t.list(kind); len(left) > 0 {
					return fmt.Sprintf("want nothing left, there are %d %s", len(left), kind)
				}
			}

			return ""
		})

		if t.claims {
			out, err := t.cp.Kubectl(t.Context(), "get", "xechoes", "-l", "crossplane.io/claim-namespace="+t.tenant.Namespace, "-o", "name")
			if err != nil || strings.TrimSpace(out) != "" {
				t.Errorf("want no composite left behind the claim, got %q, %v", out, err)
			}
		}
	})
}

func TestTwoTenants(t *testing.T) {
	t.Parallel()

	for _, c := range configurations {
		t.Run(c, func(t *testing.T) {
			t.Parallel()

			a, b := newTeam(t, c, "-a"), newTeam(t, c, "-b")

			a.kubectl("apply", "-f", example("ports"))
			b.kubectl("apply", "-f", example("ports"))
			a.runs("shop", 2)
			b.runs("shop", 2)

			kept := uids(a.livePods("shop"))

			b.kubectl("delete", "echo", "shop")
			b.eventually(func() string { return some(b.list("pods")) })

			if diff := cmp.Diff(kept, uids(a.livePods("shop"))); diff != "" {
				t.Errorf("one team's Echo should not care for another's: -before, +after:\n%s", diff)
			}

			if _, err := a.tenant.Kubectl(t.Context(), "-n", b.tenant.Namespace, "get", "echoes"); err == nil {
				t.Error("a tenant should not read another's namespace")
			}
		})
	}
}

func some(objects []map[string]any) string {
	if len(objects) == 0 {
		return ""
	}

	return name(objects[0]) + " is still there"
}

// TestFunctionKilled kills the function over and over while an Echo grows and
// changes. It is the only test that does, and runs by itself: the others would
// not fail, but be slowed down.
func TestFunctionKilled(t *testing.T) {
	for _, c := range configurations {
		t.Run(c, func(t *testing.T) {
			tm := newTeam(t, c, "")
			tm.kubectl("apply", "-f", example("ports"))
			tm.runs("shop", 2)

			kept := uids(tm.livePods("shop"))

			for i, replicas := range []string{"6", "3", "8"} {
				tm.kubectl("scale", "echo", "shop", "--replicas", replicas)

				p, err := tm.cp.FunctionProcess(function)
				if err != nil {
					t.Fatal(err)
				}

				time.Sleep(time.Duration(i) * 50 * time.Millisecond)
				p.Kill()
			}

			tm.runs("shop", 8)

			now := uids(tm.livePods("shop"))
			for uid := range kept {
				if !now[uid] {
					t.Error("a Pod that was there all along should still be")
				}
			}
		})
	}
}

func TestRefused(t *testing.T) {
	echo := func(spec string) string {
		return "apiVersion: my-operator.dev/v1\nkind: Echo\nmetadata: {name: bad}\nspec: " + spec
	}
	cases := map[string]struct {
		reason string
		doc    string
		want   string
	}{
		"ReplicasNegative": {
			reason: "A negative number of replicas should be refused.",
			doc:    echo(`{image: a, replicas: -1}`),
			want:   "spec.replicas",
		},
		"ReplicasTooMany": {
			reason: "More replicas than the schema allows should be refused.",
			doc:    echo(`{image: a, replicas: 1001}`),
			want:   "spec.replicas",
		},
		"ImageMissing": {
			reason: "An Echo without an image should be refused.",
			doc:    echo(`{replicas: 1}`),
			want:   "spec.image",
		},
		"ImageEmpty": {
			reason: "An Echo with an empty image should be refused.",
			doc:    echo(`{image: ""}`),
			want:   "spec.image",
		},
		"PortTwice": {
			reason: "Two ports of one number should be refused.",
			doc:    echo(`{image: a, ports: [{port: 80}, {port: 80, name: b}]}`),
			want:   "spec.ports",
		},
		"PortNameTwice": {
			reason: "Two ports of one name should be refused.",
			doc:    echo(`{image: a, ports: [{port: 80, name: b}, {port: 81, name: b}]}`),
			want:   "spec.ports",
		},
		"Workload": {
			reason: "A workload that there is not should be refused.",
			doc:    echo(`{image: a, workload: DaemonSet}`),
			want:   "spec.workload",
		},
		"UnknownField": {
			reason: "A field that there is not should be refused under strict validation, which is kubectl's default.",
			doc:    echo(`{image: a, replica: 1}`),
			want:   `unknown field "spec.replica"`,
		},
	}

	forEach(t, func(t *team) {
		for name, tc := range cases {
			if got := t.refused(tc.doc); !strings.Contains(got, tc.want) {
				t.Errorf("%s: %s\nwant an error that holds %q, got %s", name, tc.reason, tc.want, got)
			}
		}
	})
}
