package v1

// A Bucket is an S3 bucket of an Echo's own, and keys to it. The containers find
// the keys in their environment, under the names that S3 clients read.
//
// +kubebuilder:validation:XValidation:rule="has(self.region) == has(oldSelf.region)",message="a bucket cannot move to another region",fieldPath=".region"
type Bucket struct {
	// Name of the bucket among those of the Echo. The Bucket and the
	// BucketAccess that are made have the Echo's name and this: "shop-assets".
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Access that the containers have to the objects in the bucket.
	// +kubebuilder:default=ReadWrite
	// +optional
	Access BucketAccess `json:"access,omitempty"`

	// Versioning keeps the earlier versions of objects. Once it was Enabled it
	// can be Suspended, and never be off again.
	// +optional
	Versioning BucketVersioning `json:"versioning,omitempty"`

	// Deletion is what becomes of the bucket when the Echo is deleted, or this
	// entry is taken out: "WhenEmpty" deletes the bucket once it holds nothing,
	// "Force" deletes it with all that it holds, and "Orphan" leaves it on the
	// server, where nothing of the Echo knows it any more.
	// +kubebuilder:default=WhenEmpty
	// +optional
	Deletion BucketDeletion `json:"deletion,omitempty"`

	// EnvPrefix is put in front of the name of each variable: with "ASSETS_"
	// the bucket's name is in ASSETS_BUCKET_NAME. Each bucket needs another
	// one; a single bucket needs none.
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Z0-9_]*$`
	// +optional
	EnvPrefix string `json:"envPrefix,omitempty"`

	// Region that the bucket is made in; the platform's without it.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a bucket cannot move to another region"
	// +optional
	Region string `json:"region,omitempty"`
}

// BucketAccess is what containers may do with the objects in a bucket.
// +kubebuilder:validation:Enum=ReadWrite;ReadOnly
type BucketAccess string

// The modes of access.
const (
	BucketReadWrite BucketAccess = "ReadWrite"
	BucketReadOnly  BucketAccess = "ReadOnly"
)

// BucketVersioning says whether a bucket keeps the earlier versions of objects.
// +kubebuilder:validation:Enum=Enabled;Suspended
type BucketVersioning string

// The states of versioning that can be asked for.
const (
	VersioningEnabled   BucketVersioning = "Enabled"
	VersioningSuspended BucketVersioning = "Suspended"
)

// BucketDeletion is what becomes of a bucket that is no longer asked for.
// +kubebuilder:validation:Enum=WhenEmpty;Force;Orphan
type BucketDeletion string

// What can become of a bucket that is no longer asked for.
const (
	DeleteWhenEmpty BucketDeletion = "WhenEmpty"
	DeleteForce     BucketDeletion = "Force"
	DeleteOrphan    BucketDeletion = "Orphan"
)

// BucketStatus is one of an Echo's buckets as it was last seen.
type BucketStatus struct {
	// Name of the bucket in the spec.
	Name string `json:"name"`

	// BucketName is the bucket's name on the server, once it has one.
	// +optional
	BucketName string `json:"bucketName,omitempty"`

	// Ready is true when the bucket and the keys to it are as the spec has
	// them.
	// +optional
	Ready bool `json:"ready"`

	// Secret holds the keys, once there are any.
	// +optional
	Secret string `json:"secret,omitempty"`
}
