// Package v1beta1 is the storage.my-operator.dev/v1beta1 API: Bucket, an S3 bucket
// that a tenant holds in their own namespace, and BucketAccess, keys to one.
//
// These types and their markers are the single source of the API. From them
// `make generate` writes the CRDs of provider-echo, the API reference and the
// DeepCopy methods.
//
// +groupName=storage.my-operator.dev
// +versionName=v1beta1
// +kubebuilder:object:generate=true
package v1beta1
