package provider

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/test/controlplane"
)

// installEchoes installs what Echoes need beside the provider, once somebody asks.
var installEchoes = sync.OnceValue(func() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()

	for name, file := range map[string]string{
		functionName:      functionName + "-" + runtime.GOARCH + ".xpkg",
		configurationName: configurationName + ".xpkg",
	} {
		if err := cp.Push(ctx, registry+name+":"+version, filepath.Join(*dist, file)); err != nil {
			return err
		}
	}
	for _, manifest := range []string{"crossplane-rbac.yaml", "runtime-config.yaml", "function.yaml"} {
		if _, err := cp.Kubectl(ctx, "apply", "-f", filepath.Join(repository, "package", "install", manifest)); err != nil {
			return err
		}
	}
	if err := cp.InstallPackage(ctx, controlplane.Configuration, registry+configurationName+":"+version, configurationName); err != nil {
		return err
	}

	return cp.WaitPackage(ctx, controlplane.Function, functionName)
})

// TestEcho runs an Echo with a bucket. What runs in its Pods reads the keys from the
// environment, as these tests do in its place.
func TestEcho(t *testing.T) {
	forEach(t, func(t *team) {
		t.must(nil, installEchoes())
		neighbour := newTeam(t.T, t.server, "-neighbour")
		theirs := neighbour.bucket("assets", parameters{})
		neighbour.ready(theirs)
		t.server.put(t, meta.GetExternalName(theirs), "precious")

		// The config that the platform names is not there yet: nothing runs without keys.
		config := t.tenant.Namespace + "-later"
		composition := t.composition(config)
		echo := newEcho(t.tenant.Namespace, composition)
		t.apply(echo)
		t.echoSays(echo, "BucketsReady", metav1.ConditionFalse, fmt.Sprintf("there is no ClusterProviderConfig %q that allows namespace %q", config, t.tenant.Namespace))
		if pods := t.pods(); len(pods) > 0 {
			t.Errorf("there are no keys yet, and %d Pods", len(pods))
		}

		t.allow(config, t.server.connection())
		t.echoSays(echo, "Ready", metav1.ConditionTrue, "")
		t.echoSays(echo, "BucketsReady", metav1.ConditionTrue, "")
		b := &bucket{ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: "shop-assets"}}
		t.read(b)
		external := meta.GetExternalName(b)
		status := t.bucketStatus(echo)
		if diff := cmp.Diff(map[string]any{"name": "assets", "bucketName": external, "ready": true, "secret": status["secret"]}, status); diff != "" {
			t.Errorf("status.buckets: -want, +got:\n%s", diff)
		}

		// The keys in the Pods open this bucket, and not the neighbour's.
		pods := t.pods()
		if len(pods) != 2 {
			t.Fatalf("want 2 Pods, got %d", len(pods))
		}
		for _, p := range pods {
			c, env := t.inside(p)
			if diff := cmp.Diff([]string{external, t.server.Endpoint}, []string{env["BUCKET_NAME"], env["AWS_ENDPOINT_URL_S3"]}); diff != "" {
				t.Errorf("environment: -want, +got:\n%s", diff)
			}
			t.must(nil, put(t.Context(), c, env["BUCKET_NAME"], p.GetName(), "hello"))
			if got, err := get(t.Context(), c, env["BUCKET_NAME"], p.GetName()); err != nil || got != "hello" {
				t.Errorf("want hello, got %q: %v", got, err)
			}
			if got := code(reads("precious")(t, c, meta.GetExternalName(theirs))); got != denied {
				t.Errorf("the neighbour's bucket: want %s, got %q", denied, got)
			}
		}

		t.keepsRunning(echo, external, uids(pods))

		// It holds objects: it stays when the Echo goes, and says so.
		t.remove(echo)
		t.says(b, blocked, corev1.ConditionTrue, fmt.Sprintf("bucket %q holds 2 objects", external))
		t.empty(external)
		t.gone(b)
		if t.server.exists(t, external) {
			t.Error("the bucket is still on the server")
		}
	})
}

// keepsRunning takes the bucket away from the Echo, by its marker: what runs with its
// keys goes on to run.
func (t *team) keepsRunning(echo *unstructured.Unstructured, external string, before []string) {
	t.Helper()

	tags := t.server.tags(t, external)
	t.server.tag(t, external, map[string]string{"mine": "now"})
	t.echoSays(echo, "BucketsReady", metav1.ConditionFalse, notYours(external))
	if diff := cmp.Diff(before, uids(t.pods())); diff != "" {
		t.Errorf("without its bucket: Pods: -before, +after:\n%s", diff)
	}
	t.server.tag(t, external, tags)
	t.echoSays(echo, "BucketsReady", metav1.ConditionTrue, "")
	t.echoSays(echo, "Ready", metav1.ConditionTrue, "")
	if diff := cmp.Diff(before, uids(t.pods())); diff != "" {
		t.Errorf("with its bucket again: Pods: -before, +after:\n%s", diff)
	}
}

// newEcho returns an Echo of two replicas with a bucket.
func newEcho(namespace, composition string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "my-operator.dev/v1", "kind": "Echo",
		"metadata": map[string]any{"namespace": namespace, "name": "shop"},
		"spec": map[string]any{
			"image": "nginx:1.21", "replicas": int64(2),
			"buckets":    []any{map[string]any{"name": "assets"}},
			"crossplane": map[string]any{"compositionRef": map[string]any{"name": composition}},
		},
	}}
}

// composition makes a Composition like the installed one that names a config.
func (t *team) composition(config string) string {
	t.Helper()

	c := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apiextensions.crossplane.io/v1", "kind": "Composition"}}
	t.must(nil, root.Get(t.Context(), client.ObjectKey{Name: "echoes.my-operator.dev"}, c))

	pipeline, _, err := unstructured.NestedSlice(c.Object, "spec", "pipeline")
	t.must(pipeline, err)
	step := pipeline[0].(map[string]any)
	input := step["input"].(map[string]any)
	input["providerConfigs"] = map[string]any{"buckets": map[string]any{"kind": t.config.Kind, "name": config}}
	t.must(nil, unstructured.SetNestedSlice(c.Object, pipeline, "spec", "pipeline"))

	t.platform(&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": c.GetAPIVersion(), "kind": c.GetKind(),
		"metadata": map[string]any{"name": config}, "spec": c.Object["spec"],
	}})

	return config
}

// echoSays waits until an Echo has a condition with a status, and with a message that
// holds the words.
func (t *team) echoSays(echo *unstructured.Unstructured, condition string, status metav1.ConditionStatus, words string) {
	t.Helper()
	t.eventually(func() string { return t.echoFails(echo, condition, status, words) })
}

// echoFails is what is wrong with an Echo that should have a condition with a status,
// and with a message that holds the words.
func (t *team) echoFails(echo *unstructured.Unstructured, condition string, status metav1.ConditionStatus, words string) string {
	t.Helper()
	t.read(echo)

	all, _, _ := unstructured.NestedSlice(echo.Object, "status", "conditions")
	for _, c := range all {
		is := c.(map[string]any)
		message, _ := is["message"].(string)
		if is["type"] == condition && is["status"] == string(status) && strings.Contains(message, words) {
			return ""
		}
	}

	return fmt.Sprintf("want %s to be %s and to tell of %q, got %v", condition, status, words, all)
}

// bucketStatus is what an Echo says of its only bucket.
func (t *team) bucketStatus(echo *unstructured.Unstructured) map[string]any {
	t.Helper()

	all, _, _ := unstructured.NestedSlice(echo.Object, "status", "buckets")
	if len(all) != 1 {
		t.Fatalf("want one bucket in the status, got %v", all)
	}

	return all[0].(map[string]any)
}

// pods are those of the Echo.
func (t *team) pods() []corev1.Pod {
	t.Helper()

	l := &corev1.PodList{}
	t.must(nil, t.client.List(t.Context(), l, client.InNamespace(t.tenant.Namespace), client.MatchingLabels{"my-operator.dev/echo": "shop"}))

	return l.Items
}

func uids(pods []corev1.Pod) []string {
	all := []string{}
	for _, p := range pods {
		all = append(all, string(p.GetUID()))
	}
	slices.Sort(all)

	return all
}

// inside is a client that takes what the first container of a Pod has in its
// environment from Secrets, and that environment.
func (t *team) inside(p corev1.Pod) (*s3.Client, map[string]string) {
	t.Helper()

	env := map[string]string{}
	for _, from := range p.Spec.Containers[0].EnvFrom {
		if from.SecretRef == nil {
			continue
		}
		a := &access{ObjectMeta: metav1.ObjectMeta{Namespace: p.GetNamespace()}}
		a.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: from.SecretRef.Name}
		for k, v := range t.secret(a) {
			env[from.Prefix+k] = v
		}
	}

	return newS3(t.server.S3Server, env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"]), env
}
