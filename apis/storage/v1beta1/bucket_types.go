package v1beta1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Bucket is an S3 bucket. Its name on the server is the annotation
// crossplane.io/external-name, by default the namespace, the name and a digest of
// the UID, so that two namespaces cannot meet. A bucket on the server that this
// resource neither made nor was offered for adoption is left alone.
//
// +echo:managed
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=buckets,singular=bucket,scope=Namespaced,categories={crossplane,managed}
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Synced",type=string,JSONPath=`.status.conditions[?(@.type=='Synced')].status`
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].status`
// +kubebuilder:printcolumn:name="External-Name",type=string,JSONPath=`.metadata.annotations.crossplane\.io/external-name`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=='Ready')].reason`,priority=1
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.status.atProvider.url`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Bucket struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={forProvider: {}}
	// +optional
	Spec   BucketSpec   `json:"spec"`
	Status BucketStatus `json:"status,omitempty"`
}

// A BucketList is a list of Buckets.
//
// +kubebuilder:object:root=true
type BucketList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Bucket `json:"items"`
}

// BucketSpec is the state that a bucket is to have.
//
// +kubebuilder:validation:XValidation:rule="!has(self.providerConfigRef) || self.providerConfigRef.kind in ['ProviderConfig', 'ClusterProviderConfig']",message="the kind is ProviderConfig or ClusterProviderConfig",fieldPath=".providerConfigRef.kind"
type BucketSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`

	// ForProvider is what the bucket is to be like on the server.
	// +kubebuilder:default={}
	// +optional
	ForProvider BucketParameters `json:"forProvider"`
}

// BucketParameters are what a bucket is to be like on the server. What is left out
// is neither read nor touched; what was set here and is taken out again is removed
// from the bucket.
//
// +kubebuilder:validation:XValidation:rule="has(self.region) == has(oldSelf.region)",message="a bucket cannot move to another region",fieldPath=".region"
// +kubebuilder:validation:XValidation:rule="has(self.objectLock) == has(oldSelf.objectLock)",message="object lock is decided when a bucket is made",fieldPath=".objectLock"
// +kubebuilder:validation:XValidation:rule="!has(self.objectLock) || has(self.versioning) && self.versioning == 'Enabled'",message="object lock needs versioning to be Enabled",fieldPath=".versioning"
type BucketParameters struct {
	// Region the bucket is made in; the provider config's without it.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a bucket cannot move to another region"
	// +optional
	Region *string `json:"region,omitempty"`

	// Versioning keeps the earlier versions of objects. Once it was Enabled it
	// can be Suspended, and never be off again.
	// +optional
	Versioning VersioningState `json:"versioning,omitempty"`

	// ObjectLock lets objects be protected from deletion for a time. A bucket
	// has it from its making, or never.
	// +optional
	ObjectLock *ObjectLock `json:"objectLock,omitempty"`

	// Tags of the bucket, beside those that mark it as this resource's.
	// +kubebuilder:validation:MaxProperties=40
	// +kubebuilder:validation:XValidation:rule="self.all(k, k.matches('^[\\\\p{L}\\\\p{Z}\\\\p{N}_.:/=+@-]{1,128}$'))",message="a tag's key has 1 to 128 letters, digits, spaces and _ . : / = + - @"
	// +kubebuilder:validation:XValidation:rule="self.all(k, !k.startsWith('my-operator.dev/') && !k.startsWith('aws:'))",message="tags that begin with my-operator.dev/ or aws: are reserved"
	// +optional
	Tags map[string]TagValue `json:"tags,omitempty"`

	// Policy is the bucket's policy, a JSON document of at most 20 KiB in the
	// language of AWS. Statement IDs that begin with EchoAccess are reserved
	// for BucketAccess.
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=20480
	// +optional
	Policy *string `json:"policy,omitempty"`

	// LifecycleRules expire, abort and move objects as they grow old.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	// +listType=map
	// +listMapKey=id
	// +optional
	LifecycleRules []LifecycleRule `json:"lifecycleRules,omitempty"`

	// CORSRules say which web pages of other origins may use the bucket.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=100
	// +listType=atomic
	// +optional
	CORSRules []CORSRule `json:"corsRules,omitempty"`

	// PublicAccessBlock keeps ACLs and policies from opening the bucket to
	// everybody.
	// +optional
	PublicAccessBlock *PublicAccessBlock `json:"publicAccessBlock,omitempty"`

	// Encryption of objects that are stored without saying how.
	// +optional
	Encryption *Encryption `json:"encryption,omitempty"`

	// Quota is the most that the bucket may hold: "10Gi". Only MinIO has
	// quotas, and only a config whose identityAPI is MinIO can set them.
	// +kubebuilder:validation:XValidation:rule="quantity(string(self)).isGreaterThan(quantity('0'))",message="a quota is more than zero"
	// +optional
	Quota *resource.Quantity `json:"quota,omitempty"`

	// ForceDestroy lets the deletion of this resource delete every object in
	// the bucket, with all versions. Without it a bucket that holds objects
	// is not deleted.
	// +optional
	ForceDestroy bool `json:"forceDestroy,omitempty"`

	// Adopt lets this resource take over the bucket that its external name
	// names, if it exists and carries the tag my-operator.dev/offered-to with
	// this resource's namespace, or its namespace/name, as value.
	// +optional
	Adopt bool `json:"adopt,omitempty"`
}

// TagValue is the value of a tag: letters, digits, spaces and _ . : / = + - @
// +kubebuilder:validation:MaxLength=256
// +kubebuilder:validation:Pattern=`^[\p{L}\p{Z}\p{N}_.:/=+@-]*$`
type TagValue string

// VersioningState of a bucket.
// +kubebuilder:validation:Enum=Enabled;Suspended
type VersioningState string

// The states of versioning that can be asked for.
const (
	VersioningEnabled   VersioningState = "Enabled"
	VersioningSuspended VersioningState = "Suspended"
)

// ObjectLock of a bucket.
type ObjectLock struct {
	// DefaultRetention of objects that are stored without saying how long.
	// +optional
	DefaultRetention *Retention `json:"defaultRetention,omitempty"`
}

// Retention says how, and for how long, objects are protected.
//
// +kubebuilder:validation:XValidation:rule="has(self.days) != has(self.years)",message="give either days or years"
type Retention struct {
	// Mode: what is under Governance can be deleted by those with the right
	// to, what is under Compliance by nobody.
	// +kubebuilder:validation:Enum=Governance;Compliance
	Mode string `json:"mode"`

	// Days an object is protected.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=36500
	// +optional
	Days *int32 `json:"days,omitempty"`

	// Years an object is protected.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	// +optional
	Years *int32 `json:"years,omitempty"`
}

// PublicAccessBlock keeps a bucket from being opened to everybody.
type PublicAccessBlock struct {
	// BlockPublicACLs refuses ACLs that give rights to everybody.
	// +optional
	BlockPublicACLs bool `json:"blockPublicACLs,omitempty"`

	// IgnorePublicACLs gives no effect to those that exist.
	// +optional
	IgnorePublicACLs bool `json:"ignorePublicACLs,omitempty"`

	// BlockPublicPolicy refuses policies that give rights to everybody.
	// +optional
	BlockPublicPolicy bool `json:"blockPublicPolicy,omitempty"`

	// RestrictPublicBuckets gives no effect to those that exist.
	// +optional
	RestrictPublicBuckets bool `json:"restrictPublicBuckets,omitempty"`
}

// Encryption of the objects at rest.
//
// +kubebuilder:validation:XValidation:rule="!has(self.kmsKeyID) || self.algorithm == 'aws:kms'",message="a KMS key needs the algorithm aws:kms",fieldPath=".kmsKeyID"
type Encryption struct {
	// Algorithm: AES256 uses keys that the server keeps, aws:kms those of its
	// key management service.
	// +kubebuilder:validation:Enum=AES256;"aws:kms"
	Algorithm string `json:"algorithm"`

	// KMSKeyID is the key to use; the server's default without it.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	// +optional
	KMSKeyID string `json:"kmsKeyID,omitempty"`
}

// BucketStatus is what there is.
type BucketStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	// AtProvider is the bucket as it was last seen on the server.
	// +optional
	AtProvider BucketObservation `json:"atProvider,omitzero"`
}

// BucketObservation is a bucket as it was last seen on the server.
type BucketObservation struct {
	// ARN of the bucket: "arn:aws:s3:::team-a-assets-4jv2k7qpxd".
	// +optional
	ARN string `json:"arn,omitempty"`

	// URL of the bucket at its endpoint.
	// +optional
	URL string `json:"url,omitempty"`

	// Region of the bucket.
	// +optional
	Region string `json:"region,omitempty"`

	// Endpoint of the server, empty for AWS's own.
	// +optional
	Endpoint string `json:"endpoint,omitempty"`

	// Server is what the server calls itself.
	// +optional
	Server string `json:"server,omitempty"`

	// CreationTime is when the bucket was made, or adopted.
	// +optional
	CreationTime *metav1.Time `json:"creationTime,omitempty"`

	// Configured names the fields of forProvider that this resource has set
	// on the bucket, and therefore removes when they are taken out.
	// +listType=set
	// +optional
	Configured []string `json:"configured,omitempty"`

	// Unsupported names the fields of forProvider that the server does not
	// have, and that therefore have no effect.
	// +listType=set
	// +optional
	Unsupported []string `json:"unsupported,omitempty"`
}
