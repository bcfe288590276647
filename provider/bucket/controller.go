package bucket

import (
	"context"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	runtimeevent "sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/config"
	"my-operator.dev/echo/provider/drift"
	echoevent "my-operator.dev/echo/provider/event"
	"my-operator.dev/echo/provider/minio"
	"my-operator.dev/echo/provider/s3"
)

// Setup adds the controller of Buckets to a manager. Their kind and those of the
// configs must be served.
func Setup(mgr ctrl.Manager, o config.Options) error {
	name := managed.ControllerName(v1beta1.KindBucket)

	if err := drift.Register(metrics.Registry); err != nil {
		return err
	}

	known := newMemory()
	//nolint:staticcheck // Crossplane's recorder takes only this one.
	recorder := event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...)

	options := append(o.Managed(mgr, name),
		managed.WithRecorder(echoevent.OnTransitions(recorder)),
		managed.WithTypedExternalConnector(&connector{
			client:   mgr.GetClient(),
			resolver: o.Resolver,
			clients:  o.Clients,
			memory:   known,
		}),
		managed.WithInitializers(initializer{client: mgr.GetClient()}),
		// A name that is derived, or given, is known without writing down that
		// creation succeeded, and so is a bucket by its marker.
		managed.WithCriticalAnnotationUpdater(managed.CriticalAnnotationUpdateFn(func(context.Context, client.Object) error { return nil })),
	)

	r := managed.NewReconciler(finishing{Manager: mgr, memory: known}, resource.ManagedKind(v1beta1.BucketGroupVersionKind), options...)

	err := ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		For(&v1beta1.Bucket{}, builder.WithPredicates(resource.DesiredStateChanged(), predicate.Funcs{UpdateFunc: notNaming})).
		Complete(o.Limited(name, prompt{inner: r, memory: known}))

	return errors.Wrapf(err, "cannot set up controller %s", name)
}

// notNaming leaves out the update by which a Bucket got its derived name. It is our
// own, and the reconcile that makes it goes on to make the bucket: another one at its
// heels would meet a cache that has not heard of all that it did.
func notNaming(e runtimeevent.UpdateEvent) bool {
	was, ok := e.ObjectOld.(*v1beta1.Bucket)
	is, isToo := e.ObjectNew.(*v1beta1.Bucket)

	return !ok || !isToo ||
		meta.GetExternalName(was) != "" ||
		meta.GetExternalName(is) != derivedName(is) ||
		was.GetGeneration() != is.GetGeneration()
}

// A connector makes external clients.
type connector struct {
	client   client.Client
	resolver *config.Resolver
	clients  *s3.Clients
	memory   *memory
}

// Connect returns a client for one reconcile of a Bucket. A Bucket that is deleted
// before anything was done for it needs no server: its config may be what was wrong.
func (c *connector) Connect(ctx context.Context, b *v1beta1.Bucket) (managed.TypedExternalClient[*v1beta1.Bucket], error) {
	if meta.WasDeleted(b) && untouched(b) {
		return &external{}, nil
	}

	conn, err := c.resolver.Connection(ctx, b)
	if err != nil {
		return nil, err
	}

	if region := b.Spec.ForProvider.Region; region != nil {
		if err := c.resolver.AllowRegion(b, conn, *region); err != nil {
			return nil, err
		}
	}

	e := &external{client: c.client, memory: c.memory, settings: settings()}
	e.region, e.connection = regionOf(conn.S3, conn.Region, b.Spec.ForProvider.Region)
	e.forget = func() { c.resolver.Forget(ctx, b) }

	if e.target.server, err = c.clients.For(ctx, e.connection); err != nil {
		return nil, err
	}
	if conn.IdentityAPI == providerv1beta1.IdentityMinIO {
		if e.target.admin, err = c.admin(ctx, conn); err != nil {
			return nil, err
		}
	}
	e.target.bucket = meta.GetExternalName(b)

	return e, nil
}

// admin returns a client of MinIO's administration API, which may be at an endpoint
// of its own.
func (c *connector) admin(ctx context.Context, conn config.Connection) (*minio.Client, error) {
	at := conn.S3
	if conn.IdentityEndpoint != "" {
		at.Endpoint = strings.TrimRight(conn.IdentityEndpoint, "/")
	}

	server, err := c.clients.For(ctx, at)
	if err != nil {
		return nil, errors.Wrap(err, "spec.identityEndpoint of the config")
	}

	admin := minio.New(server)

	return &admin, nil
}
