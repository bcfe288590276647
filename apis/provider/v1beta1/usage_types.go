package v1beta1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A ProviderConfigUsage says that a managed resource of its namespace uses a
// ProviderConfig or a ClusterProviderConfig, which stays while anyone does.
//
// +echo:managed
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=providerconfigusages,singular=providerconfigusage,scope=Namespaced,categories={crossplane,provider}
// +kubebuilder:printcolumn:name="Config-Kind",type=string,JSONPath=`.providerConfigRef.kind`
// +kubebuilder:printcolumn:name="Config-Name",type=string,JSONPath=`.providerConfigRef.name`
// +kubebuilder:printcolumn:name="Resource-Kind",type=string,JSONPath=`.resourceRef.kind`
// +kubebuilder:printcolumn:name="Resource-Name",type=string,JSONPath=`.resourceRef.name`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ProviderConfigUsage struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	xpv2.TypedProviderConfigUsage `json:",inline"`
}

// A ProviderConfigUsageList is a list of ProviderConfigUsages.
//
// +kubebuilder:object:root=true
type ProviderConfigUsageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []ProviderConfigUsage `json:"items"`
}
