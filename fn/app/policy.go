package app

import "my-operator.dev/echo/fn/wire"

// A Policy is what the platform team decides for all Apps of a Composition: the
// function's input.
type Policy struct {
	APIVersion      string          `json:"apiVersion"`
	Kind            string          `json:"kind"`
	Defaults        Defaults        `json:"defaults"`
	Limits          Limits          `json:"limits"`
	ProviderConfigs ProviderConfigs `json:"providerConfigs"`
}

// Defaults hold where an Echo leaves a field out.
type Defaults struct {
	Workload         Workload          `json:"workload"`
	Resources        *Resources        `json:"resources"`
	SecurityProfile  Profile           `json:"securityProfile"`
	ServiceType      ServiceType       `json:"serviceType"`
	ImagePullSecrets []wire.Struct     `json:"imagePullSecrets"`
	Labels           map[string]string `json:"labels"`
}

// Limits are what no App may exceed.
type Limits struct {
	MaxReplicas          *int32   `json:"maxReplicas"`
	AllowedImagePrefixes []string `json:"allowedImagePrefixes"`
	MaxBuckets           *int32   `json:"maxBuckets"`
}

// ProviderConfigs say which servers Apps get what they ask for from.
type ProviderConfigs struct {
	Buckets *ProviderConfigReference `json:"buckets"`
}

// A ProviderConfigReference names a config of a provider.
type ProviderConfigReference struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// Kinds of configs of a provider.
const (
	KindProviderConfig        = "ProviderConfig"
	KindClusterProviderConfig = "ClusterProviderConfig"
)
