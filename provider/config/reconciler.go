package config

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/providerconfig"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// finalizer keeps a config that is in use. The name is the one that configs of all
// of Crossplane's providers have.
const finalizer = "in-use.crossplane.io"

const (
	// reconcileTimeout bounds one reconcile of a config.
	reconcileTimeout = time.Minute

	// lookAgain is how soon a config that cannot go yet is looked at again. Most
	// often news of a usage's end comes earlier.
	lookAgain = 30 * time.Second
)

// A reconciler counts who uses a config, and keeps it until nobody does.
type reconciler struct {
	client client.Client
	users  users
	record event.Recorder

	// empty returns a config of the kind to reconcile.
	empty func() resource.ProviderConfig
}

// Reconcile a config.
func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, reconcileTimeout)
	defer cancel()

	config := r.empty()
	if err := r.client.Get(ctx, req.NamespacedName, config); err != nil {
		return reconcile.Result{}, errors.Wrap(resource.IgnoreNotFound(err), "cannot get config")
	}

	if meta.WasDeleted(config) {
		return errors.SilentlyRequeueOnConflict(r.release(ctx, config))
	}

	if controllerutil.AddFinalizer(config, finalizer) {
		if err := r.client.Update(ctx, config); err != nil {
			return errors.SilentlyRequeueOnConflict(reconcile.Result{}, errors.Wrap(err, "cannot add finalizer"))
		}
	}

	count, err := r.users.recorded(ctx, config)
	if err != nil {
		return reconcile.Result{}, err
	}

	config.SetUsers(int64(count))

	// The client sends no status that changes nothing.
	err = r.client.Status().Update(ctx, config)

	return errors.SilentlyRequeueOnConflict(reconcile.Result{}, errors.Wrap(err, "cannot update status"))
}

// release lets a config go if nobody uses it any more, else says who does.
func (r *reconciler) release(ctx context.Context, config resource.ProviderConfig) (reconcile.Result, error) {
	count, example, err := r.users.actual(ctx, config)
	if err != nil {
		return reconcile.Result{}, err
	}

	if count == 0 {
		if !controllerutil.RemoveFinalizer(config, finalizer) {
			return reconcile.Result{}, nil
		}

		return reconcile.Result{}, errors.Wrap(resource.IgnoreNotFound(r.client.Update(ctx, config)), "cannot remove finalizer")
	}

	message := fmt.Sprintf("in use by %d managed resources, %s among them; it goes when the last of them does", count, example)
	if count == 1 {
		message = fmt.Sprintf("in use by %s; it goes when that does", example)
	}

	if config.GetCondition(providerconfig.TypeTerminating).Status != corev1.ConditionTrue {
		r.record.Event(config, event.Warning("InUse", errors.New(message)))
	}

	config.SetUsers(int64(count))
	config.SetConditions(providerconfig.Terminating().WithMessage(message))

	return reconcile.Result{RequeueAfter: vary(lookAgain)}, errors.Wrap(r.client.Status().Update(ctx, config), "cannot update status")
}
