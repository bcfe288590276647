package kube

import (
	"context"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	storage "my-operator.dev/echo/apis/storage/v1beta1"
)

func TestSaveStatus(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*storage.Bucket)
		opts   []client.SubResourceUpdateOption
		sent   int
	}{
		"Same": {
			reason: "What would change nothing is not sent.",
			change: func(*storage.Bucket) {},
		},
		"SameAgain": {
			reason: "Nor is a condition that was set to what it was.",
			change: func(b *storage.Bucket) { b.SetConditions(xpv2.Available()) },
		},
		"EmptyForNone": {
			reason: "Nor is an empty list for none, which are the same to the API.",
			change: func(b *storage.Bucket) { b.Status.AtProvider.Configured = []string{} },
		},
		"Spec": {
			reason: "Nor is a change that is not of the status.",
			change: func(b *storage.Bucket) { b.Spec.ForProvider.ForceDestroy = true },
		},
		"Condition": {
			reason: "A condition that changed is sent.",
			change: func(b *storage.Bucket) { b.SetConditions(xpv2.Deleting()) },
			sent:   1,
		},
		"AtProvider": {
			reason: "So is what was seen.",
			change: func(b *storage.Bucket) { b.Status.AtProvider.URL = "http://there" },
			sent:   1,
		},
		"OtherVersion": {
			reason: "An update of another version than that in the cache is sent, since nobody can say here what it changes.",
			change: func(b *storage.Bucket) { b.ResourceVersion = "1" },
			sent:   1,
		},
		"OtherObject": {
			reason: "So is one of another object of the same name.",
			change: func(b *storage.Bucket) { b.UID = "other" },
			sent:   1,
		},
		"Unknown": {
			reason: "And one of an object that is not in the cache.",
			change: func(b *storage.Bucket) { b.Name = "unknown" },
			sent:   1,
		},
		"Options": {
			reason: "And one with options, which may mean anything.",
			change: func(*storage.Bucket) {},
			opts:   []client.SubResourceUpdateOption{client.DryRunAll},
			sent:   1,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			scheme, err := newScheme()
			if err != nil {
				t.Fatal(err)
			}

			b := &storage.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "assets", UID: "u-i-d"}}
			b.SetConditions(xpv2.Available())

			sent := 0
			c := SaveStatus(interceptor.NewClient(
				fake.NewClientBuilder().WithScheme(scheme).WithObjects(b).WithStatusSubresource(b).Build(),
				interceptor.Funcs{SubResourceUpdate: func(context.Context, client.Client, string, client.Object, ...client.SubResourceUpdateOption) error {
					sent++
					return nil
				}},
			))

			read := &storage.Bucket{}
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(b), read); err != nil {
				t.Fatal(err)
			}

			tc.change(read)

			if err := c.Status().Update(t.Context(), read, tc.opts...); err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.sent, sent); diff != "" {
				t.Errorf("\n%s\nupdates sent: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSaveStatusOfOthers(t *testing.T) {
	sent := 0
	c := SaveStatus(interceptor.NewClient(fake.NewClientBuilder().Build(), interceptor.Funcs{
		SubResourceUpdate: func(context.Context, client.Client, string, client.Object, ...client.SubResourceUpdateOption) error {
			sent++
			return nil
		},
	}))

	// A kind without a status, and one without Go types.
	for _, o := range []client.Object{&corev1.Secret{}, &metav1.PartialObjectMetadata{}} {
		if err := c.Status().Update(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}

	if sent != 2 {
		t.Errorf("updates sent: want 2, got %d", sent)
	}
}
