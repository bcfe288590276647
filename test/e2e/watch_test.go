package e2e

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// watchPods checks an Echo's Pods at every single change to one of them, which
// polling would miss, until the function that it returns is called. What check
// finds wrong fails the test.
func (t *team) watchPods(echo string, check func(pods []corev1.Pod) string) (stop func()) {
	t.Helper()

	c, err := client.NewWithWatch(t.cp.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}

	// Without a version to begin at, a watch begins with what there is.
	w, err := c.Watch(t.Context(), &corev1.PodList{}, client.InNamespace(t.tenant.Namespace), client.MatchingLabels{"my-operator.dev/echo": echo})
	if err != nil {
		t.Fatal(err)
	}

	before, pods := len(t.livePods(echo)), map[types.UID]corev1.Pod{}

	var stopped atomic.Bool

	done := make(chan struct{})

	go func() {
		defer close(done)

		for e := range w.ResultChan() {
			p, ok := e.Object.(*corev1.Pod)
			if !ok {
				// To be stopped is an error to a watch, too.
				if !stopped.Load() {
					t.Errorf("cannot watch Pods: %v", e.Object)
				}

				return
			}

			pods[p.UID] = *p
			if e.Type == watch.Deleted {
				delete(pods, p.UID)
			}

			if before--; before >= 0 {
				continue // It is still telling what there was.
			}

			if wrong := check(slices.Collect(maps.Values(pods))); wrong != "" {
				t.Errorf("after pod %s was %s: %s", p.Name, e.Type, wrong)
			}
		}
	}()

	stop = sync.OnceFunc(func() {
		stopped.Store(true)
		w.Stop()
		<-done
	})
	t.Cleanup(stop)

	return stop
}

// within checks that at least so many Pods are ready, and at most so many exist.
// As for Kubernetes, one that is on its way out counts as gone.
func within(least, most int) func(pods []corev1.Pod) string {
	return func(pods []corev1.Pod) string {
		exist, ready := 0, 0

		for _, p := range pods {
			if p.DeletionTimestamp != nil || p.Status.Phase == corev1.PodFailed {
				continue
			}

			exist++

			for _, c := range p.Status.Conditions {
				if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
					ready++
				}
			}
		}

		if ready < least || exist > most {
			return fmt.Sprintf("want at least %d ready Pods and at most %d in all, got %d and %d", least, most, ready, exist)
		}

		return ""
	}
}
