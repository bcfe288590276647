package bucket

import (
	"context"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	runtimeevent "sigs.k8s.io/controller-runtime/pkg/event"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
)

// updates counts what is written.
type updates struct {
	client.Client

	n int
}

func (u *updates) Update(context.Context, client.Object, ...client.UpdateOption) error {
	u.n++

	return nil
}

func fresh(change func(b *v1beta1.Bucket)) *v1beta1.Bucket {
	b := &v1beta1.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "assets", UID: "1"}}
	b.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionAll}
	change(b)

	return b
}

func TestInitialize(t *testing.T) {
	derived := ownership.DeriveName("team-a", "assets", "1")

	type want struct {
		Name    string
		Held    bool
		Updates int
	}
	cases := map[string]struct {
		reason string
		bucket *v1beta1.Bucket
		want   want
	}{
		"New": {
			reason: "What is new is written along with the note that it is about to be made.",
			bucket: fresh(func(*v1beta1.Bucket) {}),
			want:   want{Name: derived, Held: true},
		},
		"Given": {
			reason: "A bucket of a given name may be there already, so the finalizer comes first.",
			bucket: fresh(func(b *v1beta1.Bucket) { meta.SetExternalName(b, "assets") }),
			want:   want{Name: "assets", Held: true, Updates: 1},
		},
		"Adopting": {
			reason: "So may one that is to be adopted.",
			bucket: fresh(func(b *v1beta1.Bucket) { b.Spec.ForProvider.Adopt = true }),
			want:   want{Name: derived, Held: true, Updates: 1},
		},
		"ObserveOnly": {
			reason: "What is not made is not written down by its making.",
			bucket: fresh(func(b *v1beta1.Bucket) {
				b.Spec.ManagementPolicies = xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
			}),
			want: want{Name: derived, Held: true, Updates: 1},
		},
		"Done": {
			reason: "What is there is not written again.",
			bucket: fresh(func(b *v1beta1.Bucket) {
				meta.SetExternalName(b, derived)
				meta.AddFinalizer(b, managed.FinalizerName)
			}),
			want: want{Name: derived, Held: true},
		},
		"LostFinalizer": {
			reason: "Somebody took the finalizer off a bucket that exists.",
			bucket: fresh(func(b *v1beta1.Bucket) {
				meta.SetExternalName(b, derived)
				meta.SetExternalCreatePending(b, metav1.Now().Time)
			}),
			want: want{Name: derived, Held: true, Updates: 1},
		},
		"Deleted": {
			reason: "What is being deleted can get no finalizer, and was never made.",
			bucket: fresh(func(b *v1beta1.Bucket) { b.DeletionTimestamp = new(metav1.Now()) }),
			want:   want{Name: derived},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			u := &updates{}
			if err := (initializer{client: u}).Initialize(t.Context(), tc.bucket); err != nil {
				t.Fatal(err)
			}
			got := want{
				Name:    meta.GetExternalName(tc.bucket),
				Held:    meta.FinalizerExists(tc.bucket, managed.FinalizerName),
				Updates: u.n,
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nInitialize(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestNotNaming(t *testing.T) {
	named := fresh(func(b *v1beta1.Bucket) { meta.SetExternalName(b, derivedName(b)) })
	cases := map[string]struct {
		reason   string
		was, now *v1beta1.Bucket
		want     bool
	}{
		"Naming":  {reason: "We gave it its derived name.", was: fresh(func(*v1beta1.Bucket) {}), now: named},
		"Given":   {reason: "A person gave it another.", was: fresh(func(*v1beta1.Bucket) {}), now: fresh(func(b *v1beta1.Bucket) { meta.SetExternalName(b, "x") }), want: true},
		"Renamed": {reason: "A person changed it.", was: fresh(func(b *v1beta1.Bucket) { meta.SetExternalName(b, "x") }), now: named, want: true},
		"Changed": {reason: "The spec changed with it.", was: fresh(func(b *v1beta1.Bucket) { b.Generation = 7 }), now: named, want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, notNaming(runtimeevent.UpdateEvent{ObjectOld: tc.was, ObjectNew: tc.now})); diff != "" {
				t.Errorf("%s\nnotNaming(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestClaims(t *testing.T) {
	pending := func(b *v1beta1.Bucket) { meta.SetExternalCreatePending(b, metav1.Now().Time) }
	cases := map[string]struct {
		reason    string
		name      string
		bucket    *v1beta1.Bucket
		begun     bool
		untouched bool
	}{
		"New":     {reason: "Nothing was done.", bucket: fresh(func(*v1beta1.Bucket) {}), untouched: true},
		"Derived": {reason: "Nobody else derives the name.", bucket: fresh(pending), begun: true},
		"Given":   {reason: "Anyone can write an annotation.", name: "neighbours", bucket: fresh(pending)},
		"Claimed": {
			reason: "Nobody but us writes the status.", name: "given",
			bucket: fresh(func(b *v1beta1.Bucket) {
				pending(b)
				b.Status.AtProvider.ARN = arnOf("", "given")
				b.SetConditions(xpv2.Creating())
			}),
			begun: true,
		},
		"ClaimedOther": {
			reason: "A claim is to one name.", name: "neighbours",
			bucket: fresh(func(b *v1beta1.Bucket) {
				pending(b)
				b.Status.AtProvider.ARN = arnOf("", "given")
				b.SetConditions(xpv2.Creating())
			}),
		},
		"Had": {
			reason: "Once it was made, a bucket that lost its marker may be anybody's.", name: "given",
			bucket: fresh(func(b *v1beta1.Bucket) {
				pending(b)
				b.Status.AtProvider.ARN = arnOf("", "given")
				b.SetConditions(xpv2.Available())
			}),
		},
		"Adopting": {reason: "It may be adopted at any moment.", bucket: fresh(func(b *v1beta1.Bucket) { b.Spec.ForProvider.Adopt = true })},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if tc.name == "" {
				tc.name = derivedName(tc.bucket)
			}
			e := &external{target: target{bucket: tc.name}}
			if diff := cmp.Diff([]bool{tc.begun, tc.untouched}, []bool{e.begun(tc.bucket), untouched(tc.bucket)}); diff != "" {
				t.Errorf("%s\nbegun, untouched: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnbegun(t *testing.T) {
	cases := map[string]struct {
		reason string
		bucket *v1beta1.Bucket
		want   bool
	}{
		"New":     {reason: "Nothing was done, and nobody else derives the name.", bucket: fresh(func(*v1beta1.Bucket) {}), want: true},
		"Pending": {reason: "It may have been made.", bucket: fresh(func(b *v1beta1.Bucket) { meta.SetExternalCreatePending(b, metav1.Now().Time) })},
		"Forgotten": {
			reason: "Anyone can take an annotation away: what the status says remains.",
			bucket: fresh(func(b *v1beta1.Bucket) { b.Status.AtProvider.ARN = arnOf("", derivedName(b)) }),
		},
		"Given":    {reason: "There may be one of that name.", bucket: fresh(func(b *v1beta1.Bucket) { meta.SetExternalName(b, "x") })},
		"Adopting": {reason: "There may be one to adopt.", bucket: fresh(func(b *v1beta1.Bucket) { b.Spec.ForProvider.Adopt = true })},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if meta.GetExternalName(tc.bucket) == "" {
				meta.SetExternalName(tc.bucket, derivedName(tc.bucket))
			}
			if diff := cmp.Diff(tc.want, unbegun(tc.bucket)); diff != "" {
				t.Errorf("%s\nunbegun(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
