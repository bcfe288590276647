package provider

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// terminating is the condition of a config that is to be deleted.
const terminating = xpv2.ConditionType("Terminating")

// own makes a ClusterProviderConfig with credentials of its own, which the test may
// spoil: those of a further administrator of the server.
func (t *team) own(name string) (ref xpv2.ProviderConfigReference, secret *corev1.Secret) {
	t.Helper()

	// MinIO takes access keys of at most 20 characters.
	accessKey, secretKey := "own"+rand.Text()[:12], newKey()
	t.makeAdmin(accessKey, secretKey)

	secret = newSecret(controlplane.Namespace, name, accessKey, secretKey)
	t.platform(secret)
	t.platform(&providerv1beta1.ClusterProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: providerv1beta1.ClusterProviderConfigSpec{
			Connection: t.server.connection(),
			Credentials: providerv1beta1.ClusterCredentials{
				Source:    providerv1beta1.CredentialsSecret,
				SecretRef: &providerv1beta1.SecretReference{Namespace: controlplane.Namespace, Name: name},
			},
			AllowedNamespaces: providerv1beta1.AllowedNamespaces{Names: []string{t.tenant.Namespace}},
		},
	})

	return xpv2.ProviderConfigReference{Kind: providerv1beta1.KindClusterProviderConfig, Name: name}, secret
}

// newKey returns a secret key that is found if it leaks.
func newKey() string {
	k := rand.Text()
	remember(k)

	return k
}

// TestCredentials has the credentials of a config go wrong in every way.
func TestCredentials(t *testing.T) {
	forEach(t, func(t *team) {
		ref, secret := t.own(t.tenant.Namespace + "-own")
		b := t.bucket("assets", parameters{}, with(ref))
		t.ready(b)
		external := meta.GetExternalName(b)
		cannot := fmt.Sprintf("cannot use ClusterProviderConfig %q: its Secret: ", ref.Name)
		put := func(key, value string) {
			t.Helper()
			secret.Data, secret.StringData = nil, nil
			t.must(nil, root.Get(t.Context(), client.ObjectKeyFromObject(secret), secret))
			secret.Data[key] = []byte(value)
			t.must(nil, root.Update(t.Context(), secret))
		}

		// The server has another secret key by now, and then the Secret has it too.
		t.must(nil, root.Get(t.Context(), client.ObjectKeyFromObject(secret), secret))
		accessKey, next := string(secret.Data["AWS_ACCESS_KEY_ID"]), newKey()
		t.changeSecret(accessKey, next)
		t.refused(b, "the secret access key is not the one of the access key ID: correct the credentials")
		put("AWS_SECRET_ACCESS_KEY", next)
		t.ready(b)

		// The server has another administrator.
		second, secondKey := "second"+rand.Text()[:12], newKey()
		t.makeAdmin(second, secondKey)
		secret.Data["AWS_ACCESS_KEY_ID"], secret.Data["AWS_SECRET_ACCESS_KEY"] = []byte(second), []byte(secondKey+"\n")
		t.must(nil, root.Update(t.Context(), secret))
		t.removeUser(accessKey)
		t.ready(b)
		change(t, b, func(b *bucket) { b.Spec.ForProvider.Tags = addTag(nil, "by", "second") })
		t.ready(b)
		if diff := cmp.Diff(map[string]string{"by": "second"}, declared(t.server.tags(t, external))); diff != "" {
			t.Errorf("tags: -want, +got:\n%s", diff)
		}

		// Nobody can say why a key is empty.
		put("AWS_SECRET_ACCESS_KEY", "")
		t.refused(b, cannot+"has an empty AWS_SECRET_ACCESS_KEY")
		put("AWS_SECRET_ACCESS_KEY", "two words")
		t.refused(b, cannot+"has characters in AWS_SECRET_ACCESS_KEY that no key has")

		t.must(nil, root.Delete(t.Context(), secret))
		t.refused(b, cannot+"does not exist")

		secret = newSecret(controlplane.Namespace, secret.GetName(), second, secondKey)
		t.platform(secret)
		t.ready(b)
		t.remove(b)
		t.gone(b)
	})
}

// TestConfigInUse deletes configs that are in use.
func TestConfigInUse(t *testing.T) {
	forEach(t, func(t *team) {
		t.sub("Local", func(t *team) {
			ref := t.local("own", t.server.connection(), t.server.AccessKey, t.server.SecretKey)
			b := t.bucket("local", parameters{}, with(ref))
			t.ready(b)

			pc := &config{ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: ref.Name}}
			t.remove(pc)
			t.says(pc, terminating, corev1.ConditionTrue, "in use by Bucket "+t.tenant.Namespace+"/local; it goes when that does")

			// It takes nobody new, and those who have it keep it.
			late := t.bucket("late", parameters{}, with(ref))
			t.refused(late, `ProviderConfig "own" is being deleted, and takes no new users`)
			change(t, b, func(b *bucket) { b.Spec.ForProvider.Tags = addTag(nil, "a", "1") })
			t.ready(b)

			t.remove(late)
			t.gone(late)
			t.remove(b)
			t.gone(b)
			t.gone(pc)
			if t.server.exists(t, meta.GetExternalName(b)) {
				t.Error("the bucket is still on the server")
			}
		})

		t.sub("Cluster", func(t *team) {
			// Its users are in two namespaces.
			other := newTeam(t.T, t.server, "-other")
			ref := t.allow(t.tenant.Namespace+"-shared", t.server.connection())
			cpc := &providerv1beta1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: ref.Name}}
			changeAs(t, root, cpc, func(c *providerv1beta1.ClusterProviderConfig) {
				c.Spec.AllowedNamespaces.Names = append(c.Spec.AllowedNamespaces.Names, other.tenant.Namespace)
			})

			a, b := t.bucket("cluster", parameters{}, with(ref)), other.bucket("cluster", parameters{}, with(ref))
			t.ready(a)
			other.ready(b)

			says := func(words string) {
				t.Helper()
				t.eventually(func() string {
					t.must(nil, root.Get(t.Context(), client.ObjectKeyFromObject(cpc), cpc))
					return cmp.Diff(words, cpc.GetCondition(terminating).Message)
				})
			}
			t.must(nil, root.Delete(t.Context(), cpc))
			says(fmt.Sprintf("in use by 2 managed resources, Bucket %s/cluster among them; it goes when the last of them does", other.tenant.Namespace))
			t.remove(a)
			t.gone(a)
			says(fmt.Sprintf("in use by Bucket %s/cluster; it goes when that does", other.tenant.Namespace))
			other.remove(b)
			other.gone(b)
			t.eventually(func() string {
				if err := root.Get(t.Context(), client.ObjectKeyFromObject(cpc), cpc); !kerrors.IsNotFound(err) {
					return fmt.Sprintf("the config is still there: %v", err)
				}

				return ""
			})
		})
	})
}

// TestAllowedNamespaces uses configs that do, and do not, allow a namespace.
func TestAllowedNamespaces(t *testing.T) {
	forEach(t, func(t *team) {
		ref := xpv2.ProviderConfigReference{Kind: providerv1beta1.KindClusterProviderConfig, Name: t.tenant.Namespace + "-labelled"}
		no := fmt.Sprintf("there is no ClusterProviderConfig %q that allows namespace %q", ref.Name, t.tenant.Namespace)

		b := t.bucket("assets", parameters{}, with(ref))
		t.refused(b, no)

		cpc := &providerv1beta1.ClusterProviderConfig{
			ObjectMeta: metav1.ObjectMeta{Name: ref.Name},
			Spec: providerv1beta1.ClusterProviderConfigSpec{
				Connection: t.server.connection(),
				Credentials: providerv1beta1.ClusterCredentials{
					Source:    providerv1beta1.CredentialsSecret,
					SecretRef: &providerv1beta1.SecretReference{Namespace: controlplane.Namespace, Name: t.server.Name},
				},
				AllowedNamespaces: providerv1beta1.AllowedNamespaces{
					Names:    []string{"others"},
					Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"buckets": "allowed"}},
				},
			},
		}
		t.platform(cpc)

		// The words are the same, so that another generation has to tell that they are new.
		change(t, b, func(b *bucket) { b.Spec.ForProvider.Tags = addTag(nil, "a", "1") })
		t.refused(b, no)
		t.must(nil, root.Get(t.Context(), client.ObjectKeyFromObject(cpc), cpc))
		if cpc.Status.Users != 0 {
			t.Errorf("want no users, got %d", cpc.Status.Users)
		}

		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.tenant.Namespace}}
		changeAs(t, root, ns, func(ns *corev1.Namespace) { ns.Labels["buckets"] = "allowed" })
		t.ready(b)
		t.eventually(func() string {
			t.must(nil, root.Get(t.Context(), client.ObjectKeyFromObject(cpc), cpc))
			return cmp.Diff(int64(1), cpc.Status.Users)
		})
	})
}
