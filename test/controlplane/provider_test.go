package controlplane_test

import (
	"context"
	"net/http"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/test/controlplane"
)

const (
	provider   = "provider-echo"
	repository = "../.."
)

// TestProvider installs the provider's package, which has to be in dist, as its
// README says. It kills it, stops it, and runs two of it, of which one leads.
func TestProvider(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cp, err := controlplane.Start(ctx, controlplane.Options{Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cp.Stop() })
	if err := cp.Push(ctx, controlplane.DefaultPackageHost+"/"+provider+":v0.1.0", filepath.Join(repository, "dist", provider+"-"+runtime.GOARCH+".xpkg")); err != nil {
		t.Fatal(err)
	}
	for _, manifest := range []string{"provider-runtime-config.yaml", "provider.yaml"} {
		if _, err := cp.Kubectl(ctx, "apply", "-f", filepath.Join(repository, "package", "install", manifest)); err != nil {
			t.Fatal(err)
		}
	}
	if err := cp.WaitPackage(ctx, controlplane.Provider, provider); err != nil {
		t.Fatal(err)
	}
	first, err := cp.ProviderProcess(provider)
	if err != nil {
		t.Fatal(err)
	}
	leader := awaitLeader(ctx, t, cp.Client(), "")

	t.Run("Metrics", func(t *testing.T) {
		rsp, err := http.Get(first.MetricsURL)
		if err != nil {
			t.Fatal(err)
		}
		defer rsp.Body.Close()
		if diff := cmp.Diff(http.StatusOK, rsp.StatusCode); diff != "" {
			t.Errorf("%s: -want, +got:\n%s", first.MetricsURL, diff)
		}
	})

	t.Run("Twin", func(t *testing.T) {
		twin, err := cp.ProviderTwin(ctx, provider)
		if err != nil {
			t.Fatal(err)
		}
		if twin.PID == first.PID || twin.MetricsURL == first.MetricsURL {
			t.Errorf("the twin %+v is the provider %+v itself", twin, first)
		}
		first.Stop()
		next := awaitLeader(ctx, t, cp.Client(), leader)
		if err := first.Start(ctx); err != nil {
			t.Fatal(err)
		}
		twin.Stop()
		leader = awaitLeader(ctx, t, cp.Client(), next)
		if err := cp.WaitPackage(ctx, controlplane.Provider, provider); err != nil {
			t.Errorf("after a stop: %v", err)
		}
	})

	t.Run("Kill", func(t *testing.T) {
		for i := range 5 {
			before := *first
			first.Kill()
			if err := first.Await(ctx); err != nil {
				t.Fatal(err)
			}
			if first.PID == before.PID || first.Restarts != before.Restarts+1 {
				t.Errorf("kill %d: it was process %d with %d restarts, and is process %d with %d", i, before.PID, before.Restarts, first.PID, first.Restarts)
			}
		}
	})
}

// awaitLeader waits until the provider has a leader other than the one before,
// and returns its identity.
func awaitLeader(ctx context.Context, t *testing.T, c client.Client, before string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	key := client.ObjectKey{Namespace: controlplane.Namespace, Name: "crossplane-leader-election-" + provider}
	for {
		lease := &coordinationv1.Lease{}
		err := c.Get(ctx, key, lease)
		if err == nil && lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity != "" && *lease.Spec.HolderIdentity != before {
			return *lease.Spec.HolderIdentity
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the provider has no leader but %q: %v", before, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
