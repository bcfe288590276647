package bucket

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// soon is how long after a step another reconcile takes the next. Until then the
// cache has heard of what this one wrote, as a rule.
const soon = 500 * time.Millisecond

// prompt reconciles a Bucket again soon after a step forward: it was made, or deleted,
// or some of its objects were. The managed reconciler asks for this in the way in
// which it asks to try again what failed, with a wait that has grown by each failure
// before. A bucket whose server was down for a while would be made at once when it is
// back, and be called ready minutes later.
type prompt struct {
	inner  reconcile.Reconciler
	memory *memory
}

// Reconcile does what the inner reconciler does.
func (p prompt) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	result, err := p.inner.Reconcile(ctx, req)

	stepped := p.memory.stepped(req.NamespacedName)
	if err == nil && stepped && result.Requeue { //nolint:staticcheck // It is what the managed reconciler returns.
		return reconcile.Result{RequeueAfter: soon}, nil
	}

	return result, err
}

// A step is how far a reconcile got with a bucket.
type step int

const (
	// nowhere is where a reconcile got that found everything as it should be, or failed.
	nowhere step = iota

	// further tells that more is to be done.
	further

	// finished tells that the bucket was made, and has all that the spec declares.
	finished

	// dropped tells that the bucket is gone.
	dropped
)

// step remembers that a reconcile got a step further with a resource.
func (m *memory) step(name types.NamespacedName, s step) {
	m.mu.Lock()
	defer m.mu.Unlock()

	m.steps[name] = s
}

// at tells how far the reconcile got that is under way.
func (m *memory) at(name types.NamespacedName) step {
	m.mu.Lock()
	defer m.mu.Unlock()

	return m.steps[name]
}

// stepped tells whether the reconcile that has just ended got a step further.
func (m *memory) stepped(name types.NamespacedName) bool {
	m.mu.Lock()
	defer m.mu.Unlock()

	_, ok := m.steps[name]
	delete(m.steps, name)

	return ok
}
