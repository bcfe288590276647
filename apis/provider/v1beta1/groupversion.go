package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group and Version of this API, and its kinds.
const (
	Group      = "provider.my-operator.dev"
	Version    = "v1beta1"
	APIVersion = Group + "/" + Version

	KindProviderConfig        = "ProviderConfig"
	KindClusterProviderConfig = "ClusterProviderConfig"
	KindProviderConfigUsage   = "ProviderConfigUsage"
)

// The group, version and kinds as a scheme knows them.
var (
	GroupVersion                          = schema.GroupVersion{Group: Group, Version: Version}
	ProviderConfigGroupVersionKind        = GroupVersion.WithKind(KindProviderConfig)
	ClusterProviderConfigGroupVersionKind = GroupVersion.WithKind(KindClusterProviderConfig)
	ProviderConfigUsageGroupVersionKind   = GroupVersion.WithKind(KindProviderConfigUsage)
)

// AddToScheme makes these types known to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion,
		&ProviderConfig{}, &ProviderConfigList{},
		&ClusterProviderConfig{}, &ClusterProviderConfigList{},
		&ProviderConfigUsage{}, &ProviderConfigUsageList{},
	)
	metav1.AddToGroupVersion(s, GroupVersion)

	return nil
}
