package provider

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// The tags that say whose a bucket is.
const (
	tagOwner    = "my-operator.dev/owner"
	tagOwnerUID = "my-operator.dev/owner-uid"
	tagCreated  = "my-operator.dev/created"
	tagOffered  = "my-operator.dev/offered-to"
)

// declared are the tags of a bucket that are not reserved.
func declared(tags map[string]string) map[string]string {
	tags = maps.Clone(tags)
	maps.DeleteFunc(tags, func(k, _ string) bool { return strings.HasPrefix(k, "my-operator.dev/") })

	return tags
}

// TestBucket makes a Bucket and deletes it.
func TestBucket(t *testing.T) {
	forEach(t, func(t *team) {
		before := time.Now().Add(-time.Second).Truncate(time.Second)
		b := t.bucket("assets", parameters{Tags: map[string]storagev1beta1.TagValue{"team": "blue"}})
		t.ready(b)

		external := meta.GetExternalName(b)
		if !strings.HasPrefix(external, t.tenant.Namespace+"-assets-") {
			t.Errorf("external name: want it to tell of the namespace and the name, got %q", external)
		}

		tags := t.server.tags(t, external)
		want := map[string]string{
			tagOwner: t.tenant.Namespace + "/assets", tagOwnerUID: string(b.GetUID()), tagCreated: tags[tagCreated],
			"team": "blue",
		}
		if diff := cmp.Diff(want, tags); diff != "" {
			t.Errorf("tags on the server: -want, +got:\n%s", diff)
		}

		at := b.Status.AtProvider
		wantAt := storagev1beta1.BucketObservation{
			ARN:        "arn:aws:s3:::" + external,
			URL:        t.server.Endpoint + "/" + external,
			Region:     t.server.Region,
			Endpoint:   t.server.Endpoint,
			Server:     t.server.callsItself,
			Configured: []string{"tags"},
		}
		if diff := cmp.Diff(wantAt, at, cmpopts.IgnoreFields(at, "CreationTime")); diff != "" {
			t.Errorf("status.atProvider: -want, +got:\n%s", diff)
		}
		if c := at.CreationTime; c == nil || c.Time.Before(before) || c.After(time.Now()) {
			t.Errorf("status.atProvider.creationTime: want the time of this test, got %v", c)
		}

		t.remove(b)
		t.gone(b)
		if t.server.exists(t, external) {
			t.Error("the bucket is still on the server")
		}
	})
}

// TestSameName gives two namespaces Buckets of the same name.
func TestSameName(t *testing.T) {
	forEach(t, func(t *team) {
		other := newTeam(t.T, t.server, "-other")
		a, b := t.bucket("assets", parameters{}), other.bucket("assets", parameters{})
		t.ready(a)
		other.ready(b)

		if meta.GetExternalName(a) == meta.GetExternalName(b) {
			t.Fatalf("both have the bucket %q", meta.GetExternalName(a))
		}

		// So do a Bucket and the one of its name before it.
		t.remove(a)
		t.gone(a)
		again := t.bucket("assets", parameters{})
		t.ready(again)
		if meta.GetExternalName(a) == meta.GetExternalName(again) {
			t.Errorf("one after the other have the bucket %q", meta.GetExternalName(a))
		}
	})
}

// TestObserveOnly takes away all that the provider may do.
func TestObserveOnly(t *testing.T) {
	forEach(t, func(t *team) {
		t.sub("Own", func(t *team) {
			b := t.bucket("own", parameters{Tags: map[string]storagev1beta1.TagValue{"a": "1"}})
			t.ready(b)
			external := meta.GetExternalName(b)

			change(t, b, func(b *bucket) {
				b.Spec.ManagementPolicies = []xpv2.ManagementAction{xpv2.ManagementActionObserve}
				b.Spec.ForProvider.Tags = map[string]storagev1beta1.TagValue{"a": "2"}
			})
			t.ready(b)
			if diff := cmp.Diff(map[string]string{"a": "1"}, declared(t.server.tags(t, external))); diff != "" {
				t.Errorf("tags: -want, +got:\n%s", diff)
			}

			t.remove(b)
			t.gone(b)
			if !t.server.exists(t, external) {
				t.Error("the bucket was deleted")
			}
		})

		t.sub("Offered", func(t *team) {
			external := t.tenant.Namespace + "-offered"
			tags := map[string]string{tagOffered: t.tenant.Namespace}
			t.server.create(t, external, tags)

			b := t.bucket("offered", parameters{Adopt: true}, named[*bucket](external), managed(xpv2.ManagementActionObserve))
			t.ready(b)
			if diff := cmp.Diff("arn:aws:s3:::"+external, b.Status.AtProvider.ARN); diff != "" {
				t.Errorf("ARN: -want, +got:\n%s", diff)
			}
			if diff := cmp.Diff(tags, t.server.tags(t, external)); diff != "" {
				t.Errorf("tags: -want, +got:\n%s", diff)
			}
		})

		t.sub("Foreign", func(t *team) {
			external := t.tenant.Namespace + "-foreign"
			t.server.create(t, external, map[string]string{"cost": "12"})

			b := t.bucket("foreign", parameters{}, named[*bucket](external), managed(xpv2.ManagementActionObserve))
			t.refused(b, notYours(external))
			if diff := cmp.Diff(storagev1beta1.BucketObservation{}, b.Status.AtProvider); diff != "" {
				t.Errorf("status.atProvider: -want, +got:\n%s", diff)
			}
		})

		t.sub("Absent", func(t *team) {
			external := t.tenant.Namespace + "-absent"
			b := t.bucket("absent", parameters{}, named[*bucket](external), managed(xpv2.ManagementActionObserve))
			t.says(b, xpv2.TypeReady, corev1.ConditionFalse, "the bucket does not exist")
			if t.server.exists(t, external) {
				t.Error("the bucket was made")
			}
		})
	})
}

// TestPause has the provider look away.
func TestPause(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{Tags: map[string]storagev1beta1.TagValue{"a": "1"}})
		t.ready(b)
		external := meta.GetExternalName(b)

		change(t, b, func(b *bucket) {
			meta.AddAnnotations(b, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
			b.Spec.ForProvider.Tags = map[string]storagev1beta1.TagValue{"a": "2"}
		})
		t.eventually(func() string {
			t.read(b)
			if c := b.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcilePaused {
				return fmt.Sprintf("want a pause, got %+v", c)
			}

			return ""
		})
		if diff := cmp.Diff(map[string]string{"a": "1"}, declared(t.server.tags(t, external))); diff != "" {
			t.Errorf("paused: tags: -want, +got:\n%s", diff)
		}

		change(t, b, func(b *bucket) { meta.RemoveAnnotations(b, meta.AnnotationKeyReconciliationPaused) })
		t.eventually(func() string { return cmp.Diff(map[string]string{"a": "2"}, declared(t.server.tags(t, external))) })
	})
}

// TestOrphan deletes a Bucket that may not delete.
func TestOrphan(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{ForceDestroy: true}, managed(
			xpv2.ManagementActionObserve, xpv2.ManagementActionCreate, xpv2.ManagementActionUpdate, xpv2.ManagementActionLateInitialize))
		t.ready(b)
		external := meta.GetExternalName(b)

		t.remove(b)
		t.gone(b)
		if !t.server.exists(t, external) {
			t.Error("the bucket is gone too")
		}
	})
}

// TestDrift has somebody else change what the provider has made.
func TestDrift(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{Tags: map[string]storagev1beta1.TagValue{"a": "1"}})
		t.ready(b)
		external := meta.GetExternalName(b)
		tags := t.server.tags(t, external)

		count := drift(t, "tags")
		changed := maps.Clone(tags)
		changed["a"], changed["b"] = "2", "3"
		t.server.tag(t, external, changed)
		t.eventually(func() string { return cmp.Diff(tags, t.server.tags(t, external)) })
		t.eventually(func() string {
			if now := drift(t, "tags"); now <= count {
				return fmt.Sprintf("want a repair of tags to be counted, there were %v and are %v", count, now)
			}

			return ""
		})

		count = drift(t, "bucket")
		t.server.delete(t, external)
		t.eventually(func() string {
			tags := t.server.tags(t, external)
			return cmp.Diff([]string{"a", tagCreated, tagOwner, tagOwnerUID}, slices.Sorted(maps.Keys(tags)))
		})
		t.ready(b)
		t.eventually(func() string {
			if now := drift(t, "bucket"); now <= count {
				return fmt.Sprintf("want a new bucket to be counted, there were %v and are %v", count, now)
			}

			return ""
		})
	})
}

// TestForeignMarker takes the marker off a bucket: nothing tells any more that it is
// the resource's, so that it is left alone.
func TestForeignMarker(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{ForceDestroy: true})
		t.ready(b)
		external := meta.GetExternalName(b)

		tags := map[string]string{"mine": "now"}
		t.server.tag(t, external, tags)
		t.server.put(t, external, "kept")
		t.refused(b, notYours(external))

		t.remove(b)
		t.gone(b)
		if diff := cmp.Diff(tags, t.server.tags(t, external)); diff != "" {
			t.Errorf("tags: -want, +got:\n%s", diff)
		}
		if got, err := get(t.Context(), t.server.Client, external, "kept"); err != nil || got != "content" {
			t.Errorf("the object is %q: %v", got, err)
		}
	})
}
