package config

import (
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/google/go-cmp/cmp"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"my-operator.dev/echo/apis/provider/v1beta1"
	storage "my-operator.dev/echo/apis/storage/v1beta1"
)

// in has a Bucket be in a namespace, with a UID of its own.
func in(namespace string) func(*storage.Bucket) {
	return func(b *storage.Bucket) {
		b.Namespace, b.UID = namespace, types.UID("u-"+namespace)
	}
}

func finalized(b *storage.Bucket) { b.Finalizers = []string{managed.FinalizerName} }

func orphan(u *v1beta1.ProviderConfigUsage) *v1beta1.ProviderConfigUsage {
	u.OwnerReferences = nil
	return u
}

func TestReconcile(t *testing.T) {
	const kind = "ClusterProviderConfig"

	now := metav1.NewTime(time.Now().Truncate(time.Second))
	config := func(deleted bool, namespaces ...string) *v1beta1.ClusterProviderConfig {
		c := &v1beta1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
		c.Spec.AllowedNamespaces.Names = namespaces

		if deleted {
			c.DeletionTimestamp, c.Finalizers = &now, []string{finalizer}
		}

		return c
	}

	type want struct {
		Exists, Kept bool
		Users        int64
		Message      string
	}

	cases := map[string]struct {
		reason  string
		objects []client.Object
		want    want
	}{
		"Unused": {
			reason:  "A config is kept from the start, before anyone uses it.",
			objects: []client.Object{config(false)},
			want:    want{Exists: true, Kept: true},
		},
		"Used": {
			reason: "Users are counted in all namespaces; those of a config of a like name are not, nor are usages that nobody owns.",
			objects: []client.Object{
				config(false),
				usage(bucket(kind, "default", in("team-a"))),
				usage(bucket(kind, "default", in("team-b"))),
				usage(bucket("ProviderConfig", "default", in("team-c"))),
				usage(bucket(kind, "other", in("team-d"))),
				orphan(usage(bucket(kind, "default", in("team-e")))),
			},
			want: want{Exists: true, Kept: true, Users: 2},
		},
		"DeletedUnused": {
			reason:  "A config that nobody uses goes at once.",
			objects: []client.Object{config(true), usage(bucket(kind, "other"))},
		},
		"DeletedUsed": {
			reason:  "One that is in use says so, and by whom.",
			objects: []client.Object{config(true), usage(bucket(kind, "default", in("team-b"))), usage(bucket(kind, "default"))},
			want:    want{Exists: true, Kept: true, Users: 2, Message: "in use by 2 managed resources, Bucket team-a/assets among them; it goes when the last of them does"},
		},
		"DeletedUsageGone": {
			reason:  "A resource whose usage went before it, as in a namespace that is deleted, still counts, and once.",
			objects: []client.Object{config(true, "*"), bucket(kind, "default", finalized)},
			want:    want{Exists: true, Kept: true, Users: 1, Message: "in use by Bucket team-a/assets; it goes when that does"},
		},
		"DeletedBoth": {
			reason:  "A resource and its usage are one user.",
			objects: []client.Object{config(true, "*"), bucket(kind, "default", finalized), usage(bucket(kind, "default"))},
			want:    want{Exists: true, Kept: true, Users: 1, Message: "in use by Bucket team-a/assets; it goes when that does"},
		},
		"DeletedNotAllowed": {
			reason:  "A tenant that the config does not allow cannot hold it.",
			objects: []client.Object{config(true, "team-b"), bucket(kind, "default", finalized)},
		},
		"DeletedNothingMade": {
			reason:  "Nor can a resource for which nothing was made.",
			objects: []client.Object{config(true, "*"), bucket(kind, "default")},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.NewClientBuilder().WithScheme(scheme(t)).WithObjects(tc.objects...).
				WithStatusSubresource(&v1beta1.ClusterProviderConfig{}).
				WithIndex(&v1beta1.ProviderConfigUsage{}, byConfig, func(o client.Object) []string {
					return []string{usageKey(o.(*v1beta1.ProviderConfigUsage))}
				}).Build()
			r := &reconciler{
				client: c,
				users:  users{cached: c, live: c, lists: []client.ObjectList{&storage.BucketList{}}},
				record: event.NewNopRecorder(),
				empty:  func() resource.ProviderConfig { return &v1beta1.ClusterProviderConfig{} },
			}
			request := reconcile.Request{NamespacedName: types.NamespacedName{Name: "default"}}

			if _, err := r.Reconcile(t.Context(), request); err != nil {
				t.Fatal(err)
			}

			after := &v1beta1.ClusterProviderConfig{}
			err := c.Get(t.Context(), request.NamespacedName, after)

			got := want{
				Exists: !kerrors.IsNotFound(err), Kept: len(after.Finalizers) > 0, Users: after.Status.Users,
				Message: after.GetCondition("Terminating").Message,
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nReconcile(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
