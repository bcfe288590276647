package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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

// teams counts the namespaces of each test.
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
		{"get", "echoes,pods,services,deployments", "-o", "wide"},
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

// example is the path of an example's manifest.
func example(name string) string { return filepath.Join(repository, "examples", name, "echo.yaml") }

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

type status struct {
	CurrentReplicas int         `json:"currentReplicas"`
	ReadyReplicas   int         `json:"readyReplicas"`
	UpdatedReplicas int         `json:"updatedReplicas"`
	IsReady         bool        `json:"isReady"`
	LabelSelector   string      `json:"labelSelector"`
	Phase           string      `json:"phase"`
	Message         string      `json:"message"`
	Address         string      `json:"address"`
	Conditions      []condition `json:"conditions"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (s status) condition(t string) condition {
	for _, c := range s.Conditions {
		if c.Type == t {
			return c
		}
	}

	return condition{}
}

// running is what an Echo's status should say once all of its replicas run.
func (s status) running(replicas int) bool {
	return s.IsReady && s.CurrentReplicas == replicas && s.ReadyReplicas == replicas && s.UpdatedReplicas == replicas &&
		s.condition("Ready").Status == "True" && s.Message == fmt.Sprintf("%d/%d replicas ready", replicas, replicas)
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

		if n := len(t.livePods(name)); n != replicas {
			return fmt.Sprintf("want %d running Pods, got %d", replicas, n)
		}

		return ""
	})
}

// at is the value at a path of an object.
func at(o map[string]any, path ...string) (any, bool) {
	v, ok, err := unstructured.NestedFieldNoCopy(o, path...)
	return v, ok && err == nil
}

func name(o map[string]any) string {
	n, _ := at(o, "metadata", "name")
	s, _ := n.(string)

	return s
}

func uids(objects []map[string]any) map[string]bool {
	set := map[string]bool{}

	for _, o := range objects {
		uid, _ := at(o, "metadata", "uid")
		set[fmt.Sprint(uid)] = true
	}

	return set
}
