package faults

import (
	"context"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/test/controlplane"
)

// TestAPIServer takes the API server away: told to stop while Buckets and accesses are
// made, and killed while they are deleted.
func TestAPIServer(t *testing.T) {
	const buckets, accesses = 100, 10

	s := servers[controlplane.Versitygw]
	tm := newTeam(t, "apiserver", s)
	tm.countsUsers = true

	var objects []client.Object
	for _, name := range numbered("b", 0, buckets) {
		objects = append(objects, tm.bucket(proxied, name))
	}
	for i, name := range numbered("a", 0, accesses) {
		objects = append(objects, tm.access(proxied, name, numbered("b", i, i+1)[0]))
	}

	tm.inTheMiddle(
		func(ctx context.Context) error { return cp.Restart(ctx, controlplane.APIServer) },
		func() { tm.make(objects...) },
	)
	tm.settles(buckets, accesses)
	tm.keysWork(numbered("a", 0, accesses)...)

	tm.inTheMiddle(func(ctx context.Context) error {
		if err := cp.Kill(controlplane.APIServer); err != nil {
			return err
		}

		return cp.StartComponent(ctx, controlplane.APIServer)
	}, tm.removeAll)
	tm.settles(0, 0)
	t.Logf("%d Buckets and %d accesses made and deleted on %s: 0 lost, 0 leaked, 0 stuck", buckets, accesses, s.Name)
}

// inTheMiddle does something, and something else once the provider is busy with it.
func (t *team) inTheMiddle(other func(context.Context) error, do func()) {
	t.Helper()

	done := make(chan error)
	go func() {
		err := t.proxy.Await(t.Context(), 50)
		if err == nil {
			err = other(t.Context())
		}
		done <- err
	}()

	do()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
