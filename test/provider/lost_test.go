package provider

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// notItsOwn is what an access says of a bucket that has become somebody else's.
const notItsOwn = "the bucket is not that of the Bucket resource any more, so its keys are removed"

// lost waits until keys open nothing, and until their access says why.
func (t *team) lost(a *access, keys *s3.Client, external, why string) {
	t.Helper()
	t.eventually(func() string { return cmp.Diff(unknown, code(reads("kept")(t, keys, external))) })
	t.says(a, xpv2.TypeReady, corev1.ConditionFalse, why)
	t.says(a, xpv2.TypeSynced, corev1.ConditionFalse, why)
	t.eventually(func() string {
		t.read(a)
		return cmp.Diff(storagev1beta1.BucketAccessObservation{Bucket: external}, a.Status.AtProvider)
	})
}

// renewed waits until an access has other keys than those of before, to a bucket.
func (t *team) renewed(a *access, before, external string) {
	t.Helper()
	t.eventually(func() string {
		t.read(a)
		if at := a.Status.AtProvider; at.Bucket != external || at.AccessKeyID == "" || at.AccessKeyID == before {
			return fmt.Sprintf("want other keys than %q to bucket %q, got %+v", before, external, at)
		}

		return ""
	})
	t.ready(a)
	keys, _ := t.keys(a)
	if err := writes("a")(t, keys, external); err != nil {
		t.Errorf("the new keys: %v", err)
	}
}

// TestLostToOther hands a bucket over to another team: the keys of the one that had it
// open nothing any more.
func TestLostToOther(t *testing.T) {
	forEach(t, func(t *team) {
		other := newTeam(t.T, t.server, "-other")
		b := t.bucket("assets", parameters{})
		a := t.access("keys", "assets", grant{})
		t.ready(a)
		t.read(b)
		external := meta.GetExternalName(b)
		keys, _ := t.keys(a)
		if err := writes("kept")(t, keys, external); err != nil {
			t.Fatal(err)
		}

		tags := t.server.tags(t, external)
		tags[tagOffered] = other.tenant.Namespace
		t.server.tag(t, external, tags)
		theirs := other.bucket("taken", parameters{Adopt: true}, named[*bucket](external))
		other.ready(theirs)

		t.refused(b, notYours(external))
		t.lost(a, keys, external, notItsOwn)

		// Nothing of it touches the keys of who has the bucket now.
		access := other.access("keys", "taken", grant{})
		other.ready(access)
		now, _ := other.keys(access)
		if err := reads("kept")(other, now, external); err != nil {
			t.Errorf("the keys of the other team: %v", err)
		}

		t.remove(a)
		t.gone(a)
		if err := reads("kept")(other, now, external); err != nil {
			t.Errorf("the keys of the other team, once the first access is gone: %v", err)
		}
	})
}

// TestLostBucket deletes a Bucket and keeps the access to it. Its keys must not open
// the bucket of that name that another team makes, and come back with the Bucket.
func TestLostBucket(t *testing.T) {
	forEach(t, func(t *team) {
		external := t.tenant.Namespace + "-named"
		b := t.bucket("assets", parameters{ForceDestroy: true}, named[*bucket](external))
		a := t.access("keys", "assets", grant{})
		t.ready(a)
		keys, id := t.keys(a)
		if err := writes("kept")(t, keys, external); err != nil {
			t.Fatal(err)
		}

		t.remove(b)
		t.gone(b)
		t.lost(a, keys, external, fmt.Sprintf("there is no Bucket %q in namespace %q any more, so the keys to it are removed", "assets", t.tenant.Namespace))

		other := newTeam(t.T, t.server, "-other")
		theirs := other.bucket("taken", parameters{}, named[*bucket](external))
		other.ready(theirs)
		t.server.put(t, external, "kept")
		if got := code(reads("kept")(t, keys, external)); got != unknown {
			t.Errorf("the keys open the other team's bucket: want %s, got %q", unknown, got)
		}

		again := t.bucket("assets", parameters{})
		t.ready(again)
		t.renewed(a, id, meta.GetExternalName(again))
	})
}

// TestLostReplaced replaces a Bucket by another of its name. The keys to the bucket of
// before, which stays, open it no more, even where nobody saw the Bucket gone.
func TestLostReplaced(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{}, managed(
			xpv2.ManagementActionObserve, xpv2.ManagementActionCreate, xpv2.ManagementActionUpdate, xpv2.ManagementActionLateInitialize))
		a := t.access("keys", "assets", grant{})
		t.ready(a)
		t.read(b)
		external := meta.GetExternalName(b)
		keys, id := t.keys(a)
		if err := writes("kept")(t, keys, external); err != nil {
			t.Fatal(err)
		}

		paused := func(value string) func(*access) {
			return func(a *access) {
				meta.AddAnnotations(a, map[string]string{meta.AnnotationKeyReconciliationPaused: value})
			}
		}
		change(t, a, paused("true"))
		t.eventually(func() string {
			t.read(a)
			return cmp.Diff(xpv2.ReasonReconcilePaused, a.GetCondition(xpv2.TypeSynced).Reason)
		})
		t.remove(b)
		t.gone(b)
		again := t.bucket("assets", parameters{})
		t.ready(again)
		change(t, a, paused("false"))

		t.renewed(a, id, meta.GetExternalName(again))
		if got := code(reads("kept")(t, keys, external)); got != unknown {
			t.Errorf("the keys open the bucket of before: want %s, got %q", unknown, got)
		}
	})
}
