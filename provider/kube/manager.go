package kube

import (
	"context"
	"net/http"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	provider "my-operator.dev/echo/apis/provider/v1beta1"
	storage "my-operator.dev/echo/apis/storage/v1beta1"
)

// leaderElectionID is the name of the Lease that the leader holds.
const leaderElectionID = "crossplane-leader-election-provider-echo"

// stopTimeout is how long reconciles under way may take when the provider is told to
// stop. Kubernetes kills it after 30 seconds.
const stopTimeout = 25 * time.Second

// Options of a manager.
type Options struct {
	// Reconciles is how many may start in a second, which the rate of requests to
	// the API server follows.
	Reconciles int

	// Sync is how often everything in the cache is looked at again.
	Sync time.Duration

	// LeaderElection lets only one of several providers work at a time. Its
	// Lease is in LeaderElectionNamespace; by default in that of the Pod.
	LeaderElection          bool
	LeaderElectionNamespace string

	// MetricsAddress and HealthAddress are listened at; "0" is none.
	MetricsAddress string
	HealthAddress  string
}

// NewManager returns a manager that knows the kinds of the provider.
func NewManager(cfg *rest.Config, o Options) (ctrl.Manager, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}

	stop := stopTimeout

	mgr, err := ctrl.NewManager(ratelimiter.LimitRESTConfig(cfg, o.Reconciles), ctrl.Options{
		Scheme: scheme,
		Cache: cache.Options{
			SyncPeriod:       &o.Sync,
			DefaultTransform: cache.TransformStripManagedFields(),
		},
		Client: client.Options{
			// These are many, large or secret, and nearly all are of no concern here.
			Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}, &corev1.Namespace{}}},
		},
		NewClient: func(cfg *rest.Config, o client.Options) (client.Client, error) {
			c, err := client.New(cfg, o)
			if err != nil {
				return nil, err
			}

			return SaveStatus(c), nil
		},
		Metrics:                       metricsserver.Options{BindAddress: o.MetricsAddress},
		HealthProbeBindAddress:        o.HealthAddress,
		LeaderElection:                o.LeaderElection,
		LeaderElectionID:              leaderElectionID,
		LeaderElectionNamespace:       o.LeaderElectionNamespace,
		LeaderElectionReleaseOnCancel: true,
		GracefulShutdownTimeout:       &stop,
	})
	if err != nil {
		return nil, errors.Wrap(err, "cannot make manager")
	}

	if err := mgr.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return nil, errors.Wrap(err, "cannot add health check")
	}

	return mgr, errors.Wrap(mgr.AddReadyzCheck("cache", synced(mgr)), "cannot add readiness check")
}

// synced is ready when the cache has everything that is watched so far.
func synced(mgr ctrl.Manager) healthz.Checker {
	return func(r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()

		if !mgr.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the cache is not complete yet")
		}

		return nil
	}
}

// newScheme returns a scheme of the provider's kinds, and of the few of Kubernetes'
// own that it reads, writes or refers to in events.
func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()

	scheme.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Secret{}, &corev1.SecretList{}, &corev1.Namespace{})
	metav1.AddToGroupVersion(scheme, corev1.SchemeGroupVersion)

	for _, add := range []func(*runtime.Scheme) error{provider.AddToScheme, storage.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, errors.Wrap(err, "cannot add to scheme")
		}
	}

	return scheme, nil
}
