// Package unmarked has a kind whose role cannot be told.
//
// +groupName=example.org
// +versionName=v1
package unmarked

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Thing is a test.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ThingSpec `json:"spec"`
}

// ThingSpec is empty.
type ThingSpec struct{}
