package config

import (
	"math/rand/v2"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	runtimecontroller "sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"my-operator.dev/echo/provider/s3"
)

// Waits between tries of what fails. The first is short, since most failures of a
// resource that has just been made are of something made along with it. The longest
// is what a resource may lag behind when its server comes back.
const (
	firstRetry   = 500 * time.Millisecond
	longestRetry = 2 * time.Minute
)

// minPollInterval is the shortest that a resource may ask for by its annotation, so
// that a tenant cannot have the provider poll without pause.
const minPollInterval = 10 * time.Second

// jitter is the part of a wait by which it is longer or shorter by chance, so that
// resources that were made together do not call together for ever.
const jitter = 0.1

// Options are what the controllers of managed resources share.
type Options struct {
	controller.Options

	// Resolver finds the connection of a managed resource.
	Resolver *Resolver

	// Clients are the clients of S3 servers, shared by all controllers.
	Clients *s3.Clients
}

// Managed returns the options that every managed reconciler has here: logs, events,
// metrics, change logs, polls with jitter, all management policies, and a mind at
// ease about creations that were cut short, since names are known beforehand. Name
// is that of the controller.
func (o Options) Managed(mgr ctrl.Manager, name string) []managed.ReconcilerOption {
	//nolint:staticcheck // Crossplane's recorder takes only this one.
	recorder := event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...)

	options := []managed.ReconcilerOption{
		managed.WithLogger(o.Logger.WithValues("controller", name)),
		managed.WithRecorder(recorder),
		managed.WithPollInterval(o.PollInterval),
		managed.WithMinPollInterval(min(o.PollInterval, minPollInterval)),
		managed.WithPollIntervalHook(func(_ resource.Managed, d time.Duration) time.Duration { return vary(d) }),
		managed.WithManagementPolicies(),
		// What an S3 server has made is there at once; to wait for it would only
		// delay the deletion of what was just made.
		managed.WithCreationGracePeriod(0),
		managed.WithDeterministicExternalName(true),
	}

	if o.MetricOptions != nil {
		options = append(options, managed.WithMetricRecorder(o.MetricOptions.MRMetrics))
	}

	if o.ChangeLogOptions != nil {
		options = append(options, managed.WithChangeLogger(o.ChangeLogOptions.ChangeLogger))
	}

	return options
}

// ForControllerRuntime returns the options of a controller: how many reconciles it
// runs at once, and how long what fails waits: half a second, then twice as long
// each time, at most two minutes or the poll interval, whichever is shorter.
func (o Options) ForControllerRuntime() runtimecontroller.Options {
	options := o.Options.ForControllerRuntime()
	longest := min(o.PollInterval, longestRetry)
	options.RateLimiter = varied{workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](min(firstRetry, longest), longest)}

	return options
}

// Limited returns a reconciler that does what r does, at no more than the rate that
// all controllers share, and with a span for each reconcile. Name is that of the
// controller.
func (o Options) Limited(name string, r reconcile.Reconciler) reconcile.Reconciler {
	return ratelimiter.NewReconciler(name, traced{name: name, inner: r}, o.GlobalRateLimiter)
}

// varied is a rate limiter whose waits vary by chance.
type varied struct {
	workqueue.TypedRateLimiter[reconcile.Request]
}

// When is how long the request is to wait.
func (v varied) When(r reconcile.Request) time.Duration { return vary(v.TypedRateLimiter.When(r)) }

// vary returns a duration that differs from d by at most the jitter.
func vary(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()*2-1)*jitter*float64(d)) //nolint:gosec // Nobody gains by guessing it.
}
