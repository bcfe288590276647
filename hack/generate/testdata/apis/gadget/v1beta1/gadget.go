// Package v1beta1 has a kind of a provider, with fields that are inlined from
// another module and from a type of its own.
//
// +groupName=gadgets.example.org
// +versionName=v1beta1
// +kubebuilder:object:generate=true
package v1beta1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Gadget is a test.
//
// +echo:managed
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=gadgets,categories={crossplane,managed}
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GadgetSpec   `json:"spec"`
	Status GadgetStatus `json:"status,omitempty"`
}

// GadgetSpec is what is asked for.
type GadgetSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// ForProvider says what the gadget is like.
	// +kubebuilder:default={}
	// +optional
	ForProvider GadgetParameters `json:"forProvider"`
}

// GadgetParameters say what the gadget is like.
type GadgetParameters struct {
	Shape `json:",inline"`

	// Colour comes after the shape, which is inlined before it.
	// +optional
	Colour *string `json:"colour,omitempty"`
}

// Shape is inlined.
//
// +kubebuilder:validation:XValidation:rule="!has(self.width) || self.width < 5",message="too wide",fieldPath=".width"
type Shape struct {
	// Width comes first.
	// +optional
	Width int32 `json:"width,omitempty"`
}

// GadgetStatus is what is seen.
type GadgetStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`
}
