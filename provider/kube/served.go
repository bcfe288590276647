package kube

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	ctrl "sigs.k8s.io/controller-runtime"
)

// How often the API server is asked whether kinds that were not served are now: soon
// after the start, when the package's CRDs are just being made, and seldom later,
// when they may never be.
const (
	askFirst = 500 * time.Millisecond
	askLast  = 20 * time.Second
)

// served opens a gate for kinds as soon as the API server serves them. It asks for
// the list of a group's resources, a few hundred bytes, instead of watching CRDs:
// reading all of a cluster's, of which there may be a thousand of up to a megabyte,
// would take more memory than all else that the provider does. A CRD is in that list
// once it is established.
type served struct {
	discovery discovery.ServerResourcesInterface
	gate      controller.Gate
	kinds     []schema.GroupVersionKind
	log       logging.Logger
}

// OpenWhenServed has the manager open the gate for each of the kinds as soon as it is
// served. It stops asking when all are.
func OpenWhenServed(mgr ctrl.Manager, gate controller.Gate, log logging.Logger, kinds ...schema.GroupVersionKind) error {
	d, err := discovery.NewDiscoveryClientForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return errors.Wrap(err, "cannot make discovery client")
	}

	return errors.Wrap(mgr.Add(&served{discovery: d, gate: gate, kinds: kinds, log: log}), "cannot add the watch of served kinds")
}

// NeedLeaderElection is false: the controllers behind the gate wait for it themselves,
// and their caches need not.
func (s *served) NeedLeaderElection() bool { return false }

// Start asks until all kinds are served, or the context ends.
func (s *served) Start(ctx context.Context) error {
	pause := wait.Backoff{Duration: askFirst, Factor: 1.3, Jitter: 0.2, Steps: 1 << 30, Cap: askLast}

	for waiting := s.kinds; ; {
		if waiting = s.open(waiting); len(waiting) == 0 {
			return nil
		}

		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause.Step()):
		}
	}
}

// open opens the gate for those of the kinds that are served, and returns the others.
func (s *served) open(kinds []schema.GroupVersionKind) []schema.GroupVersionKind {
	var waiting []schema.GroupVersionKind

	lists := map[schema.GroupVersion]map[string]bool{}

	for _, gvk := range kinds {
		gv := gvk.GroupVersion()
		if lists[gv] == nil {
			lists[gv] = s.list(gv)
		}

		if lists[gv][gvk.Kind] {
			s.log.Debug("Kind is served", "gvk", gvk)
			s.gate.Set(gvk, true)
		} else {
			waiting = append(waiting, gvk)
		}
	}

	return waiting
}

// list returns the kinds of a group that are served.
func (s *served) list(gv schema.GroupVersion) map[string]bool {
	kinds := map[string]bool{}

	list, err := s.discovery.ServerResourcesForGroupVersion(gv.String())
	if err != nil {
		if !kerrors.IsNotFound(err) {
			s.log.Info("Cannot ask the API server which kinds it serves", "group", gv, "error", err)
		}

		return kinds
	}

	for i := range list.APIResources {
		kinds[list.APIResources[i].Kind] = true
	}

	return kinds
}
