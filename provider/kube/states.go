package kube

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// countTimeout bounds the count of all resources of a kind, which are in memory.
const countTimeout = 5 * time.Second

// States is a collector that counts managed resources by their state when it is
// scraped. The metrics are those that all of Crossplane's providers have; theirs are
// made by copying every resource once in a few seconds.
type States struct {
	cached client.Reader

	exists, ready, synced *prometheus.Desc

	mu    sync.Mutex
	kinds []kind
}

type kind struct {
	gvk  schema.GroupVersionKind
	list client.ObjectList
}

// NewStates returns a collector that reads from a cache.
func NewStates(cached client.Reader) *States {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc("crossplane_managed_resource_"+name, help, []string{"gvk"}, nil)
	}

	return &States{
		cached: cached,
		exists: desc("exists", "The number of managed resources that exist"),
		ready:  desc("ready", "The number of managed resources in Ready=True state"),
		synced: desc("synced", "The number of managed resources in Synced=True state"),
	}
}

// Add has a kind counted from now on. The cache must be watching it already.
func (s *States) Add(gvk schema.GroupVersionKind, empty client.ObjectList) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.kinds = append(s.kinds, kind{gvk: gvk, list: empty})
}

// Describe sends the descriptors of the metrics.
func (s *States) Describe(ch chan<- *prometheus.Desc) {
	ch <- s.exists
	ch <- s.ready
	ch <- s.synced
}

// Collect counts. A kind that cannot be listed is left out.
func (s *States) Collect(ch chan<- prometheus.Metric) {
	s.mu.Lock()
	kinds := slices.Clone(s.kinds)
	s.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), countTimeout)
	defer cancel()

	for _, k := range kinds {
		list, ok := k.list.DeepCopyObject().(client.ObjectList)
		// The objects are the cache's own, and are only looked at.
		if !ok || s.cached.List(ctx, list, client.UnsafeDisableDeepCopy) != nil {
			continue
		}

		var exists, ready, synced float64

		_ = apimeta.EachListItem(list, func(o runtime.Object) error {
			mg, ok := o.(resource.Conditioned)
			if !ok {
				return nil
			}

			exists++
			ready += one(mg, xpv2.TypeReady)
			synced += one(mg, xpv2.TypeSynced)

			return nil
		})

		for desc, n := range map[*prometheus.Desc]float64{s.exists: exists, s.ready: ready, s.synced: synced} {
			ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, n, k.gvk.String())
		}
	}
}

// one is 1 if a condition is True.
func one(mg resource.Conditioned, t xpv2.ConditionType) float64 {
	if mg.GetCondition(t).Status == corev1.ConditionTrue {
		return 1
	}

	return 0
}
