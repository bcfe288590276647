// Package v1beta1 is the echo.fn.my-operator.dev/v1beta1 API: the input of
// function-echo, by which a platform team sets policy in one place, its
// Composition.
//
// +groupName=echo.fn.my-operator.dev
// +versionName=v1beta1
// +kubebuilder:object:generate=false
package v1beta1
