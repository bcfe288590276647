package config

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/providerconfig"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	runtimeevent "sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"my-operator.dev/echo/apis/provider/v1beta1"
)

// gather is how long news of usages is gathered before a config's users are counted
// again: when a thousand resources appear at once, their config's status is written
// a few times rather than a thousand.
const gather = 2 * time.Second

// Setup adds the controllers that protect configs in use. Lists are empty lists of
// the kinds of managed resources that use them.
func Setup(ctx context.Context, mgr ctrl.Manager, o Options, lists ...client.ObjectList) error {
	err := mgr.GetFieldIndexer().IndexField(ctx, &v1beta1.ProviderConfigUsage{}, byConfig, func(o client.Object) []string {
		usage, ok := o.(*v1beta1.ProviderConfigUsage)
		if !ok {
			return nil
		}

		return []string{usageKey(usage)}
	})
	if err != nil {
		return errors.Wrap(err, "cannot index ProviderConfigUsages")
	}

	u := users{cached: mgr.GetClient(), live: mgr.GetAPIReader(), lists: lists}

	if err := setup(mgr, o, u, v1beta1.KindProviderConfig, func() resource.ProviderConfig { return &v1beta1.ProviderConfig{} }); err != nil {
		return err
	}

	return setup(mgr, o, u, v1beta1.KindClusterProviderConfig, func() resource.ProviderConfig { return &v1beta1.ClusterProviderConfig{} })
}

// setup adds the controller of one kind of config.
func setup(mgr ctrl.Manager, o Options, u users, kind string, empty func() resource.ProviderConfig) error {
	name := providerconfig.ControllerName(kind)

	r := &reconciler{
		client: mgr.GetClient(),
		users:  u,
		//nolint:staticcheck // Crossplane's recorder takes only this one.
		record: event.NewAPIRecorder(mgr.GetEventRecorderFor(name)),
		empty:  empty,
	}

	options := o.ForControllerRuntime()
	options.MaxConcurrentReconciles = 1

	err := ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(options).
		For(empty(), builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&v1beta1.ProviderConfigUsage{}, gathered(kind)).
		Complete(o.Limited(name, r))

	return errors.Wrapf(err, "cannot set up controller %s", name)
}

// gathered asks for the reconcile of the config that a usage is, or was, of.
func gathered(kind string) handler.EventHandler {
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

	add := func(o client.Object, q queue) {
		usage, ok := o.(*v1beta1.ProviderConfigUsage)
		if !ok || usage.ProviderConfigReference.Kind != kind {
			return
		}

		name := types.NamespacedName{Name: usage.ProviderConfigReference.Name}
		if kind == v1beta1.KindProviderConfig {
			name.Namespace = usage.GetNamespace()
		}

		q.AddAfter(reconcile.Request{NamespacedName: name}, gather)
	}

	return handler.Funcs{
		CreateFunc: func(_ context.Context, e runtimeevent.CreateEvent, q queue) { add(e.Object, q) },
		UpdateFunc: func(_ context.Context, e runtimeevent.UpdateEvent, q queue) {
			add(e.ObjectOld, q)
			add(e.ObjectNew, q)
		},
		DeleteFunc: func(_ context.Context, e runtimeevent.DeleteEvent, q queue) { add(e.Object, q) },
	}
}
