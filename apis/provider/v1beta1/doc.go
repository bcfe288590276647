// Package v1beta1 is the provider.my-operator.dev/v1beta1 API: where the servers of
// provider-echo are, with which credentials, and who may use them.
//
// These types and their markers are the single source of the API. From them
// `make generate` writes the CRDs of provider-echo, the API reference and the
// DeepCopy methods.
//
// +groupName=provider.my-operator.dev
// +versionName=v1beta1
// +kubebuilder:object:generate=true
package v1beta1
