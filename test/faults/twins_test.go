package faults

import (
	"context"
	"net/http"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// TestTwins has two providers do the same work at once, which leader election is there
// to prevent: a leader that was cut off may go on for a moment beside the next.
func TestTwins(t *testing.T) {
	const buckets, accesses = 100, 20

	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			tm := newTeam(t, "twins"+name, servers[name])
			tm.countsUsers = true

			twin, err := cp.ProviderTwin(t.Context(), providerName)
			if err != nil {
				t.Fatal(err)
			}
			defer twin.Stop()

			bs, keys := tm.bucketsNamed(numbered("b", 0, buckets)), numbered("a", 0, accesses)
			tm.makeBuckets(bs)
			tm.makeAccesses(keys, "b")
			tm.settles(buckets, accesses)
			tm.keysWork(keys...)

			change(tm, bs, func(b *v1beta1.Bucket) {
				b.Spec.ForProvider.Tags = map[string]v1beta1.TagValue{"changed": "by-both"}
			})
			tm.settles(buckets, accesses)
			tm.keysWork(keys...)

			tm.removeAll()
			tm.settles(0, 0)
			t.Logf("%d Buckets and %d accesses made, changed and deleted on %s: 0 lost, 0 leaked, 0 stuck", buckets, accesses, name)
		})
	}
}

// TestLeader kills the leader of two providers. The other goes on.
func TestLeader(t *testing.T) {
	const buckets, accesses = 50, 10

	tm := newTeam(t, "leader", servers[controlplane.Versitygw])
	tm.countsUsers = true

	arguments(tm, poll, "--leader-election")
	defer arguments(tm, poll)

	first := leading(tm)
	if first == nil {
		t.Fatal("nobody leads")
	}
	defer func() {
		if err := first.Start(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	twin, err := cp.ProviderTwin(t.Context(), providerName)
	if err != nil {
		t.Fatal(err)
	}
	defer twin.Stop()

	was := tm.holder()
	tm.inTheMiddle(func(context.Context) error {
		first.Kill()
		// It stays away: started again, it would compete for its own lease.
		first.Stop()

		return nil
	}, func() {
		tm.makeBuckets(tm.bucketsNamed(numbered("b", 0, buckets)))
		tm.makeAccesses(numbered("a", 0, accesses), "b")
	})
	tm.settles(buckets, accesses)

	if is := tm.holder(); is == was {
		t.Errorf("%q was killed, and still leads", was)
	}
	if l, err := leads(t.Context(), twin); err != nil || !l {
		t.Errorf("want the other to lead: %v", err)
	}

	tm.keysWork(numbered("a", 0, accesses)...)
	tm.removeAll()
	tm.settles(0, 0)
	t.Logf("%d Buckets and %d accesses made and deleted: 0 lost, 0 leaked, 0 stuck", buckets, accesses)
}

// makeAccesses makes accesses, each to the Bucket of its number.
func (t *team) makeAccesses(names []string, buckets string) {
	t.Helper()

	var objects []client.Object
	for i, name := range names {
		objects = append(objects, t.access(proxied, name, numbered(buckets, i, i+1)[0]))
	}
	t.make(objects...)
}

// arguments has the provider restart with other arguments.
func arguments(t *team, args ...any) {
	t.Helper()

	process, err := cp.ProviderProcess(providerName)
	if err != nil {
		t.Fatal(err)
	}
	was := process.PID

	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		config := runtimeConfig()
		if err := root.Get(context.Background(), client.ObjectKeyFromObject(config), config); err != nil {
			return err
		}
		config.Object["spec"] = runtimeConfig(args...).Object["spec"]

		return root.Update(context.Background(), config)
	})
	if err != nil {
		t.Fatal(err)
	}

	t.eventually("restart with other arguments", func(ctx context.Context) string {
		process, err := cp.ProviderProcess(providerName)
		if err != nil {
			return err.Error()
		}
		if process.PID == was {
			return "the provider runs as before"
		}
		if err := process.Await(ctx); err != nil {
			return err.Error()
		}

		return ""
	})
}

// leading returns the provider's process, once it leads.
func leading(t *team) *controlplane.PackageProcess {
	t.Helper()

	process, err := cp.ProviderProcess(providerName)
	if err != nil {
		t.Fatal(err)
	}
	t.eventually("lead", func(ctx context.Context) string {
		l, err := leads(ctx, process)
		if err != nil {
			return err.Error()
		}
		if !l {
			return "it does not lead"
		}

		return ""
	})

	return process
}

// leads tells whether a process is the leader, by its own metrics.
func leads(ctx context.Context, p *controlplane.PackageProcess) (bool, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.MetricsURL, nil)
	if err != nil {
		return false, err
	}
	rsp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false, err
	}
	defer rsp.Body.Close()

	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(rsp.Body)
	if err != nil {
		return false, err
	}
	for _, m := range families["leader_election_master_status"].GetMetric() {
		if m.GetGauge().GetValue() == 1 {
			return true, nil
		}
	}

	return false, nil
}

// leaseName is that of the lease for which providers compete.
const leaseName = "crossplane-leader-election-provider-echo"

// holder is who holds it.
func (t *team) holder() string {
	t.Helper()

	lease := &coordinationv1.Lease{}
	if err := root.Get(t.Context(), types.NamespacedName{Namespace: controlplane.Namespace, Name: leaseName}, lease); err != nil {
		t.Fatal(err)
	}
	if lease.Spec.HolderIdentity == nil {
		t.Fatal("nobody holds the lease")
	}

	return *lease.Spec.HolderIdentity
}
