package bucketaccess

import (
	"cmp"
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/drift"
	"my-operator.dev/echo/provider/identity"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// external is one access on its server, for one reconcile. The zero external is an
// access that was never made, and is not to be.
type external struct {
	live   client.Reader
	server *s3.Client

	// endpoint as it goes into the Secret; empty for AWS's own.
	endpoint   string
	identities identity.Server
	owner      identity.Owner
	grant      identity.Grant

	// bucket is nil where the Bucket is gone, or where the access is being deleted and
	// it is not the access's to use.
	bucket *v1beta1.Bucket

	// missing says what of the Bucket is not there; nil if it has its bucket.
	missing error

	// forget has credentials read anew that the server refuses.
	forget func()

	// What Observe found out, for what comes after it.
	key     identity.Key
	found   identity.Observation
	verdict ownership.Verdict
	plan    plan

	// lost says why the keys have to go; nil if they may stay.
	lost error

	// settled tells that all was as this generation of the spec says before.
	settled bool
}

// Observe what there is. It writes nothing.
func (e *external) Observe(ctx context.Context, a *v1beta1.BucketAccess) (managed.ExternalObservation, error) {
	if e.identities == nil {
		return managed.ExternalObservation{}, nil
	}

	if err := e.look(ctx, a); err != nil {
		return managed.ExternalObservation{}, e.explain(err)
	}

	if meta.WasDeleted(a) {
		return managed.ExternalObservation{ResourceExists: e.found.Exists, ResourceUpToDate: true}, nil
	}

	// Where there never were keys there is nothing to be told of whose the bucket is.
	e.lost = e.loss(a)
	if e.lost != nil && (e.found.Exists || a.Status.AtProvider.Bucket != "") {
		return e.observeLost(a)
	}

	if err := cmp.Or(e.missing, mine(e.verdict)); err != nil {
		set(a, xpv2.Unavailable().WithMessage(err.Error()))

		return managed.ExternalObservation{}, err
	}

	e.plan = decide(facts{
		secret:   e.key.AccessKeyID,
		server:   e.found.Keys,
		seen:     a.Status.AtProvider,
		rotation: a.Spec.ForProvider.Rotation,
		now:      time.Now(),
	})
	if !e.plan.works {
		return managed.ExternalObservation{}, nil
	}

	synced := a.GetCondition(xpv2.TypeSynced)
	e.settled = synced.Status == corev1.ConditionTrue && synced.ObservedGeneration == a.GetGeneration() && a.Status.AtProvider.AccessKeyID != ""

	a.Status.AtProvider = v1beta1.BucketAccessObservation{
		Bucket:      e.grant.Bucket,
		Endpoint:    e.endpoint,
		AccessKeyID: e.key.AccessKeyID,
		Trigger:     e.plan.trigger,
		Notes:       e.notes(),
		Retiring:    e.plan.retiring,
	}
	set(a, xpv2.Available())

	return managed.ExternalObservation{
		ResourceExists:    true,
		ResourceUpToDate:  e.found.Exact && !e.plan.rotate && len(e.plan.remove) == 0,
		ConnectionDetails: e.details(e.key),
	}, nil
}

// observeLost has the keys removed by Update. Once they are gone the status tells of no
// more than the bucket that they were for. The Secret keeps them: they open nothing.
func (e *external) observeLost(a *v1beta1.BucketAccess) (managed.ExternalObservation, error) {
	set(a, xpv2.Unavailable().WithMessage(e.lost.Error()))

	if e.found.Exists {
		return managed.ExternalObservation{ResourceExists: true}, nil
	}

	a.Status.AtProvider = v1beta1.BucketAccessObservation{Bucket: a.Status.AtProvider.Bucket}

	return managed.ExternalObservation{}, e.lost
}

// set sets a condition of the generation that the access has.
func set(a *v1beta1.BucketAccess, c xpv2.Condition) {
	a.SetConditions(c.WithObservedGeneration(a.GetGeneration()))
}

// look at the server and the Secret at once.
func (e *external) look(ctx context.Context, a *v1beta1.BucketAccess) error {
	calls, ctx := errgroup.WithContext(ctx)

	calls.Go(func() (err error) {
		e.found, err = e.identities.Observe(ctx, e.owner, e.grant)
		return errors.Wrap(err, "cannot look at the keys")
	})

	if !meta.WasDeleted(a) {
		calls.Go(func() (err error) {
			e.key, err = readKey(ctx, e.live, a)
			return err
		})
	}

	if !meta.WasDeleted(a) && e.bucket != nil {
		calls.Go(func() (err error) {
			e.verdict, err = e.judge(ctx)
			return err
		})
	}

	return calls.Wait()
}

// notes are what the server cannot do, and what waits.
func (e *external) notes() []string {
	if !e.plan.waits {
		return e.found.Notes
	}

	return append([]string{"new keys are made once those of before the last rotation are gone; a shorter overlap lets them go sooner"}, e.found.Notes...)
}

// Create makes keys. Those that an earlier try made, and that nobody knows, are
// removed.
func (e *external) Create(ctx context.Context, _ *v1beta1.BucketAccess) (managed.ExternalCreation, error) {
	if err := e.remove(ctx); err != nil {
		return managed.ExternalCreation{}, e.explain(err)
	}

	key, err := e.identities.Make(ctx, e.owner, e.grant)
	if err != nil {
		return managed.ExternalCreation{}, e.explain(errors.Wrap(err, "cannot make keys"))
	}

	return managed.ExternalCreation{ConnectionDetails: e.details(key)}, nil
}

// Update makes the rights those of the spec, removes keys whose time is over, and
// makes new ones when they are asked for. That these are in the Secret is for the next
// Observe to say.
func (e *external) Update(ctx context.Context, _ *v1beta1.BucketAccess) (managed.ExternalUpdate, error) {
	if e.lost != nil {
		if err := e.identities.RemoveAll(ctx, e.owner, e.grant); err != nil {
			return managed.ExternalUpdate{}, e.explain(errors.Wrap(err, "cannot remove keys"))
		}

		return managed.ExternalUpdate{}, e.lost
	}

	if err := e.remove(ctx); err != nil {
		return managed.ExternalUpdate{}, e.explain(err)
	}

	if !e.found.Exact {
		if err := e.identities.Grant(ctx, e.owner, e.grant); err != nil {
			return managed.ExternalUpdate{}, e.explain(errors.Wrap(err, "cannot give the keys their rights"))
		}

		if e.settled {
			drift.Repaired(v1beta1.KindBucketAccess, "rights")
		}
	}

	if !e.plan.rotate {
		return managed.ExternalUpdate{}, nil
	}

	key, err := e.identities.Make(ctx, e.owner, e.grant)
	if err != nil {
		return managed.ExternalUpdate{}, e.explain(errors.Wrap(err, "cannot make new keys"))
	}

	return managed.ExternalUpdate{ConnectionDetails: e.details(key)}, nil
}

// remove the keys that the plan removes.
func (e *external) remove(ctx context.Context) error {
	for _, id := range e.plan.remove {
		if err := e.identities.Remove(ctx, e.owner, e.grant, id); err != nil {
			return errors.Wrap(err, "cannot remove earlier keys")
		}
	}

	return nil
}

// Delete removes all keys, and all that was made for them.
func (e *external) Delete(ctx context.Context, a *v1beta1.BucketAccess) (managed.ExternalDelete, error) {
	set(a, xpv2.Deleting())

	return managed.ExternalDelete{}, e.explain(errors.Wrap(e.identities.RemoveAll(ctx, e.owner, e.grant), "cannot remove the keys"))
}

// Disconnect has nothing to do: clients are shared.
func (e *external) Disconnect(context.Context) error { return nil }

// explain puts what a server answered into plain words.
func (e *external) explain(err error) error {
	if s3.Is(err, s3.BadCredentials) {
		e.forget()
	}

	return err
}

// What a bucket can be that has no access.
var (
	errForeign  = errors.New("the bucket is not that of the Bucket resource any more, so its keys are removed")
	errUnmarked = errors.New("the bucket does not say that it is the Bucket resource's, so no keys are given to it")
	errAbsent   = errors.New("the bucket is not there")
	errMoved    = errors.New("the Bucket resource has another bucket by now, so the keys to the one before are removed")
)

// loss says why the keys have to go: the bucket that they open is somebody else's, or
// may become that with nobody looking any more. It is nil where they may stay, as
// where the bucket is not there: it may be made again.
func (e *external) loss(a *v1beta1.BucketAccess) error {
	if e.bucket == nil {
		return errors.Errorf("there is no Bucket %q in namespace %q any more, so the keys to it are removed", a.Spec.ForProvider.BucketRef.Name, a.GetNamespace())
	}

	if e.verdict == ownership.Foreign {
		return errForeign
	}

	if e.missing == nil && e.grant.Bucket != bucketName(e.bucket) {
		return errMoved
	}

	return nil
}

// mine is an error where the bucket is not the Bucket resource's.
func mine(v ownership.Verdict) error {
	switch v {
	case ownership.Ours:
		return nil
	case ownership.Absent:
		return errAbsent
	case ownership.Unmarked:
		return errUnmarked
	case ownership.Offered, ownership.Foreign:
		return errForeign
	default:
		return errForeign
	}
}
