package v1beta1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	echov1 "my-operator.dev/echo/apis/my-operator/v1"
)

// Group and Version of this API, and its kind.
const (
	Group      = "echo.fn.my-operator.dev"
	Version    = "v1beta1"
	APIVersion = Group + "/" + Version

	KindInput = "Input"
)

// An Input is what the platform team decides for all Echoes of a Composition:
// what holds where a tenant says nothing, and how far a tenant may go. It is
// written in the Composition's pipeline step and never stored as an object of
// its own, so it has no metadata, and its CRD only documents it.
//
// +echo:input
// +kubebuilder:resource:path=inputs,singular=input,categories=crossplane
type Input struct {
	metav1.TypeMeta `json:",inline"`

	// Defaults hold where an Echo leaves a field out.
	// +optional
	Defaults Defaults `json:"defaults,omitzero"`

	// Limits are what no Echo may exceed, on top of those in its own schema.
	// +optional
	Limits Limits `json:"limits,omitzero"`

	// ProviderConfigs say which servers Echoes get what they ask for from.
	// +optional
	ProviderConfigs ProviderConfigs `json:"providerConfigs,omitzero"`
}

// ProviderConfigs say which servers Echoes get what they ask for from.
type ProviderConfigs struct {
	// Buckets is the config that Buckets and the keys to them are made with;
	// the ClusterProviderConfig "default" without it. Buckets that exist are
	// looked for with it too: another one is for the same server.
	// +optional
	Buckets *ProviderConfigReference `json:"buckets,omitempty"`
}

// A ProviderConfigReference names a config of provider-echo.
type ProviderConfigReference struct {
	// Kind of the config. A ProviderConfig must be in the namespace of each
	// Echo, a ClusterProviderConfig must allow it.
	// +kubebuilder:default=ClusterProviderConfig
	// +kubebuilder:validation:Enum=ProviderConfig;ClusterProviderConfig
	// +optional
	Kind string `json:"kind,omitempty"`

	// Name of the config.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// Defaults hold where an Echo leaves a field out.
type Defaults struct {
	// Workload of Echoes that name none; "Pods" without it.
	// +optional
	Workload echov1.Workload `json:"workload,omitempty"`

	// Resources of Echoes that name none. They stand in place of the
	// function's own default of 100m CPU and 128Mi memory, and are not merged
	// with it.
	// +optional
	Resources *corev1.ResourceRequirements `json:"resources,omitempty"`

	// SecurityProfile of Echoes that name none; "Baseline" without it.
	// +optional
	SecurityProfile echov1.Profile `json:"securityProfile,omitempty"`

	// ServiceType of Echoes that name none; "ClusterIP" without it.
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	// +optional
	ServiceType corev1.ServiceType `json:"serviceType,omitempty"`

	// ImagePullSecrets of Echoes that name none. They must be in the
	// namespace of each Echo.
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=name
	// +optional
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`

	// Labels of every object that an Echo is made of. The function's own
	// labels override them.
	// +kubebuilder:validation:MaxProperties=32
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
}

// Limits are what no Echo may exceed. One that does is told which limit it is and
// where it is set, and what it already runs stays as it is.
type Limits struct {
	// MaxReplicas is the greatest number of replicas that an Echo may ask
	// for, itself or through autoscaling.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`

	// AllowedImagePrefixes are what an image may begin with; any image may be
	// run without them. A prefix ends where a part of the name does: the
	// prefix "registry.example.com/shop" allows "registry.example.com/shop/web:1"
	// and not "registry.example.com/shopping:1".
	// +kubebuilder:validation:MaxItems=64
	// +listType=set
	// +optional
	AllowedImagePrefixes []string `json:"allowedImagePrefixes,omitempty"`

	// MaxBuckets is the greatest number of buckets that an Echo may ask for;
	// 0 allows none.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=8
	// +optional
	MaxBuckets *int32 `json:"maxBuckets,omitempty"`
}
