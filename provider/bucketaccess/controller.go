package bucketaccess

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	runtimeevent "sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/config"
	"my-operator.dev/echo/provider/drift"
	echoevent "my-operator.dev/echo/provider/event"
	"my-operator.dev/echo/provider/identity"
	"my-operator.dev/echo/provider/s3"
)

const (
	// byBucket indexes accesses by the name of their Bucket.
	byBucket = "spec.forProvider.bucketRef.name"

	// afterRotation is how soon new keys are looked at, so that the status tells of them.
	afterRotation = time.Second

	// jitter is the part of a poll interval by which it may be longer.
	jitter = 0.1
)

// Setup adds the controller of BucketAccess to a manager.
func Setup(ctx context.Context, mgr ctrl.Manager, o config.Options) error {
	name := managed.ControllerName(v1beta1.KindBucketAccess)

	err := mgr.GetFieldIndexer().IndexField(ctx, &v1beta1.BucketAccess{}, byBucket, func(o client.Object) []string {
		if a, ok := o.(*v1beta1.BucketAccess); ok {
			return []string{a.Spec.ForProvider.BucketRef.Name}
		}

		return nil
	})
	if err != nil {
		return errors.Wrap(err, "cannot index BucketAccesses")
	}

	if err := drift.Register(metrics.Registry); err != nil {
		return err
	}

	//nolint:staticcheck // Crossplane's recorder takes only this one.
	recorder := event.NewAPIRecorder(mgr.GetEventRecorderFor(name), o.EventFilterFunctions...)

	c := &connector{client: mgr.GetClient(), live: mgr.GetAPIReader(), options: o, servers: identity.NewServers()}
	options := append(o.Managed(mgr, name),
		managed.WithTypedExternalConnector(c),
		managed.WithInitializers(managed.InitializerFn(c.name)),
		managed.WithPollIntervalHook(nextLook),
		managed.WithRecorder(echoevent.OnTransitions(recorder)),
		// Which keys there are is asked of the server and of the Secret, so that
		// nobody needs to know that a creation succeeded.
		managed.WithCriticalAnnotationUpdater(managed.CriticalAnnotationUpdateFn(func(context.Context, client.Object) error { return nil })),
	)
	r := managed.NewReconciler(mgr, resource.ManagedKind(v1beta1.BucketAccessGroupVersionKind), options...)

	err = ctrl.NewControllerManagedBy(mgr).
		Named(name).
		WithOptions(o.ForControllerRuntime()).
		For(&v1beta1.BucketAccess{}, builder.WithPredicates(resource.DesiredStateChanged())).
		Watches(&v1beta1.Bucket{}, handler.EnqueueRequestsFromMapFunc(c.accesses), builder.WithPredicates(bucketChanged())).
		Complete(o.Limited(name, r))

	return errors.Wrapf(err, "cannot set up controller %s", name)
}

// nextLook is when an access is looked at again: at the next poll, or when a key has
// to go before that, or at once when keys have been made that the status does not tell
// of.
func nextLook(mg resource.Managed, poll time.Duration) time.Duration {
	a, ok := mg.(*v1beta1.BucketAccess)
	if !ok {
		return poll
	}

	now, seen, rotation := time.Now(), a.Status.AtProvider, a.Spec.ForProvider.Rotation
	p := decide(facts{secret: seen.AccessKeyID, server: keysOf(seen), seen: seen, rotation: rotation, now: now})

	next := wait.Jitter(poll, jitter)
	if p.rotate && updates(a) {
		return afterRotation
	}

	if !p.next.IsZero() {
		return max(afterRotation, min(next, p.next.Sub(now)))
	}

	return next
}

// updates tells whether the management policies let keys be rotated.
func updates(a *v1beta1.BucketAccess) bool {
	return managed.NewManagementPoliciesResolver(true, a.GetManagementPolicies()).ShouldUpdate()
}

// keysOf are the keys that a status tells of.
func keysOf(seen v1beta1.BucketAccessObservation) []string {
	ids := []string{seen.AccessKeyID}
	for _, k := range seen.Retiring {
		ids = append(ids, k.AccessKeyID)
	}

	return ids
}

// accesses are those to a Bucket: they wait for it, and have to know when it changes.
func (c *connector) accesses(ctx context.Context, b client.Object) []reconcile.Request {
	list := &v1beta1.BucketAccessList{}
	if err := c.client.List(ctx, list, client.InNamespace(b.GetNamespace()), client.MatchingFields{byBucket: b.GetName()}); err != nil {
		return nil
	}

	var requests []reconcile.Request
	for _, a := range list.Items {
		requests = append(requests, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: a.GetNamespace(), Name: a.GetName()}})
	}

	return requests
}

// bucketChanged lets pass what an access has to know of its Bucket.
func bucketChanged() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e runtimeevent.UpdateEvent) bool {
			before, ok := e.ObjectOld.(*v1beta1.Bucket)
			if !ok {
				return true
			}

			after, ok := e.ObjectNew.(*v1beta1.Bucket)

			return !ok || bucketName(before) != bucketName(after) ||
				before.GetCondition(xpv2.TypeReady).Status != after.GetCondition(xpv2.TypeReady).Status ||
				before.GetGeneration() != after.GetGeneration()
		},
	}
}

// connector makes externals.
type connector struct {
	client  client.Client
	live    client.Reader
	options config.Options
	servers *identity.Servers
}

// name writes down, as the external name, which bucket the keys are to open, before
// any are made: whoever removes them has to know.
func (c *connector) name(ctx context.Context, mg resource.Managed) error {
	a, ok := mg.(*v1beta1.BucketAccess)
	if !ok || meta.WasDeleted(mg) {
		return nil
	}

	b, missing, err := c.bucket(ctx, a)
	if err != nil || missing != nil {
		return err
	}

	if meta.GetExternalName(a) == bucketName(b) && meta.FinalizerExists(a, managed.FinalizerName) {
		return nil
	}

	meta.SetExternalName(a, bucketName(b))
	meta.AddFinalizer(a, managed.FinalizerName)

	return errors.Wrap(c.client.Update(ctx, a), "cannot write down the bucket's name")
}

// bucket returns the Bucket that an access is to. What is missing of it is an error of
// the reconcile only where no keys can have been made: those that were may have to go.
func (c *connector) bucket(ctx context.Context, a *v1beta1.BucketAccess) (b *v1beta1.Bucket, missing, err error) {
	b, err = findBucket(ctx, c.client, a)

	var w waitingError

	waiting := errors.As(err, &w)
	if waiting && begun(a) {
		return b, w, nil
	}

	if err != nil && !meta.WasDeleted(a) {
		unready := xpv2.Unavailable()
		if waiting {
			unready.Reason = reasonWaiting
		}

		set(a, unready.WithMessage(err.Error()))
	}

	return b, nil, err
}

// Connect implements managed.TypedExternalConnector.
func (c *connector) Connect(ctx context.Context, a *v1beta1.BucketAccess) (managed.TypedExternalClient[*v1beta1.BucketAccess], error) {
	if meta.WasDeleted(a) && !begun(a) {
		return &external{}, nil
	}

	b, missing, err := c.bucket(ctx, a)
	if err != nil && !meta.WasDeleted(a) {
		return nil, err
	}

	conn, err := c.options.Resolver.Connection(ctx, a)
	if err != nil {
		return nil, err
	}

	if region := c.region(b, conn); region != "" {
		conn.S3.Region = region
	}

	// Of keys that can only go, no more matters than what they open: a prefix that no
	// key can be given must not keep them.
	grant := identity.Grant{Bucket: opens(a, b)}
	if missing == nil && !meta.WasDeleted(a) {
		grant.Prefix = a.Spec.ForProvider.Prefix
		grant.Write = a.Spec.ForProvider.Access != v1beta1.AccessReadOnly
	}

	server, err := c.options.Clients.For(ctx, conn.S3)
	if err != nil {
		return nil, s3.Explain(err)
	}

	admin, err := c.options.Clients.For(ctx, identity.AdminConnection(conn.IdentityAPI, conn.S3, conn.IdentityEndpoint))
	if err != nil {
		return nil, s3.Explain(err)
	}

	identities, err := c.servers.For(conn.IdentityAPI, server, admin)
	if err != nil {
		return nil, err
	}

	return &external{
		live:       c.live,
		server:     server,
		endpoint:   conn.S3.Endpoint,
		identities: identities,
		owner:      identity.Owner{Namespace: a.GetNamespace(), Name: a.GetName(), UID: string(a.GetUID())},
		grant:      grant,
		bucket:     b,
		missing:    missing,
		forget:     func() { c.options.Resolver.Forget(ctx, a) },
	}, nil
}

// region is the one that a Bucket is in, empty for that of the config. One that has
// lost its bucket says no more than what it asks for.
func (c *connector) region(b *v1beta1.Bucket, conn config.Connection) string {
	if b == nil {
		return ""
	}

	asked := b.Spec.ForProvider.Region
	if bucketName(b) != "" || asked == nil || conn.S3.Endpoint != "" || c.options.Resolver.AllowRegion(b, conn, *asked) != nil {
		return b.Status.AtProvider.Region
	}

	return *asked
}

// begun tells whether keys may have been made. Where they were not, a config that
// cannot be used must not keep the access from going, and there is nothing to take
// away. The annotation is the tenant's to write: it only has the server looked at.
func begun(a *v1beta1.BucketAccess) bool {
	return !meta.GetExternalCreatePending(a).IsZero() || a.Status.AtProvider.AccessKeyID != ""
}
