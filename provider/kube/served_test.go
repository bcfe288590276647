package kube

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	discovery "k8s.io/client-go/discovery/fake"
	clienttesting "k8s.io/client-go/testing"

	provider "my-operator.dev/echo/apis/provider/v1beta1"
	storage "my-operator.dev/echo/apis/storage/v1beta1"
)

type gates map[schema.GroupVersionKind]bool

func (g gates) Register(func(), ...schema.GroupVersionKind) {}

func (g gates) Set(gvk schema.GroupVersionKind, ready bool) bool {
	g[gvk] = ready
	return true
}

func TestServed(t *testing.T) {
	all := []schema.GroupVersionKind{storage.BucketGroupVersionKind, storage.BucketAccessGroupVersionKind, provider.ProviderConfigGroupVersionKind}

	cases := map[string]struct {
		reason string
		lists  []*metav1.APIResourceList
		open   gates
		wait   []schema.GroupVersionKind
	}{
		"None": {
			reason: "A group that is not served has no kinds.",
			open:   gates{},
			wait:   all,
		},
		"Some": {
			reason: "Each kind is on its own.",
			lists: []*metav1.APIResourceList{{GroupVersion: storage.APIVersion, APIResources: []metav1.APIResource{
				{Name: "buckets", Kind: storage.KindBucket}, {Name: "buckets/status", Kind: storage.KindBucket},
			}}},
			open: gates{storage.BucketGroupVersionKind: true},
			wait: all[1:],
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			open := gates{}
			s := &served{discovery: &discovery.FakeDiscovery{Fake: &clienttesting.Fake{Resources: tc.lists}}, gate: open, log: logging.NewNopLogger()}

			if diff := cmp.Diff(tc.wait, s.open(all)); diff != "" {
				t.Errorf("\n%s\nopen(...): -want, +got:\n%s", tc.reason, diff)
			}

			if diff := cmp.Diff(tc.open, open); diff != "" {
				t.Errorf("\n%s\ngate: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
