// Package v1 has a composite that uses one of everything that the generator
// must carry over.
//
// +groupName=example.org
// +versionName=v1
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A Widget is a test.
//
// It has a second paragraph | with a bar.
//
// +echo:composite:claims=true
// +kubebuilder:resource:path=widgets,shortName=wd,categories=toys
// +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.status.size
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.spec.size`
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.message`,priority=1
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is asked for.
	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is hidden behind the field's own words.
// +kubebuilder:validation:XValidation:rule="self.size < 5 || has(self.strategy)",message="a large widget needs a strategy"
type WidgetSpec struct {
	// Size comes first, although the alphabet says otherwise. It is
	// broken over lines.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2000000
	Size int32 `json:"size"`

	// +optional
	Strategy Strategy `json:"strategy,omitempty"`

	// Surge is a number or a share.
	// +kubebuilder:default="25%"
	// +kubebuilder:validation:XIntOrString
	Surge *intstr.IntOrString `json:"surge,omitempty"`

	// Toleration is Kubernetes' own type: only its first sentences stay.
	Toleration *corev1.Toleration `json:"toleration,omitempty"`

	// Limits by resource.
	Limits corev1.ResourceList `json:"limits,omitempty"`

	// Parts by name.
	// +kubebuilder:validation:MaxProperties=10
	Parts map[string]Part `json:"parts,omitempty"`

	// Names are a set of short ones.
	// +kubebuilder:validation:MaxItems=4
	// +kubebuilder:validation:items:MaxLength=8
	// +listType=set
	Names []string `json:"names,omitempty"`
}

// Strategy says how.
// +kubebuilder:validation:Enum=Fast;Slow
type Strategy string

// A Part is within a map.
type Part struct {
	// Kinds of the part.
	// +kubebuilder:validation:MinItems=1
	// +listType=map
	// +listMapKey=name
	Kinds []PartKind `json:"kinds"`
}

// A PartKind is within a list.
type PartKind struct {
	// Name of the kind.
	// +kubebuilder:validation:Pattern=`^(a|b)$`
	Name string `json:"name"`
}

// WidgetStatus is what is seen.
type WidgetStatus struct {
	// Size that there is.
	Size int32 `json:"size,omitempty"`

	// Message for people.
	Message string `json:"message,omitempty"`

	// Conditions are Crossplane's.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
