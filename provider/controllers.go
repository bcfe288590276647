package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	provider "my-operator.dev/echo/apis/provider/v1beta1"
	storage "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/bucket"
	"my-operator.dev/echo/provider/bucketaccess"
	"my-operator.dev/echo/provider/config"
)

// A kindOf is what the provider reconciles as soon as all the kinds it needs are served.
type kindOf struct {
	name  string
	kinds []schema.GroupVersionKind
	setup func(context.Context, ctrl.Manager, config.Options) error

	// list is set for managed resources, the first of the kinds, whose states
	// are counted.
	list client.ObjectList
}

// controllers are all that there are. Managed resources cannot do without configs.
func controllers() []kindOf {
	configs := []schema.GroupVersionKind{
		provider.ProviderConfigGroupVersionKind,
		provider.ClusterProviderConfigGroupVersionKind,
		provider.ProviderConfigUsageGroupVersionKind,
	}

	return []kindOf{
		{
			name:  "configs",
			kinds: configs,
			setup: func(ctx context.Context, mgr ctrl.Manager, o config.Options) error {
				return config.Setup(ctx, mgr, o, &storage.BucketList{}, &storage.BucketAccessList{})
			},
		},
		{
			name:  storage.KindBucket,
			kinds: append([]schema.GroupVersionKind{storage.BucketGroupVersionKind}, configs...),
			setup: func(_ context.Context, mgr ctrl.Manager, o config.Options) error { return bucket.Setup(mgr, o) },
			list:  &storage.BucketList{},
		},
		{
			// An access waits for its Bucket, whose kind must therefore be served.
			name:  storage.KindBucketAccess,
			kinds: append([]schema.GroupVersionKind{storage.BucketAccessGroupVersionKind, storage.BucketGroupVersionKind}, configs...),
			setup: bucketaccess.Setup,
			list:  &storage.BucketAccessList{},
		},
	}
}
