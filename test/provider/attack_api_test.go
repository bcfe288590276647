package provider

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// overwriteSecret has keys be written into Secrets that hold something else.
func (a *attack) overwriteSecret() {
	content := map[string][]byte{"token": []byte("of another")}
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: a.tenant.Namespace, Name: "taken"}, Data: maps.Clone(content)}
	a.apply(s)

	b := a.bucket("overwrite", parameters{}, func(b *bucket) {
		b.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: "taken"}
	})
	a.says(b, xpv2.TypeSynced, corev1.ConditionFalse)
	own := a.bucket("overwrite-too", parameters{})
	a.ready(own)
	k := a.access("taken", "overwrite-too", grant{})
	a.refused(k, `spec.writeConnectionSecretToRef: Secret "taken" exists and is not this resource's: name another`)

	a.read(s)
	if diff := cmp.Diff(content, s.Data); diff != "" {
		a.Errorf("the Secret: -want, +got:\n%s", diff)
	}
	if got := readPolicy(a.team, meta.GetExternalName(own)); got != "" {
		a.Errorf("keys were made that nobody has: %s", got)
	}
}

// forbidden is what no tenant may do to the API.
func (a *attack) forbidden() {
	b := a.bucket("forbidden", parameters{})
	a.ready(b)
	k := a.access("forbidden", "forbidden", grant{})
	a.ready(k)
	pc := &config{ObjectMeta: metav1.ObjectMeta{Namespace: a.tenant.Namespace, Name: "forbidden"}}
	pc.Spec.Credentials.SecretRef.Name = "forbidden"
	a.apply(pc)

	b.Status.AtProvider.ARN = "arn:aws:s3:::" + a.external
	k.Status.AtProvider.Bucket = a.external
	pc.Status.Users = 0
	usage := &providerv1beta1.ProviderConfigUsage{}
	usage.Namespace, usage.Name = a.tenant.Namespace, string(a.theirs.GetUID())
	usage.ProviderConfigReference = a.config
	at := func(namespace, name string) client.ObjectKey {
		return client.ObjectKey{Namespace: namespace, Name: name}
	}

	for what, try := range map[string]func(ctx context.Context) error{
		"write the status of a Bucket":       func(ctx context.Context) error { return a.client.Status().Update(ctx, b) },
		"write the status of a BucketAccess": func(ctx context.Context) error { return a.client.Status().Update(ctx, k) },
		"write the status of a config":       func(ctx context.Context) error { return a.client.Status().Update(ctx, pc) },
		"make a usage":                       func(ctx context.Context) error { return a.client.Create(ctx, usage) },
		"read the cluster config": func(ctx context.Context) error {
			return a.client.Get(ctx, at("", a.config.Name), &providerv1beta1.ClusterProviderConfig{})
		},
		"read the provider's Secret": func(ctx context.Context) error {
			return a.client.Get(ctx, at(controlplane.Namespace, a.server.Name), &corev1.Secret{})
		},
		"read the neighbour's Secret": func(ctx context.Context) error {
			return a.client.Get(ctx, at(a.victim.tenant.Namespace, "keys"), &corev1.Secret{})
		},
		"read the neighbour's Bucket": func(ctx context.Context) error {
			return a.client.Get(ctx, at(a.victim.tenant.Namespace, "assets"), &bucket{})
		},
		"delete the neighbour's Bucket": func(ctx context.Context) error {
			return a.client.Delete(ctx, a.theirs.DeepCopy())
		},
	} {
		if err := try(a.Context()); !kerrors.IsForbidden(err) {
			a.Errorf("%s: want it to be forbidden, got %v", what, err)
		}
	}
}

// names tries names, prefixes and regions that mean something elsewhere.
func (a *attack) names() {
	for _, external := range []string{"../" + a.external, a.external + "/x", a.external + "?policy", "UPPER", "a..b", "127.0.0.1"} {
		b := a.bucket("name-"+unfitted(external), parameters{Adopt: true}, named[*bucket](external))
		a.refused(b, "the annotation crossplane.io/external-name cannot be used: a bucket's name ")
		a.knowsNothing(b)
		a.remove(b)
		a.gone(b)
	}

	a.ready(a.bucket("prefixes", parameters{}))
	for i, prefix := range []string{"../", "a/../../b/", "./", "/a", "a//b"} {
		k := a.access(fmt.Sprintf("prefix-%d", i), "prefixes", grant{Prefix: prefix})
		a.refused(k, "the prefix ")
		if a.secret(k) != nil {
			a.Errorf("there are keys for the prefix %q", prefix)
		}
	}
	for i, prefix := range []string{"*", "a?", "${aws:username}/", `a"`, `a\b`} {
		k := &access{ObjectMeta: metav1.ObjectMeta{Namespace: a.tenant.Namespace, Name: fmt.Sprintf("pattern-%d", i)}}
		k.Spec.ForProvider = grant{BucketRef: storagev1beta1.BucketReference{Name: "prefixes"}, Prefix: prefix}
		k.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: k.GetName()}
		if err := a.client.Create(a.Context(), k); !kerrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.forProvider.prefix") {
			a.Errorf("the prefix %q: want it to be refused, got %v", prefix, err)
		}
	}

	// Without an endpoint the region is part of AWS's host.
	region := a.local("region", providerv1beta1.Connection{Region: "evil.example.com/"}, "attacker", newKey())
	a.refused(a.bucket("region", parameters{}, with(region), named[*bucket](a.tenant.Namespace+"-region")), "the region is not one of AWS")

	// Where a cloud hands its machines' credentials to whoever asks.
	metadata := a.local("metadata", providerv1beta1.Connection{Endpoint: "http://169.254.169.254"}, "attacker", newKey())
	a.refused(a.bucket("metadata", parameters{}, with(metadata), named[*bucket](a.tenant.Namespace+"-metadata")), "http://169.254.169.254 cannot be reached: ")
}
