package faults

import (
	"context"
	"fmt"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/s3proxy"
)

const (
	// patience is how long a test waits. It is many times what is ever needed: the
	// machine may be busy.
	patience = 3 * time.Minute

	// look is how often it looks meanwhile.
	look = time.Second

	// atOnce bounds the calls of a test that are under way at a time.
	atOnce = 8
)

// The configs of a team: one leads to the server through a proxy, the other straight.
const (
	proxied  = "proxied"
	straight = "straight"
)

// A team is a namespace that uses a server.
type team struct {
	*testing.T

	server    server
	namespace string
	proxy     *s3proxy.Proxy

	// countsUsers says that nobody else makes users on the server, so that each must
	// be that of an access.
	countsUsers bool
}

// newTeam returns a team. Names of namespaces have no dashes, so that none begins as
// another does with a dash.
func newTeam(t *testing.T, namespace string, s server) *team {
	t.Helper()

	p, err := s3proxy.Start(s.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)

	tm := &team{T: t, server: s, namespace: namespace, proxy: p}
	tm.make(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
	tm.make(tm.secret(s.AccessKey, s.SecretKey))
	tm.config(proxied, p.URL())
	tm.config(straight, s.Endpoint)

	return tm
}

// secret holds the credentials of the team's configs.
func (t *team) secret(accessKey, secretKey string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: "credentials"},
		Data:       map[string][]byte{"AWS_ACCESS_KEY_ID": []byte(accessKey), "AWS_SECRET_ACCESS_KEY": []byte(secretKey)},
	}
}

func (t *team) config(name, endpoint string) {
	t.Helper()
	t.make(&providerv1beta1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: name},
		Spec: providerv1beta1.ProviderConfigSpec{
			Connection: providerv1beta1.Connection{
				Endpoint:    endpoint,
				Region:      t.server.Region,
				IdentityAPI: providerv1beta1.IdentityAPI(t.server.Identity),
			},
			Credentials: providerv1beta1.LocalCredentials{SecretRef: providerv1beta1.LocalSecretReference{Name: "credentials"}},
		},
	})
}

// bucket is a Bucket that is not made yet.
func (t *team) bucket(config, name string) *v1beta1.Bucket {
	b := &v1beta1.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: name}}
	b.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: providerv1beta1.KindProviderConfig, Name: config}

	return b
}

// access is a BucketAccess that is not made yet, with a Secret of its own name.
func (t *team) access(config, name, to string) *v1beta1.BucketAccess {
	a := &v1beta1.BucketAccess{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: name}}
	a.Spec.ForProvider.BucketRef.Name = to
	a.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: providerv1beta1.KindProviderConfig, Name: config}
	a.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: name}

	return a
}

// numbered are names that end in the numbers from one, inclusive, to the other,
// exclusive.
func numbered(name string, from, to int) []string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprintf("%s%03d", name, i))
	}

	return all
}

// make makes objects, however often the API server fails to.
func (t *team) make(objects ...client.Object) {
	t.Helper()

	each(t, objects, func(ctx context.Context, o client.Object) error {
		err := root.Create(ctx, o)
		if kerrors.IsAlreadyExists(err) {
			// An earlier try took effect, and its answer was lost.
			return nil
		}

		return err
	})
}

// remove deletes objects. It does not wait until they are gone.
func (t *team) remove(objects ...client.Object) {
	t.Helper()

	each(t, objects, func(ctx context.Context, o client.Object) error {
		return client.IgnoreNotFound(root.Delete(ctx, o))
	})
}

// change changes objects, however often the provider is faster.
func change[T client.Object](t *team, objects []T, f func(T)) {
	t.Helper()

	each(t, objects, func(ctx context.Context, o T) error {
		if err := root.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		f(o)

		return root.Update(ctx, o)
	})
}

// each does something with every object until it succeeds.
func each[T any](t *team, objects []T, f func(context.Context, T) error) {
	t.Helper()

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, o := range objects {
		g.Go(func() error {
			for {
				err := f(ctx, o)
				if err == nil {
					return nil
				}

				select {
				case <-ctx.Done():
					return err
				case <-time.After(look / 4):
				}
			}
		})
	}

	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until check finds nothing wrong; it returns what is.
func (t *team) eventually(what string, check func(context.Context) string) {
	t.Helper()

	wrong := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if wrong = check(t.Context()); wrong == "" {
			return
		}

		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(look):
		}
	}

	t.Fatalf("%s: waited %s: %s", what, patience, wrong)
}

// A conditioned object has conditions.
type conditioned interface {
	client.Object
	GetCondition(t xpv2.ConditionType) xpv2.Condition
}

// buckets and accesses are those of the namespace.
func (t *team) buckets(ctx context.Context) ([]v1beta1.Bucket, error) {
	list := &v1beta1.BucketList{}
	err := root.List(ctx, list, client.InNamespace(t.namespace))

	return list.Items, err
}

func (t *team) accesses(ctx context.Context) ([]v1beta1.BucketAccess, error) {
	list := &v1beta1.BucketAccessList{}
	err := root.List(ctx, list, client.InNamespace(t.namespace))

	return list.Items, err
}

// removeAll deletes all Buckets and accesses.
func (t *team) removeAll() {
	t.Helper()

	t.eventually("delete all", func(ctx context.Context) string {
		for _, o := range []client.Object{&v1beta1.BucketAccess{}, &v1beta1.Bucket{}} {
			if err := root.DeleteAllOf(ctx, o, client.InNamespace(t.namespace)); err != nil {
				return err.Error()
			}
		}

		return ""
	})
}
