package main

import (
	"context"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// A view is what there is of Buckets, kept up to date by a watch.
type view struct {
	mu    sync.Mutex
	ready map[types.UID]bool // of each Bucket that exists
	n     int                // of them ready
	err   error
}

// view watches Buckets until the context ends.
func (r *rig) view(ctx context.Context) (*view, error) {
	list := &storagev1beta1.BucketList{}
	if err := r.client.List(ctx, list, client.InNamespace(namespace)); err != nil {
		return nil, errors.Wrap(err, "cannot list Buckets")
	}

	v := &view{ready: map[types.UID]bool{}}
	for i := range list.Items {
		v.see(&list.Items[i], false)
	}

	go r.follow(ctx, v, list.GetResourceVersion())

	return v, nil
}

// follow has the view see what happens from a version on. API servers end watches for
// reasons of their own, above all when they have a lot to do; the next one then goes on
// where the last one ended.
func (r *rig) follow(ctx context.Context, v *view, version string) {
	for ctx.Err() == nil {
		since := &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: version}}

		w, err := r.client.Watch(ctx, &storagev1beta1.BucketList{}, client.InNamespace(namespace), since)
		if err != nil {
			v.fail(errors.Wrap(err, "cannot watch Buckets"))
			return
		}

		for e := range w.ResultChan() {
			b, ok := e.Object.(*storagev1beta1.Bucket)
			if !ok {
				v.fail(errors.Errorf("cannot watch Buckets: %v", e.Object))
				break
			}

			version = b.GetResourceVersion()
			v.see(b, e.Type == watch.Deleted)
		}

		w.Stop()
	}
}

// see takes note of a Bucket.
func (v *view) see(b *storagev1beta1.Bucket, gone bool) {
	is := b.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue

	v.mu.Lock()
	defer v.mu.Unlock()

	if v.ready[b.GetUID()] {
		v.n--
	}

	if gone {
		delete(v.ready, b.GetUID())
		return
	}

	if v.ready[b.GetUID()] = is; is {
		v.n++
	}
}

// fail has whoever waits give up.
func (v *view) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()

	v.err = err
}

// count returns how many Buckets exist, and how many of them are Ready.
func (v *view) count() (exist, ready int, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()

	return len(v.ready), v.n, v.err
}

// look is how often the view is asked while something is waited for.
const look = 10 * time.Millisecond

// await waits until the view is as done wants it.
func (v *view) await(ctx context.Context, done func(exist, ready int) bool) error {
	for {
		exist, ready, err := v.count()
		if err != nil {
			return err
		}

		if done(exist, ready) {
			return nil
		}

		if err := sleep(ctx, look); err != nil {
			return errors.Wrapf(err, "gave up with %d Buckets, %d of them Ready", exist, ready)
		}
	}
}
