package provider

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// blocked is the condition that says what keeps a bucket from being deleted.
const blocked = xpv2.ConditionType("DeletionBlocked")

// TestDeletionRefused deletes a Bucket that holds something. It stays, and says what it
// holds, without calling the server all the time; it goes once that is gone.
func TestDeletionRefused(t *testing.T) {
	forEach(t, func(t *team) {
		calls := t.counted()
		b := t.bucket("assets", parameters{Versioning: storagev1beta1.VersioningEnabled})
		t.ready(b)
		external := meta.GetExternalName(b)

		for _, key := range []string{"twice", "deleted", "twice"} {
			t.server.put(t, external, key)
		}
		t.must(t.server.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: &external, Key: aws.String("deleted")}))

		t.remove(b)
		words := fmt.Sprintf("bucket %q holds 1 object, 2 earlier versions and 1 delete marker: empty it, or set forceDestroy to have all of it deleted", external)
		t.says(b, blocked, corev1.ConditionTrue, words)
		t.says(b, xpv2.TypeSynced, corev1.ConditionFalse, words)

		const tries, perTry = 4, 3
		began := time.Now()
		n := t.observed(calls, tries)
		if all, _ := calls.Total(); all > (n+1)*perTry {
			t.Errorf("want %d calls for each of %d tries at most, got %v", perTry, n, calls.Calls())
		}
		if took := time.Since(began); took < poll {
			t.Errorf("want some time between tries, there were %d in %s", n, took)
		}

		t.empty(external)
		t.gone(b)
		if t.server.exists(t, external) {
			t.Error("the bucket is still on the server")
		}
	})
}

// TestDeletionForcedLater sets forceDestroy when the Bucket is being deleted already.
func TestDeletionForcedLater(t *testing.T) {
	forEach(t, func(t *team) {
		b := t.bucket("assets", parameters{})
		t.ready(b)
		external := meta.GetExternalName(b)
		t.server.put(t, external, "kept")

		t.remove(b)
		t.says(b, blocked, corev1.ConditionTrue, fmt.Sprintf("bucket %q holds 1 object:", external))

		change(t, b, func(b *bucket) { b.Spec.ForProvider.ForceDestroy = true })
		t.gone(b)
		if t.server.exists(t, external) {
			t.Error("the bucket is still on the server")
		}
	})
}

// TestDeletionForced deletes a Bucket that holds more than one call can list: objects,
// earlier versions, delete markers and an upload that was never finished.
func TestDeletionForced(t *testing.T) {
	forEach(t, func(t *team) {
		calls := t.counted()
		b := t.bucket("assets", parameters{Versioning: storagev1beta1.VersioningEnabled, ForceDestroy: true})
		t.ready(b)
		external := meta.GetExternalName(b)

		// With a marker for half of them there are 1,050 of all, in batches of 1,000.
		const objects, markers = 700, 350
		t.fill(external, objects)
		t.hide(external, markers)
		t.must(t.server.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: &external, Key: aws.String("half/done")}))

		calls.Reset()
		t.remove(b)
		t.gone(b)
		if t.server.exists(t, external) {
			t.Error("the bucket is still on the server")
		}
		if got := calls.Calls()["POST bucket?delete"]; got != 2 {
			t.Errorf("want two batches, got %v", calls.Calls())
		}
	})
}

// TestDeletionLocked deletes a Bucket with an object under a retention: even by force
// it is not to be had before that ends.
func TestDeletionLocked(t *testing.T) {
	forEach(t, func(t *team) {
		p := parameters{ForceDestroy: true}
		settings()["objectLock"].set(&p, "")
		b := t.bucket("assets", p)
		t.ready(b)
		external := meta.GetExternalName(b)
		t.server.put(t, external, "locked")

		t.remove(b)
		t.says(b, blocked, corev1.ConditionTrue,
			"the server does not delete 1 of the object versions", "they may be under a retention or a legal hold, which has to end first")

		for _, v := range t.versions(external) {
			t.must(t.server.DeleteObject(t.Context(), &s3.DeleteObjectInput{
				Bucket: &external, Key: v.Key, VersionId: v.VersionId, BypassGovernanceRetention: aws.Bool(true),
			}))
		}
		t.gone(b)
	})
}

// fill puts objects into a bucket.
func (t *team) fill(external string, n int) {
	t.Helper()

	const atOnce = 16

	var g errgroup.Group
	g.SetLimit(atOnce)
	for i := range n {
		g.Go(func() error { return put(t.Context(), t.server.Client, external, fmt.Sprintf("dir/%05d", i), "") })
	}
	t.must(nil, g.Wait())
}

// hide puts delete markers before as many objects.
func (t *team) hide(external string, n int) {
	t.Helper()

	ids := []types.ObjectIdentifier{}
	for i := range n {
		ids = append(ids, types.ObjectIdentifier{Key: aws.String(fmt.Sprintf("dir/%05d", i))})
	}
	out, err := t.server.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{Bucket: &external, Delete: &types.Delete{Objects: ids, Quiet: aws.Bool(true)}})
	t.must(out, err)
	if len(out.Errors) > 0 {
		t.Fatalf("cannot hide objects: %+v", out.Errors[0])
	}
}

// versions are all versions and delete markers in a bucket that has few.
func (t *team) versions(external string) []types.ObjectIdentifier {
	t.Helper()

	out, err := t.server.ListObjectVersions(t.Context(), &s3.ListObjectVersionsInput{Bucket: &external})
	t.must(out, err)

	all := []types.ObjectIdentifier{}
	for _, v := range out.Versions {
		all = append(all, types.ObjectIdentifier{Key: v.Key, VersionId: v.VersionId})
	}
	for _, m := range out.DeleteMarkers {
		all = append(all, types.ObjectIdentifier{Key: m.Key, VersionId: m.VersionId})
	}

	return all
}

// empty empties a bucket that holds little.
func (t *team) empty(external string) {
	t.Helper()

	out, err := t.server.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{Bucket: &external, Delete: &types.Delete{Objects: t.versions(external)}})
	t.must(out, err)
	if len(out.Errors) > 0 {
		t.Fatal(strings.TrimSpace(fmt.Sprintf("cannot empty %s: %+v", external, out.Errors[0])))
	}
}
