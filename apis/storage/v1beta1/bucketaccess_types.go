package v1beta1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A BucketAccess is a pair of keys to one Bucket of the same namespace. The keys
// are its own, and open nothing else. They are written to the Secret that
// spec.writeConnectionSecretToRef names, under the names that S3 clients read from
// their environment.
//
// +echo:managed
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=bucketaccesses,singular=bucketaccess,scope=Namespaced,categories={crossplane,managed}
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Synced",type=string,JSONPath=`.status.conditions[?(@.type=='Synced')].status`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="Bucket",type=string,JSONPath=`.spec.forProvider.bucketRef.name`
// +kubebuilder:printcolumn:name="Access",type=string,JSONPath=`.spec.forProvider.access`
// +kubebuilder:printcolumn:name="Secret",type=string,JSONPath=`.spec.writeConnectionSecretToRef.name`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type BucketAccess struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BucketAccessSpec   `json:"spec"`
	Status BucketAccessStatus `json:"status,omitempty"`
}

// A BucketAccessList is a list of BucketAccesses.
//
// +kubebuilder:object:root=true
type BucketAccessList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []BucketAccess `json:"items"`
}

// BucketAccessSpec is what the keys are to open.
//
// +kubebuilder:validation:XValidation:rule="has(self.writeConnectionSecretToRef) && size(self.writeConnectionSecretToRef.name) > 0",message="keys need a Secret to be written to",fieldPath=".writeConnectionSecretToRef"
// +kubebuilder:validation:XValidation:rule="!has(self.providerConfigRef) || self.providerConfigRef.kind in ['ProviderConfig', 'ClusterProviderConfig']",message="the kind is ProviderConfig or ClusterProviderConfig",fieldPath=".providerConfigRef.kind"
type BucketAccessSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// ForProvider is what the keys are to open.
	ForProvider BucketAccessParameters `json:"forProvider"`
}

// BucketAccessParameters are what the keys open.
type BucketAccessParameters struct {
	// BucketRef names the Bucket, of the same namespace and with the same
	// provider config.
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="keys stay with their bucket: make a new BucketAccess for another"
	BucketRef BucketReference `json:"bucketRef"`

	// Access that the keys give to objects. Neither lets anyone change the
	// bucket's own settings.
	// +kubebuilder:default=ReadWrite
	// +optional
	Access AccessMode `json:"access,omitempty"`

	// Prefix of the keys of the objects that are open; all without it:
	// "uploads/".
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^[^*?$"\\]*$`
	// +optional
	Prefix string `json:"prefix,omitempty"`

	// Rotation makes new keys on request.
	// +optional
	Rotation Rotation `json:"rotation,omitzero"`
}

// A BucketReference names a Bucket of the same namespace.
type BucketReference struct {
	// Name of the Bucket resource.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// AccessMode is what keys may do with objects.
// +kubebuilder:validation:Enum=ReadOnly;ReadWrite
type AccessMode string

// The modes of access.
const (
	AccessReadOnly  AccessMode = "ReadOnly"
	AccessReadWrite AccessMode = "ReadWrite"
)

// Rotation makes new keys on request.
type Rotation struct {
	// Trigger asks for new keys when it changes to any other value, for
	// example to today's date.
	// +kubebuilder:validation:MaxLength=64
	// +optional
	Trigger string `json:"trigger,omitempty"`

	// Overlap is how long the keys of before go on to work: "1h30m". One hour
	// without it.
	// +kubebuilder:default="1h"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:Pattern=`^([0-9]{1,4}h)?([0-9]{1,4}m)?([0-9]{1,4}s)?$`
	// +optional
	Overlap *metav1.Duration `json:"overlap,omitempty"`
}

// BucketAccessStatus is what there is.
type BucketAccessStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	// AtProvider is the access as it was last seen on the server.
	// +optional
	AtProvider BucketAccessObservation `json:"atProvider,omitzero"`
}

// BucketAccessObservation is an access as it was last seen on the server.
type BucketAccessObservation struct {
	// Bucket is the bucket's name on the server.
	// +optional
	Bucket string `json:"bucket,omitempty"`

	// Endpoint of the server, empty for AWS's own.
	// +optional
	Endpoint string `json:"endpoint,omitempty"`

	// AccessKeyID of the keys in the Secret.
	// +optional
	AccessKeyID string `json:"accessKeyID,omitempty"`

	// Trigger is that of spec.forProvider.rotation for which the keys in the
	// Secret were made.
	// +optional
	Trigger string `json:"trigger,omitempty"`

	// Notes say what the server cannot do of what was asked for.
	// +listType=atomic
	// +optional
	Notes []string `json:"notes,omitempty"`

	// Retiring are keys of before a rotation that still work.
	// +listType=map
	// +listMapKey=accessKeyID
	// +optional
	Retiring []RetiringKey `json:"retiring,omitempty"`
}

// A RetiringKey is a key of before a rotation.
type RetiringKey struct {
	// AccessKeyID of the key.
	AccessKeyID string `json:"accessKeyID"`

	// Since when others are in the Secret. It works for the overlap from then.
	Since metav1.Time `json:"since"`
}
