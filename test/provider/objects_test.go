package provider

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// Short names of what tests are full of.
type (
	bucket     = storagev1beta1.Bucket
	parameters = storagev1beta1.BucketParameters
	access     = storagev1beta1.BucketAccess
	grant      = storagev1beta1.BucketAccessParameters
	config     = providerv1beta1.ProviderConfig
)

// bucket makes a Bucket.
func (t *team) bucket(name string, p parameters, with ...func(*bucket)) *bucket {
	t.Helper()

	b := &bucket{ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: name}}
	b.Spec.ForProvider = p
	b.Spec.ProviderConfigReference = &t.config
	for _, f := range with {
		f(b)
	}
	t.apply(b)

	return b
}

// named gives an object the name of a bucket on the server.
func named[T client.Object](external string) func(T) {
	return func(o T) { meta.SetExternalName(o, external) }
}

// managed gives a Bucket management policies.
func managed(policies ...xpv2.ManagementAction) func(*bucket) {
	return func(b *bucket) { b.Spec.ManagementPolicies = policies }
}

// with gives a Bucket another config.
func with(ref xpv2.ProviderConfigReference) func(*bucket) {
	return func(b *bucket) { b.Spec.ProviderConfigReference = &ref }
}

// access makes a BucketAccess to a Bucket, with a Secret of the same name.
func (t *team) access(name, to string, g grant, with ...func(*access)) *access {
	t.Helper()

	a := &access{ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: name}}
	a.Spec.ForProvider = g
	a.Spec.ForProvider.BucketRef.Name = to
	a.Spec.ProviderConfigReference = &t.config
	a.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: name}
	for _, f := range with {
		f(a)
	}
	t.apply(a)

	return a
}

// local makes a ProviderConfig of the team's own, with a Secret of the same name.
func (t *team) local(name string, c providerv1beta1.Connection, accessKey, secretKey string) xpv2.ProviderConfigReference {
	t.Helper()
	t.apply(newSecret(t.tenant.Namespace, name, accessKey, secretKey))
	t.apply(&config{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: name},
		Spec: providerv1beta1.ProviderConfigSpec{
			Connection:  c,
			Credentials: providerv1beta1.LocalCredentials{SecretRef: providerv1beta1.LocalSecretReference{Name: name}},
		},
	})

	return xpv2.ProviderConfigReference{Kind: providerv1beta1.KindProviderConfig, Name: name}
}
