// Package marker has a kind whose role cannot be told.
//
// +groupName=example.org
// +versionName=v1
package marker

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Thing is a test.
// +echo:composite:claim=true
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ThingSpec `json:"spec"`
}

// ThingSpec is empty.
type ThingSpec struct{}
