package kube

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// SaveStatus returns a client that does what c does, but does not send updates of a
// status that would change nothing. The managed reconciler sends one at the end of
// each reconcile, and most find everything as it was.
//
// An update is left out only where c, which reads from a cache, has the object in
// the very version that the update is of, with the same status. If the API server has
// a newer version by now, the update would be a conflict; the news of that version is
// then under way, and starts another reconcile, as the conflict would.
func SaveStatus(c client.Client) client.Client { return saving{c} }

type saving struct{ client.Client }

// Status returns the writer of statuses.
func (s saving) Status() client.SubResourceWriter {
	return savingWriter{SubResourceWriter: s.Client.Status(), cached: s.Client}
}

type savingWriter struct {
	client.SubResourceWriter

	cached client.Reader
}

// Update the status of an object, if that changes anything.
func (w savingWriter) Update(ctx context.Context, o client.Object, opts ...client.SubResourceUpdateOption) error {
	if len(opts) == 0 && w.same(ctx, o) {
		return nil
	}

	return w.SubResourceWriter.Update(ctx, o, opts...)
}

// same tells whether the object has the status that it had when it was read. It does
// not where there is any doubt.
func (w savingWriter) same(ctx context.Context, o client.Object) bool {
	status, ok := statusOf(o)
	if !ok || o.GetResourceVersion() == "" {
		return false
	}

	read, ok := reflect.TypeAssert[client.Object](reflect.New(reflect.TypeOf(o).Elem()))
	if !ok {
		return false
	}

	// What is read is the cache's own, and is only compared.
	if err := w.cached.Get(ctx, client.ObjectKeyFromObject(o), read, client.UnsafeDisableDeepCopy); err != nil {
		return false
	}

	before, ok := statusOf(read)

	return ok && read.GetUID() == o.GetUID() && read.GetResourceVersion() == o.GetResourceVersion() && equality.Semantic.DeepEqual(before, status)
}

// statusOf returns the field Status of a typed object.
func statusOf(o client.Object) (any, bool) {
	v := reflect.ValueOf(o)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, false
	}

	f := v.Elem().FieldByName("Status")
	if !f.IsValid() || !f.CanInterface() {
		return nil, false
	}

	return f.Interface(), true
}
