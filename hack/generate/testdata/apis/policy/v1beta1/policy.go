// Package v1beta1 has the input of a function.
//
// +groupName=fn.example.org
// +versionName=v1beta1
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Policy is a function's input.
// +echo:input
// +kubebuilder:resource:path=policies
type Policy struct {
	metav1.TypeMeta `json:",inline"`

	// Strict mode.
	// +kubebuilder:default=false
	Strict bool `json:"strict,omitempty"`
}
