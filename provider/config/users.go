package config

import (
	"context"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/provider/v1beta1"
)

// byConfig is the index of usages by the config that they are of.
const byConfig = "config"

// pageSize bounds how much of a list is in memory at once.
const pageSize = 500

// users finds who uses a config.
type users struct {
	// cached has usages indexed by their config.
	cached client.Client

	// live reads from the API server.
	live client.Reader

	// lists are empty lists of the kinds of managed resources.
	lists []client.ObjectList
}

// recorded counts the usages of a config that are in the cache.
func (u users) recorded(ctx context.Context, config client.Object) (int, error) {
	list := &v1beta1.ProviderConfigUsageList{}

	// The objects are the cache's own, and are only counted.
	if err := u.cached.List(ctx, list, client.MatchingFields{byConfig: keyOf(config)}, client.UnsafeDisableDeepCopy); err != nil {
		return 0, errors.Wrap(err, "cannot list ProviderConfigUsages")
	}

	n := 0
	for i := range list.Items {
		if metav1.GetControllerOf(&list.Items[i]) != nil {
			n++
		}
	}

	return n, nil
}

// actual counts who uses a config at this moment, and names one of them. It is for
// when a config is to be let go, and therefore asks the API server, and goes by the
// resources as well as by their usages: in a namespace that is being deleted, or
// when a resource is deleted in the foreground, its usage goes first, though the
// resource still needs its config.
func (u users) actual(ctx context.Context, config client.Object) (int, string, error) {
	found := map[types.UID]string{}

	err := u.each(ctx, &v1beta1.ProviderConfigUsageList{}, config.GetNamespace(), func(o runtime.Object) {
		usage, ok := o.(*v1beta1.ProviderConfigUsage)
		if ok && usageKey(usage) == keyOf(config) && metav1.GetControllerOf(usage) != nil {
			found[types.UID(usage.GetName())] = usage.ResourceReference.Kind + " " + usage.GetNamespace() + "/" + usage.ResourceReference.Name
		}
	})
	if err != nil {
		return 0, "", err
	}

	for _, list := range u.lists {
		err := u.each(ctx, list, config.GetNamespace(), func(o runtime.Object) {
			mg, ok := o.(resource.ModernManaged)
			if ok && u.holds(ctx, mg, config) {
				found[mg.GetUID()] = u.kindOf(mg) + " " + mg.GetNamespace() + "/" + mg.GetName()
			}
		})
		if err != nil {
			return 0, "", err
		}
	}

	// The same one each time, so that what is said does not change.
	example := ""
	for _, name := range found {
		if example == "" || name < example {
			example = name
		}
	}

	return len(found), example, nil
}

// holds tells whether a resource, which the provider may have made something for,
// names the config. A namespace that is not allowed cannot hold a config of the
// platform's.
func (u users) holds(ctx context.Context, mg resource.ModernManaged, config client.Object) bool {
	ref := mg.GetProviderConfigReference()
	if ref == nil || key(ref.Kind, mg.GetNamespace(), ref.Name) != keyOf(config) || !slices.Contains(mg.GetFinalizers(), managed.FinalizerName) {
		return false
	}

	cpc, ok := config.(*v1beta1.ClusterProviderConfig)
	if !ok {
		return true
	}

	may, err := allows(cpc.Spec.AllowedNamespaces, mg.GetNamespace(), func() (labels.Set, error) {
		return readLabels(u.live)(ctx, types.NamespacedName{Name: mg.GetNamespace()})
	})

	return may || err != nil
}

// each calls f with all objects of a kind, in one namespace or, without one, in all.
// A kind that is not served has none.
func (u users) each(ctx context.Context, of client.ObjectList, namespace string, f func(runtime.Object)) error {
	list, ok := of.DeepCopyObject().(client.ObjectList)
	if !ok {
		return errors.Errorf("%T is no list", of)
	}

	for {
		err := u.live.List(ctx, list, client.InNamespace(namespace), client.Limit(pageSize), client.Continue(list.GetContinue()))
		if apimeta.IsNoMatchError(err) {
			return nil
		}

		if err != nil {
			return errors.Wrap(err, "cannot list who uses the config")
		}

		if err := apimeta.EachListItem(list, func(o runtime.Object) error { f(o); return nil }); err != nil {
			return errors.Wrap(err, "cannot read list")
		}

		if list.GetContinue() == "" {
			return nil
		}
	}
}

// kindOf an object, which those that come in lists do not say.
func (u users) kindOf(o runtime.Object) string {
	gvk, err := u.cached.GroupVersionKindFor(o)
	if err != nil {
		return "resource"
	}

	return gvk.Kind
}

// usageKey is the key of the config that a usage is of.
func usageKey(u *v1beta1.ProviderConfigUsage) string {
	return key(u.ProviderConfigReference.Kind, u.GetNamespace(), u.ProviderConfigReference.Name)
}

// keyOf is the key of a config.
func keyOf(config client.Object) string {
	if _, ok := config.(*v1beta1.ClusterProviderConfig); ok {
		return key(v1beta1.KindClusterProviderConfig, "", config.GetName())
	}

	return key(v1beta1.KindProviderConfig, config.GetNamespace(), config.GetName())
}

// key of a config that somebody in a namespace refers to.
func key(kind, namespace, name string) string {
	if kind == v1beta1.KindClusterProviderConfig {
		return kind + "/" + name
	}

	return kind + "/" + namespace + "/" + name
}
