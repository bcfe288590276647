package v1

import "k8s.io/apimachinery/pkg/util/intstr"

// Autoscaling sets an Echo's replicas by load. Without either target it aims at
// 80 % of the CPU that the Pods request.
//
// +kubebuilder:validation:XValidation:rule="(has(self.minReplicas) ? self.minReplicas : 1) <= self.maxReplicas",message="minReplicas must not be greater than maxReplicas",fieldPath=".minReplicas"
type Autoscaling struct {
	// MinReplicas is the least number of replicas.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	MinReplicas *int32 `json:"minReplicas,omitempty"`

	// MaxReplicas is the greatest number of replicas.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	MaxReplicas int32 `json:"maxReplicas"`

	// TargetCPUUtilization is the CPU that the Pods should use on average, in
	// percent of what they request.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	TargetCPUUtilization *int32 `json:"targetCPUUtilization,omitempty"`

	// TargetMemoryUtilization is the memory that the Pods should use on
	// average, in percent of what they request.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	TargetMemoryUtilization *int32 `json:"targetMemoryUtilization,omitempty"`
}

// Rollout bounds how a change of the spec reaches the Pods.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.maxSurge) && has(self.maxUnavailable) && string(self.maxSurge) in ['0', '0%'] && string(self.maxUnavailable) in ['0', '0%'])",message="maxSurge and maxUnavailable must not both be 0: no Pod could ever be replaced"
type Rollout struct {
	// MaxSurge is how many Pods more than replicas there may be: a number, or
	// a percentage of replicas that is rounded up. "25%" without it.
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^([0-9]{1,4}|[0-9]{1,2}%|100%)$`
	// +optional
	MaxSurge *intstr.IntOrString `json:"maxSurge,omitempty"`

	// MaxUnavailable is how many of the replicas may be unavailable: a
	// number, or a percentage of replicas that is rounded down. "25%" without
	// it.
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^([0-9]{1,4}|[0-9]{1,2}%|100%)$`
	// +optional
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
}

// Disruption bounds how many Pods may be evicted at a time.
type Disruption struct {
	// MinAvailable is how many Pods must stay available: a number, or a
	// percentage of replicas that is rounded up.
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern=`^([0-9]{1,4}|[0-9]{1,2}%|100%)$`
	MinAvailable intstr.IntOrString `json:"minAvailable"`
}
