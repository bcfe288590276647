package bucket

import (
	"context"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
)

// initializer gives a Bucket its external name and its finalizer.
type initializer struct{ client client.Client }

// Initialize writes what is missing of the two with one update, or with none: before
// the reconciler makes a bucket it writes down that it is about to, and what is
// changed here goes with that.
func (i initializer) Initialize(ctx context.Context, mg resource.Managed) error {
	named, held := meta.GetExternalName(mg) != "", meta.FinalizerExists(mg, managed.FinalizerName)
	if named && held || meta.WasDeleted(mg) {
		if !named {
			meta.SetExternalName(mg, derivedName(mg))
		}

		return nil
	}

	if !named {
		meta.SetExternalName(mg, derivedName(mg))
	}
	meta.AddFinalizer(mg, managed.FinalizerName)

	if b, ok := mg.(*v1beta1.Bucket); ok && unbegun(b) && may(b, xpv2.ManagementActionCreate) {
		return nil
	}

	return errors.Wrap(i.client.Update(ctx, mg), "cannot write the external name and the finalizer")
}

// derivedName is the name of a bucket that is given none.
func derivedName(mg resource.Managed) string {
	return ownership.DeriveName(mg.GetNamespace(), mg.GetName(), string(mg.GetUID()))
}

// unbegun tells that there cannot be a bucket of this resource yet: its name is one
// that nobody else derives, and its making was never begun. Nor does it adopt one.
func unbegun(b *v1beta1.Bucket) bool {
	return untouched(b) && meta.GetExternalName(b) == derivedName(b)
}

// untouched tells that the resource has no bucket on any server, and has never begun
// to make or to adopt one.
func untouched(b *v1beta1.Bucket) bool { return !touched(b) && !b.Spec.ForProvider.Adopt }

// touched tells that the resource has begun to make a bucket, or was last seen to have
// one.
func touched(b *v1beta1.Bucket) bool {
	return !meta.GetExternalCreatePending(b).IsZero() || b.Status.AtProvider.ARN != ""
}

// may tells whether the management policies allow an action.
func may(b *v1beta1.Bucket, action xpv2.ManagementAction) bool {
	p := b.GetManagementPolicies()

	return slices.Contains(p, action) || slices.Contains(p, xpv2.ManagementActionAll)
}
