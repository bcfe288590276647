package provider

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/test/controlplane"
	"my-operator.dev/echo/test/s3proxy"
)

const (
	// patience is how long a test waits. It is many times what is ever needed: the
	// machine may be busy.
	patience = 2 * time.Minute

	// look is how often it looks meanwhile.
	look = 300 * time.Millisecond
)

// A team is a tenant of the platform: a namespace, the rights that package/install
// gives to tenants in it, and a ClusterProviderConfig that allows it to use a server.
type team struct {
	*testing.T

	server server
	tenant *controlplane.Tenant

	// client is the tenant's. What the tenant may not do, it cannot.
	client client.Client

	// config is what the team's resources use.
	config xpv2.ProviderConfigReference
}

// unfit is what the name of a test may hold and that of a namespace may not.
var unfit = regexp.MustCompile(`[^a-z0-9-]+`)

// forEach runs a test on every server, each with a team of its own.
func forEach(t *testing.T, test func(t *team)) {
	t.Helper()
	t.Parallel()

	for name := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newTeam(t, servers[name], ""))
		})
	}
}

// unfitted makes of any name one that an object may have.
func unfitted(name string) string {
	return strings.Trim(unfit.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// newTeam returns a team that is named for the test and its server.
func newTeam(t *testing.T, s server, suffix string) *team {
	t.Helper()

	parts := strings.SplitN(strings.TrimPrefix(t.Name(), "Test"), "/", 3)
	name := unfitted(strings.Join(parts, "-")) + suffix

	tenant, err := cp.Tenant(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}

	c, err := client.New(tenant.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}

	tm := &team{T: t, server: s, tenant: tenant, client: c}
	tm.config = tm.allow(name, s.connection())

	t.Cleanup(func() {
		if t.Failed() {
			tm.describe()
		}
	})

	return tm
}

// sub is the team in a sub-test.
func (t *team) sub(name string, test func(t *team)) {
	t.Helper()
	t.Run(name, func(st *testing.T) {
		st.Parallel()

		it := *t
		it.T = st
		test(&it)
	})
}

// allow makes a ClusterProviderConfig with the administrator's credentials that the
// team's namespace may use.
func (t *team) allow(name string, c providerv1beta1.Connection) xpv2.ProviderConfigReference {
	t.Helper()
	t.platform(&providerv1beta1.ClusterProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: providerv1beta1.ClusterProviderConfigSpec{
			Connection: c,
			Credentials: providerv1beta1.ClusterCredentials{
				Source:    providerv1beta1.CredentialsSecret,
				SecretRef: &providerv1beta1.SecretReference{Namespace: controlplane.Namespace, Name: t.server.Name},
			},
			AllowedNamespaces: providerv1beta1.AllowedNamespaces{Names: []string{t.tenant.Namespace}},
		},
	})

	return xpv2.ProviderConfigReference{Kind: providerv1beta1.KindClusterProviderConfig, Name: name}
}

// counted puts a proxy that counts before the team's server, for all that the team
// makes from now on.
func (t *team) counted() *s3proxy.Proxy {
	t.Helper()

	p, err := s3proxy.Start(t.server.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)

	c := t.server.connection()
	c.Endpoint = p.URL()
	t.config = t.allow(unfitted(t.Name())+"-counted", c)

	return p
}

// platform makes an object as the administrator.
func (t *team) platform(o client.Object) {
	t.Helper()

	if err := root.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// apply makes an object as the tenant.
func (t *team) apply(o client.Object) {
	t.Helper()

	if err := t.client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// remove deletes an object as the tenant. It does not wait until it is gone.
func (t *team) remove(o client.Object) {
	t.Helper()

	if err := t.client.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// read brings an object up to date.
func (t *team) read(o client.Object) {
	t.Helper()

	if err := t.client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
		t.Fatal(err)
	}
}

// change changes an object as the tenant, however often the provider is faster.
func change[T client.Object](t *team, o T, f func(T)) {
	t.Helper()
	changeAs(t, t.client, o, f)
}

// changeAs changes an object as whose client it is.
func changeAs[T client.Object](t *team, c client.Client, o T, f func(T)) {
	t.Helper()

	// The provider writes the status at each attempt of its own.
	often := wait.Backoff{Steps: 50, Duration: look, Jitter: 1}
	err := retry.RetryOnConflict(often, func() error {
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		f(o)

		return c.Update(t.Context(), o)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits until check finds nothing wrong; it returns what is.
func (t *team) eventually(check func() string) {
	t.Helper()

	wrong := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(look) {
		if wrong = check(); wrong == "" {
			return
		}
	}

	t.Fatalf("waited %s: %s", patience, wrong)
}

// A conditioned object has conditions.
type conditioned interface {
	client.Object
	GetCondition(t xpv2.ConditionType) xpv2.Condition
}

// says waits until an object has a condition with a status, for its present
// generation, and with a message that holds all that is given.
func (t *team) says(o conditioned, c xpv2.ConditionType, status corev1.ConditionStatus, words ...string) {
	t.Helper()
	t.eventually(func() string {
		t.read(o)

		is := o.GetCondition(c)
		if is.Status != status || is.ObservedGeneration != 0 && is.ObservedGeneration != o.GetGeneration() {
			return fmt.Sprintf("want %s of %s to be %s, it is %+v; Synced is %+v", c, o.GetName(), status, is, o.GetCondition(xpv2.TypeSynced))
		}
		for _, w := range words {
			if !strings.Contains(is.Message, w) {
				return fmt.Sprintf("want %s of %s to tell of %q, it says %q", c, o.GetName(), w, is.Message)
			}
		}

		return ""
	})
}

// ready waits until an object is as its present generation wants it.
func (t *team) ready(o conditioned) {
	t.Helper()
	t.eventually(func() string {
		t.read(o)

		for _, c := range []xpv2.ConditionType{xpv2.TypeSynced, xpv2.TypeReady} {
			if is := o.GetCondition(c); is.Status != corev1.ConditionTrue || is.ObservedGeneration != o.GetGeneration() {
				return fmt.Sprintf("want %s to be %s for generation %d, it is %+v; Synced is %+v", o.GetName(), c, o.GetGeneration(), is, o.GetCondition(xpv2.TypeSynced))
			}
		}

		return ""
	})
}

// refused waits until an object is not synced, for its present generation, and
// compares all that it says with the words.
func (t *team) refused(o conditioned, words string) {
	t.Helper()
	t.says(o, xpv2.TypeSynced, corev1.ConditionFalse, words)
}

// gone waits until there is no such object any more.
func (t *team) gone(o client.Object) {
	t.Helper()
	t.eventually(func() string {
		err := t.client.Get(t.Context(), client.ObjectKeyFromObject(o), o)
		switch {
		case kerrors.IsNotFound(err):
			return ""
		case err != nil:
			return err.Error()
		}
		if c, ok := o.(conditioned); ok {
			return fmt.Sprintf("%s is still there: %+v", o.GetName(), c.GetCondition(xpv2.TypeSynced))
		}

		return o.GetName() + " is still there"
	})
}

// describe logs what there is, for those who read of a failure.
func (t *team) describe() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	for _, args := range [][]string{
		{"get", "buckets,bucketaccesses,providerconfigs", "-o", "yaml"},
		{"get", "events", "--sort-by", ".lastTimestamp"},
	} {
		out, err := cp.Kubectl(ctx, append([]string{"-n", t.tenant.Namespace}, args...)...)
		t.Logf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
