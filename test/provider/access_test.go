package provider

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// What servers answer to keys that may not, and to keys that are gone.
const (
	denied  = "AccessDenied"
	unknown = "InvalidAccessKeyId"
)

// secret reads the Secret of an access, as the tenant can, and nil if there is none.
func (t *team) secret(a *access) map[string]string {
	t.Helper()

	s := &corev1.Secret{}
	key := client.ObjectKey{Namespace: a.GetNamespace(), Name: a.Spec.WriteConnectionSecretToReference.Name}
	if err := t.client.Get(t.Context(), key, s); client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	} else if err != nil {
		return nil
	}

	data := map[string]string{}
	for k, v := range s.Data {
		data[k] = string(v)
	}
	if k := data["AWS_SECRET_ACCESS_KEY"]; k != "" {
		remember(k)
	}

	return data
}

// keys are a client with the keys in the Secret of an access, and their ID.
func (t *team) keys(a *access) (*s3.Client, string) {
	t.Helper()

	data := t.secret(a)
	if data["AWS_ACCESS_KEY_ID"] == "" {
		t.Fatalf("there are no keys in the Secret of %s", a.GetName())
	}

	return newS3(t.server.S3Server, data["AWS_ACCESS_KEY_ID"], data["AWS_SECRET_ACCESS_KEY"]), data["AWS_ACCESS_KEY_ID"]
}

// TestAccessSecret reads what an access writes down.
func TestAccessSecret(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{})
		a := t.access("keys", "assets", grant{Prefix: "in/"})
		t.ready(a)
		t.read(b)

		data := t.secret(a)
		want := map[string]string{
			"AWS_ACCESS_KEY_ID":     a.Status.AtProvider.AccessKeyID,
			"AWS_SECRET_ACCESS_KEY": data["AWS_SECRET_ACCESS_KEY"],
			"AWS_REGION":            t.server.Region,
			"AWS_DEFAULT_REGION":    t.server.Region,
			"AWS_ENDPOINT_URL_S3":   t.server.Endpoint,
			"BUCKET_NAME":           meta.GetExternalName(b),
			"BUCKET_PREFIX":         "in/",
		}
		if diff := cmp.Diff(want, data); diff != "" {
			t.Errorf("Secret: -want, +got:\n%s", diff)
		}
		if data["AWS_ACCESS_KEY_ID"] == t.server.AccessKey || data["AWS_SECRET_ACCESS_KEY"] == t.server.SecretKey {
			t.Error("the keys are the provider's own")
		}
		at := storagev1beta1.BucketAccessObservation{
			Bucket:      meta.GetExternalName(b),
			Endpoint:    t.server.Endpoint,
			AccessKeyID: data["AWS_ACCESS_KEY_ID"],
			Notes:       a.Status.AtProvider.Notes,
		}
		if diff := cmp.Diff(at, a.Status.AtProvider); diff != "" {
			t.Errorf("status.atProvider: -want, +got:\n%s", diff)
		}
	})
}

// TestAccessChanged changes what keys open while they are in use.
func TestAccessChanged(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{})
		a := t.access("keys", "assets", grant{})
		t.ready(a)
		t.read(b)
		external := meta.GetExternalName(b)
		c, id := t.keys(a)
		opens := func(key, want string) {
			t.Helper()
			t.eventually(func() string { return cmp.Diff(want, code(writes(key)(t, c, external))) })
		}
		opens("a", "")

		change(t, a, func(a *access) { a.Spec.ForProvider.Access = storagev1beta1.AccessReadOnly })
		t.ready(a)
		opens("a", denied)

		change(t, a, func(a *access) {
			a.Spec.ForProvider.Access, a.Spec.ForProvider.Prefix = storagev1beta1.AccessReadWrite, "b/"
		})
		t.ready(a)
		opens("a", denied)
		opens("b/a", "")

		// The policy that the Bucket declares, and what the keys may, live side by side.
		change(t, b, func(b *bucket) { settings()["policy"].set(&b.Spec.ForProvider, external) })
		t.ready(b)
		opens("b/a", "")
		change(t, b, func(b *bucket) { b.Spec.ForProvider.Policy = nil })
		t.ready(b)
		opens("b/a", "")
		opens("a", denied)

		if _, now := t.keys(a); now != id {
			t.Errorf("the keys have changed: %s, then %s", id, now)
		}
	})
}

// TestAccessRotation asks for new keys. Those of before work until the overlap is over.
func TestAccessRotation(t *testing.T) {
	forEach(t, func(t *team) {
		const overlap = 20 * time.Second

		b := t.bucket("assets", parameters{})
		a := t.access("keys", "assets", grant{Rotation: storagev1beta1.Rotation{Trigger: "1", Overlap: &metav1.Duration{Duration: overlap}}})
		t.ready(a)
		t.read(b)
		external := meta.GetExternalName(b)
		old, oldID := t.keys(a)

		change(t, a, func(a *access) { a.Spec.ForProvider.Rotation.Trigger = "2" })
		t.eventually(func() string {
			if _, id := t.keys(a); id == oldID {
				return "the keys are those of before"
			}

			return ""
		})
		rotated := time.Now()
		next, nextID := t.keys(a)
		for name, c := range map[string]*s3.Client{"those of before": old, "the new ones": next} {
			if err := writes(name)(t, c, external); err != nil {
				t.Errorf("within the overlap, %s: %v", name, err)
			}
		}
		t.eventually(func() string {
			t.read(a)
			retiring := a.Status.AtProvider.Retiring
			if !slices.ContainsFunc(retiring, func(k storagev1beta1.RetiringKey) bool { return k.AccessKeyID == oldID }) ||
				a.Status.AtProvider.AccessKeyID != nextID || a.Status.AtProvider.Trigger != "2" {
				return fmt.Sprintf("want the status to tell of both keys, got %+v", a.Status.AtProvider)
			}

			return ""
		})

		t.eventually(func() string { return cmp.Diff(unknown, code(writes("a")(t, old, external))) })
		// What the status tells of the moment of rotation is cut to seconds.
		if after := time.Since(rotated); after < overlap-look-2*time.Second {
			t.Errorf("the keys of before went after %s already", after)
		}
		if err := writes("a")(t, next, external); err != nil {
			t.Errorf("after the overlap, the new keys: %v", err)
		}
		t.eventually(func() string {
			t.read(a)
			return cmp.Diff(0, len(a.Status.AtProvider.Retiring))
		})
		t.ready(a)
	})
}

// TestAccessLost loses the Secret, and then the user on the server. Containers may
// still run with the keys of before, so these go on to work for the overlap.
func TestAccessLost(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{})
		a := t.access("keys", "assets", grant{Rotation: storagev1beta1.Rotation{Overlap: &metav1.Duration{Duration: 2 * poll}}})
		t.ready(a)
		t.read(b)
		external := meta.GetExternalName(b)
		replaced := func(oldID string) (*s3.Client, string) {
			t.Helper()
			t.eventually(func() string {
				data := t.secret(a)
				if id := data["AWS_ACCESS_KEY_ID"]; id == "" || id == oldID {
					return fmt.Sprintf("want other keys than %q, got %q", oldID, id)
				}

				return ""
			})
			t.ready(a)
			c, id := t.keys(a)
			if err := writes("a")(t, c, external); err != nil {
				t.Errorf("the new keys: %v", err)
			}

			return c, id
		}

		old, id := t.keys(a)
		t.remove(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.tenant.Namespace, Name: "keys"}})
		_, next := replaced(id)
		t.eventually(func() string { return cmp.Diff(unknown, code(writes("a")(t, old, external))) })

		t.removeUser(next)
		replaced(next)
	})
}

// TestAccessDeleted deletes an access: nothing is left of it.
func TestAccessDeleted(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{})
		a := t.access("keys", "assets", grant{})
		t.ready(a)
		t.read(b)
		external := meta.GetExternalName(b)
		c, id := t.keys(a)

		t.remove(a)
		t.gone(a)
		if got := code(reads("a")(t, c, external)); got != unknown {
			t.Errorf("the keys: want %s, got %q", unknown, got)
		}
		if got := readPolicy(t, external); got != "" {
			t.Errorf("the bucket's policy: want none, got %s", got)
		}
		if t.server.Identity == controlplane.IdentityMinIO {
			_, found, err := t.minio().Policy(t.Context(), "echo-"+id[:16])
			if err != nil || found {
				t.Errorf("the policy of the keys: want none, found is %t: %v", found, err)
			}
		}
		t.eventually(func() string {
			if t.secret(a) != nil {
				return "the Secret is still there"
			}

			return ""
		})
		t.ready(b)
	})
}

// TestAccessOrder makes an access before its Bucket, and deletes both at once.
func TestAccessOrder(t *testing.T) {
	forEach(t, func(t *team) {
		a := t.access("keys", "assets", grant{})
		t.refused(a, fmt.Sprintf("there is no Bucket %q in namespace %q yet", "assets", t.tenant.Namespace))
		t.says(a, xpv2.TypeReady, corev1.ConditionFalse)
		if t.secret(a) != nil {
			t.Error("there is a Secret")
		}

		b := t.bucket("assets", parameters{})
		t.ready(a)
		t.read(b)
		c, _ := t.keys(a)

		t.remove(b)
		t.remove(a)
		t.gone(b)
		t.gone(a)
		if got := code(reads("a")(t, c, meta.GetExternalName(b))); got != unknown {
			t.Errorf("the keys: want %s, got %q", unknown, got)
		}
	})
}
