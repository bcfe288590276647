// Package v1 is the my-operator.dev/v1 API: Echo, an app that a tenant declares
// in a dozen lines.
//
// These types and their markers are the single source of the API. From them
// `make generate` writes both forms of the XRD (a namespaced Echo, and a
// cluster-scoped XEcho with a claim Echo) and the API reference. The function
// decodes requests into them, so what admission accepts is what it reads.
//
// +groupName=my-operator.dev
// +versionName=v1
// +kubebuilder:object:generate=false
package v1
