package bucketaccess

import (
	"context"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/test"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	runtimeevent "sigs.k8s.io/controller-runtime/pkg/event"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/identity"
	"my-operator.dev/echo/provider/ownership"
)

// newBucket returns a Bucket that has a bucket, or none if that has no name.
func newBucket(external string) *v1beta1.Bucket {
	b := &v1beta1.Bucket{}
	b.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "mine"}
	if external != "" {
		b.Status.AtProvider.ARN = "arn:aws:s3:::" + external
	}

	return b
}

// newAccess returns an access to the Bucket "assets" whose status tells of keys, if of
// any, to a bucket.
func newAccess(id, external string, with ...func(a *v1beta1.BucketAccess)) *v1beta1.BucketAccess {
	a := &v1beta1.BucketAccess{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "keys"}}
	a.Spec.ForProvider.BucketRef.Name = "assets"
	a.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "mine"}
	a.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: "keys"}
	a.Status.AtProvider = v1beta1.BucketAccessObservation{AccessKeyID: id, Bucket: external}
	for _, f := range with {
		f(a)
	}

	return a
}

func pending(a *v1beta1.BucketAccess) { meta.SetExternalCreatePending(a, time.Now()) }

func otherConfig(a *v1beta1.BucketAccess) {
	a.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: "ProviderConfig", Name: "other"}
}

func externalName(name string) func(a *v1beta1.BucketAccess) {
	return func(a *v1beta1.BucketAccess) { meta.SetExternalName(a, name) }
}

func text(err error) string {
	if err == nil {
		return ""
	}

	return err.Error()
}

func TestConnectorBucket(t *testing.T) {
	const (
		none  = `there is no Bucket "assets" in namespace "team-a" yet`
		empty = `Bucket "assets" is not there yet`
		other = `spec.providerConfigRef: it has to be that of Bucket "assets"`
	)
	type want struct{ missing, err, ready string }

	cases := map[string]struct {
		reason string
		bucket *v1beta1.Bucket
		access *v1beta1.BucketAccess
		want   want
	}{
		"There":          {"A Bucket with a bucket is all that is needed.", newBucket("x"), newAccess("", ""), want{}},
		"NotYet":         {"An access that is made before its Bucket waits.", nil, newAccess("", ""), want{err: none, ready: none}},
		"Gone":           {"Keys that were seen are looked at without the Bucket.", nil, newAccess("a", "x"), want{missing: none}},
		"GoneMaking":     {"So are those that may have been made.", nil, newAccess("", "", pending), want{missing: none}},
		"WithoutBucket":  {"An access to a Bucket that has none yet waits.", newBucket(""), newAccess("", ""), want{err: empty, ready: empty}},
		"LostBucket":     {"Keys are looked at where the Bucket has lost its bucket.", newBucket(""), newAccess("a", "x"), want{missing: empty}},
		"OtherConfig":    {"Who changes the config of both, one after the other, keeps the keys.", newBucket("x"), newAccess("a", "x", otherConfig), want{err: other, ready: other}},
		"OtherConfigYet": {"Also when the Bucket goes first, and has no bucket there yet.", newBucket(""), newAccess("a", "x", otherConfig), want{err: other, ready: other}},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := &connector{client: &test.MockClient{MockGet: func(_ context.Context, _ client.ObjectKey, o client.Object) error {
				if tc.bucket == nil {
					return kerrors.NewNotFound(schema.GroupResource{}, "assets")
				}
				tc.bucket.DeepCopyInto(o.(*v1beta1.Bucket))

				return nil
			}}}
			_, missing, err := c.bucket(t.Context(), tc.access)
			got := want{missing: text(missing), err: text(err), ready: tc.access.GetCondition(xpv2.TypeReady).Message}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("%s\nbucket(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestOpens(t *testing.T) {
	cases := map[string]struct {
		reason string
		access *v1beta1.BucketAccess
		bucket *v1beta1.Bucket
		want   string
	}{
		"None":   {"Keys are made for the bucket that the Bucket has.", newAccess("", "", externalName("forged")), newBucket("x"), "x"},
		"Seen":   {"Keys that were seen open what they were seen to open.", newAccess("a", "x", externalName("forged")), newBucket("y"), "x"},
		"Gone":   {"Also when the Bucket is gone.", newAccess("a", "x", externalName("forged")), nil, "x"},
		"Making": {"Of keys that nobody has seen, the name tells that was written down before.", newAccess("", "", externalName("x")), nil, "x"},
		"Lost":   {"Also when the Bucket has no bucket.", newAccess("", "", externalName("x")), newBucket(""), "x"},
		"Before": {"A bucket that keys were removed from is not the one of the next.", newAccess("", "x"), newBucket("y"), "y"},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, opens(tc.access, tc.bucket)); diff != "" {
				t.Errorf("%s\nopens(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestLoss(t *testing.T) {
	missing := errors.New("not there yet")
	gone := `there is no Bucket "assets" in namespace "team-a" any more, so the keys to it are removed`

	cases := map[string]struct {
		reason   string
		external *external
		want     string
	}{
		"Ours":     {"Keys to the Bucket's own bucket stay.", &external{bucket: newBucket("x"), verdict: ownership.Ours}, ""},
		"Gone":     {"Without the Bucket nobody looks whose the bucket is.", &external{missing: missing}, gone},
		"Foreign":  {"Keys to a bucket that is somebody else's go.", &external{bucket: newBucket("x"), verdict: ownership.Foreign}, errForeign.Error()},
		"Handed":   {"Also once the Bucket has found out.", &external{bucket: newBucket(""), missing: missing, verdict: ownership.Foreign}, errForeign.Error()},
		"Absent":   {"A bucket that is not there may be made again.", &external{bucket: newBucket(""), missing: missing, verdict: ownership.Absent}, ""},
		"Unmarked": {"A bucket without tags may be ours.", &external{bucket: newBucket(""), missing: missing, verdict: ownership.Unmarked}, ""},
		"Moved":    {"Keys to the bucket of a Bucket before this one go.", &external{bucket: newBucket("y"), verdict: ownership.Absent}, errMoved.Error()},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.external.grant.Bucket = "x"
			if diff := cmp.Diff(tc.want, text(tc.external.loss(newAccess("a", "x")))); diff != "" {
				t.Errorf("%s\nloss(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// server is one that has keys, or none, and counts how often all are removed.
type server struct {
	identity.Server

	found   identity.Observation
	removed int
}

func (s *server) Observe(context.Context, identity.Owner, identity.Grant) (identity.Observation, error) {
	return s.found, nil
}

func (s *server) RemoveAll(context.Context, identity.Owner, identity.Grant) error {
	s.removed++
	return nil
}

func TestObserveGone(t *testing.T) {
	const (
		missing = "there is no Bucket yet"
		gone    = `there is no Bucket "assets" in namespace "team-a" any more, so the keys to it are removed`
	)
	type want struct {
		exists bool
		err    string
		ready  string
		status v1beta1.BucketAccessObservation
	}

	cases := map[string]struct {
		reason string
		access *v1beta1.BucketAccess
		found  identity.Observation
		want   want
	}{
		"Keys": {
			reason: "Keys are there to be removed.",
			access: newAccess("a", "x"),
			found:  identity.Observation{Exists: true, Keys: []string{"a"}},
			want:   want{exists: true, ready: gone, status: v1beta1.BucketAccessObservation{AccessKeyID: "a", Bucket: "x"}},
		},
		"Unseen": {
			reason: "So are those that the status does not tell of.",
			access: newAccess("", "", pending),
			found:  identity.Observation{Exists: true, Keys: []string{"a"}},
			want:   want{exists: true, ready: gone},
		},
		"Removed": {
			reason: "The status goes on to say why there are none any more.",
			access: newAccess("a", "x"),
			want:   want{err: gone, ready: gone, status: v1beta1.BucketAccessObservation{Bucket: "x"}},
		},
		"Forged": {
			reason: "Who says that keys may have been made is told what all are told.",
			access: newAccess("", "", pending),
			want:   want{err: missing, ready: missing},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			e := &external{
				live:       &test.MockClient{MockGet: test.NewMockGetFn(kerrors.NewNotFound(schema.GroupResource{}, "keys"))},
				identities: &server{found: tc.found}, missing: errors.New(missing),
			}
			o, err := e.Observe(t.Context(), tc.access)
			ready := tc.access.GetCondition(xpv2.TypeReady)
			got := want{exists: o.ResourceExists, err: text(err), ready: ready.Message, status: tc.access.Status.AtProvider}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("%s\nObserve(...): -want, +got:\n%s", tc.reason, diff)
			}
			if ready.Status != corev1.ConditionFalse || o.ResourceUpToDate {
				t.Errorf("%s\nObserve(...): want Ready to be False and something to do, got %+v, %+v", tc.reason, ready, o)
			}
		})
	}
}

func TestUpdateLost(t *testing.T) {
	s := &server{}
	e := &external{identities: s, lost: errForeign}
	_, err := e.Update(t.Context(), newAccess("a", "x"))
	if diff := cmp.Diff(errForeign.Error(), text(err)); diff != "" || s.removed != 1 {
		t.Errorf("Update(...): all keys were removed %d times, want once; error: -want, +got:\n%s", s.removed, diff)
	}
}

func TestBucketChanged(t *testing.T) {
	cases := map[string]struct {
		reason string
		got    bool
		want   bool
	}{
		"Same":    {"A Bucket that is only looked at changes nothing.", updated("x", "x"), false},
		"LostARN": {"A Bucket that loses its bucket wakes those with keys to it.", updated("x", ""), true},
		"GotARN":  {"One that gets its bucket wakes those who wait.", updated("", "x"), true},
		"Deleted": {"One that is gone wakes those with keys to it.", bucketChanged().Delete(runtimeevent.DeleteEvent{Object: newBucket("x")}), true},
		"Created": {"One that is back wakes those who wait.", bucketChanged().Create(runtimeevent.CreateEvent{Object: newBucket("x")}), true},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("%s\nbucketChanged(): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func updated(before, after string) bool {
	return bucketChanged().Update(runtimeevent.UpdateEvent{ObjectOld: newBucket(before), ObjectNew: newBucket(after)})
}

func TestNextLook(t *testing.T) {
	const poll = time.Hour

	asking := func(policies ...xpv2.ManagementAction) *v1beta1.BucketAccess {
		a := newAccess("a", "x")
		a.Spec.ForProvider.Rotation.Trigger = "now"
		a.Spec.ManagementPolicies = policies

		return a
	}

	cases := map[string]struct {
		reason string
		of     *v1beta1.BucketAccess
		soon   bool
	}{
		"Rotates":  {reason: "What was made is looked at without delay.", of: asking(xpv2.ManagementActionAll), soon: true},
		"Updates":  {reason: "Also where the policies name the updates.", of: asking(xpv2.ManagementActionObserve, xpv2.ManagementActionUpdate), soon: true},
		"Observes": {reason: "Keys that may not be rotated wait for the poll.", of: asking(xpv2.ManagementActionObserve, xpv2.ManagementActionCreate)},
		"Settled":  {reason: "Where nothing is asked for the poll is soon enough.", of: newAccess("a", "x")},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := nextLook(tc.of, poll)
			if soon := got == afterRotation; soon != tc.soon || !soon && got < poll {
				t.Errorf("%s\nnextLook(...): got %s, want it to be soon: %t", tc.reason, got, tc.soon)
			}
		})
	}
}
