package app

import "my-operator.dev/echo/fn/wire"

// A Policy is what the platform team decides for all Apps of a Composition: the
// function's input.
type Policy struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Defaults   Defaults `json:"defaults"`
	Limits     Limits   `json:"limits"`
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
}
