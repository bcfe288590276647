package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group and Version of this API, and its kinds.
const (
	Group      = "storage.my-operator.dev"
	Version    = "v1beta1"
	APIVersion = Group + "/" + Version

	KindBucket       = "Bucket"
	KindBucketAccess = "BucketAccess"
)

// The group, version and kinds as a scheme knows them.
var (
	GroupVersion                 = schema.GroupVersion{Group: Group, Version: Version}
	BucketGroupVersionKind       = GroupVersion.WithKind(KindBucket)
	BucketAccessGroupVersionKind = GroupVersion.WithKind(KindBucketAccess)
)

// AddToScheme makes these types known to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Bucket{}, &BucketList{}, &BucketAccess{}, &BucketAccessList{})
	metav1.AddToGroupVersion(s, GroupVersion)

	return nil
}
