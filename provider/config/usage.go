package config

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"my-operator.dev/echo/apis/provider/v1beta1"
)

// track writes down that a resource uses a config: once for the resource's life, and
// again when it changes its config. A config that is being deleted takes no new
// users, but those who used it may still connect, or they could not be deleted.
func (r *Resolver) track(ctx context.Context, mg resource.ModernManaged, config client.Object) error {
	if err := r.hold(ctx, config); err != nil {
		return err
	}

	want := usage(mg)
	have := &v1beta1.ProviderConfigUsage{}

	err := r.client.Get(ctx, client.ObjectKeyFromObject(want), have)
	if client.IgnoreNotFound(err) != nil {
		return errors.Wrap(err, "cannot get ProviderConfigUsage")
	}

	known := err == nil
	if known && records(have, want) {
		return nil
	}

	if meta.WasDeleted(config) && !meta.WasDeleted(mg) && isNew(mg) {
		return errors.Errorf("%s %q is being deleted, and takes no new users", want.ProviderConfigReference.Kind, config.GetName())
	}

	if known {
		want.ResourceVersion = have.ResourceVersion
		err = r.client.Update(ctx, want)
	} else {
		// That it exists is news which has not come into the cache yet.
		err = resource.Ignore(kerrors.IsAlreadyExists, r.client.Create(ctx, want))
	}

	if err != nil && meta.WasDeleted(mg) {
		// Nothing can be made in a namespace that is being deleted, and what
		// matters is that the resource can be.
		r.log.Debug("Cannot record the use of a config by a resource that is being deleted", "error", err)

		return nil
	}

	return errors.Wrap(err, "cannot record the use of the config in a ProviderConfigUsage")
}

// isNew tells that nothing was made for a resource by its config: it has never been
// said whether it is ready.
func isNew(mg resource.ModernManaged) bool {
	return mg.GetCondition(xpv2.TypeReady).Status == corev1.ConditionUnknown
}

// hold has a config stay for as long as it is in use. Its own controller does so as
// well, but may not have come to a config that was just made; deleted before that, it
// would go at once, and leave those who use it behind.
func (r *Resolver) hold(ctx context.Context, config client.Object) error {
	if meta.WasDeleted(config) || !controllerutil.AddFinalizer(config, finalizer) {
		return nil
	}

	return errors.Wrap(r.client.Update(ctx, config), "cannot add the finalizer to the config")
}

// usage is what records which config a resource uses. It is named for the resource's
// UID, and garbage is collected with it.
func usage(mg resource.ModernManaged) *v1beta1.ProviderConfigUsage {
	ref := *mg.GetProviderConfigReference()
	gvk := mg.GetObjectKind().GroupVersionKind()

	out := &v1beta1.ProviderConfigUsage{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       mg.GetNamespace(),
			Name:            string(mg.GetUID()),
			OwnerReferences: []metav1.OwnerReference{meta.AsController(meta.TypedReferenceTo(mg, gvk))},
			Labels:          map[string]string{xpv2.LabelKeyProviderKind: ref.Kind},
		},
	}
	out.ProviderConfigReference = ref
	out.ResourceReference = xpv2.TypedReference{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind, Name: mg.GetName()}

	// A name may be longer than a label; nothing here depends on it.
	if len(validation.IsValidLabelValue(ref.Name)) == 0 {
		out.Labels[xpv2.LabelKeyProviderName] = ref.Name
	}

	return out
}

// records tells whether a usage that exists says what it should.
func records(have, want *v1beta1.ProviderConfigUsage) bool {
	owner := metav1.GetControllerOf(have)

	return have.ProviderConfigReference == want.ProviderConfigReference &&
		owner != nil && owner.UID == metav1.GetControllerOf(want).UID
}
