package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"my-operator.dev/echo/test/controlplane"
)

// patience is how long a test waits for the control plane. It is many times what
// is ever needed: the machine may be busy.
const patience = 2 * time.Minute

// A team is a tenant of the platform: a namespace, and the rights that
// package/install gives to tenants in it.
type team struct {
	*testing.T

	cp     *controlplane.ControlPlane
	tenant *controlplane.Tenant
	claims bool
}

// unfit is what the name of a test may hold and that of a namespace may not.
var unfit = regexp.MustCompile(`[^a-z0-9-]+`)

// forEach runs a test under every configuration, each with a team of its own.
func forEach(t *testing.T, test func(t *team)) {
	t.Helper()
	t.Parallel()

	for _, c := range configurations {
		t.Run(c, func(t *testing.T) {
			t.Parallel()
			test(newTeam(t, c, ""))
		})
	}
}

func newTeam(t *testing.T, configuration, suffix string) *team {
	t.Helper()

	name := strings.ToLower(strings.Split(t.Name(), "/")[0])
	name = unfit.ReplaceAllString(strings.TrimPrefix(name, "test"), "-") + suffix

	cp := clusters[configuration]

	tenant, err := cp.Tenant(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}

	tm := &team{T: t, cp: cp, tenant: tenant, claims: strings.HasSuffix(configuration, "-claims")}
	t.Cleanup(func() {
		if t.Failed() {
			tm.describe()
		}
	})

	return tm
}

// describe logs what there is, for those who read of a failure.
func (t *team) describe() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	for _, args := range [][]string{
		{"get", "echoes,pods,services,deployments,hpa,pdb", "-o", "wide"},
		{"get", "echoes", "-o", "yaml"},
		{"get", "events", "--sort-by", ".lastTimestamp"},
	} {
		out, err := t.cp.Kubectl(ctx, append([]string{"-n", t.tenant.Namespace}, args...)...)
		t.Logf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// kubectl runs kubectl as the tenant, and expects it to succeed.
func (t *team) kubectl(args ...string) string {
	t.Helper()

	out, err := t.tenant.Kubectl(t.Context(), args...)
	if err != nil {
		t.Fatalf("kubectl %s: %v", strings.Join(args, " "), err)
	}

	return out
}

// example is the path of an example's manifests.
func example(name string) string { return filepath.Join(repository, "examples", name) }

// patch changes an Echo's spec, as the tenant.
func (t *team) patch(echo, spec string) {
	t.Helper()
	t.kubectl("patch", "echo", echo, "--type", "merge", "-p", `{"spec":`+spec+`}`)
}

// admin runs kubectl in the tenant's namespace as the administrator, and expects
// it to succeed.
func (t *team) admin(args ...string) string {
	t.Helper()

	out, err := t.cp.Kubectl(t.Context(), append([]string{"-n", t.tenant.Namespace}, args...)...)
	if err != nil {
		t.Fatalf("kubectl %s: %v", strings.Join(args, " "), err)
	}

	return out
}

// says waits until an Echo has a condition with a status and a reason, and with a
// message that holds all that is given. It returns the whole status that says so:
// one that is read later may be of a later moment.
func (t *team) says(echo, condition, is, reason string, words ...string) (s status) {
	t.Helper()
	t.eventually(func() string {
		s = t.echo(echo)

		c := s.condition(condition)
		if c.Status != is || c.Reason != reason {
			return fmt.Sprintf("want %s to be %s because of %s, status is %+v", condition, is, reason, s)
		}

		for _, w := range words {
			if !strings.Contains(c.Message, w) {
				return fmt.Sprintf("want %s to tell of %q, got %q", condition, w, c.Message)
			}
		}

		return ""
	})

	return s
}

// apply applies a manifest as the tenant.
func (t *team) apply(doc string) {
	t.Helper()
	t.kubectl("apply", "-f", t.file(doc))
}

// refused applies a manifest that should be refused, and returns why it was.
func (t *team) refused(doc string, args ...string) string {
	t.Helper()

	out, err := t.tenant.Kubectl(t.Context(), append([]string{"apply", "-f", t.file(doc)}, args...)...)
	if err == nil {
		t.Fatalf("this should have been refused:\n%s\n%s", doc, out)
	}

	return err.Error()
}

func (t *team) file(doc string) string {
	t.Helper()

	path := filepath.Join(t.TempDir(), "doc.yaml")
	if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}

	return path
}

// get reads an object as the administrator; nil if there is none.
func (t *team) get(kind, name string) map[string]any {
	t.Helper()

	out, err := t.cp.Kubectl(t.Context(), "-n", t.tenant.Namespace, "get", kind, name, "--ignore-not-found", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}

	if strings.TrimSpace(out) == "" {
		return nil
	}

	o := map[string]any{}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}

	return o
}

// list lists objects as the administrator.
func (t *team) list(kind string, args ...string) []map[string]any {
	t.Helper()

	out, err := t.cp.Kubectl(t.Context(), append([]string{"-n", t.tenant.Namespace, "get", kind, "-o", "json"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}

	var l struct {
		Items []map[string]any `json:"items"`
	}

	if err := json.Unmarshal([]byte(out), &l); err != nil {
		t.Fatal(err)
	}

	return l.Items
}

// livePods are the Pods of an Echo that are Running and not on their way out.
func (t *team) livePods(echo string) []map[string]any {
	t.Helper()

	var live []map[string]any

	for _, p := range t.list("pods", "-l", "my-operator.dev/echo="+echo) {
		phase, _ := at(p, "status", "phase")
		if _, going := at(p, "metadata", "deletionTimestamp"); phase == "Running" && !going {
			live = append(live, p)
		}
	}

	return live
}

// echo reads the status of an Echo.
func (t *team) echo(name string) status {
	t.Helper()

	o := t.get("echo.my-operator.dev", name)

	b, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	var e struct {
		Status status `json:"status"`
	}

	if err := json.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}

	return e.Status
}

// eventually waits until check finds nothing wrong; it returns what is.
func (t *team) eventually(check func() string) {
	t.Helper()

	var wrong string

	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if wrong = check(); wrong == "" {
			return
		}
	}

	t.Fatalf("waited %s: %s", patience, wrong)
}

// runs waits until an Echo says that all of its replicas run, and they do.
func (t *team) runs(name string, replicas int) {
	t.Helper()
	t.eventually(func() string {
		if s := t.echo(name); !s.running(replicas) {
			return fmt.Sprintf("want %d replicas running, status is %+v", replicas, s)
		}

		pods := t.livePods(name)
		if ready := slices.DeleteFunc(slices.Clone(pods), isUnready); len(pods) != replicas || len(ready) != replicas {
			return fmt.Sprintf("want %d Pods, all ready, got %d, of which %d are", replicas, len(pods), len(ready))
		}

		return ""
	})
}
