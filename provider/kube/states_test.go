package kube

import (
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	storage "my-operator.dev/echo/apis/storage/v1beta1"
)

func TestStates(t *testing.T) {
	scheme, err := newScheme()
	if err != nil {
		t.Fatal(err)
	}

	c := fake.NewClientBuilder().WithScheme(scheme)

	for name, conditions := range map[string][]xpv2.Condition{
		"new":     nil,
		"ready":   {xpv2.Available(), xpv2.ReconcileSuccess()},
		"failing": {xpv2.Available(), {Type: xpv2.TypeSynced, Status: "False"}},
		"making":  {xpv2.Creating(), xpv2.ReconcileSuccess()},
	} {
		b := &storage.Bucket{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name}}
		b.SetConditions(conditions...)
		c.WithObjects(b)
	}

	s := NewStates(c.Build())
	s.Add(storage.BucketGroupVersionKind, &storage.BucketList{})

	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s)

	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}

	got := map[string]float64{}
	for _, f := range families {
		got[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue()
	}

	want := map[string]float64{
		"crossplane_managed_resource_exists": 4,
		"crossplane_managed_resource_ready":  2,
		"crossplane_managed_resource_synced": 2,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("\nEach state is counted on its own.\nGather(): -want, +got:\n%s", diff)
	}
}
