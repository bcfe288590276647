package v1beta1

// A LifecycleRule says what becomes of objects as they grow old.
//
// +kubebuilder:validation:XValidation:rule="has(self.expirationDays) || has(self.expireDeleteMarkers) || has(self.noncurrentExpirationDays) || has(self.abortUploadsAfterDays) || has(self.transitions)",message="a rule needs something to do"
// +kubebuilder:validation:XValidation:rule="!(has(self.expirationDays) && has(self.expireDeleteMarkers))",message="give either expirationDays or expireDeleteMarkers"
type LifecycleRule struct {
	// ID of the rule, unique in the bucket.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	ID string `json:"id"`

	// Disabled keeps the rule without it doing anything.
	// +optional
	Disabled bool `json:"disabled,omitempty"`

	// Prefix of the keys of the objects that the rule is for; all without it.
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	Prefix string `json:"prefix,omitempty"`

	// ExpirationDays after its making, an object is deleted.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=36500
	// +optional
	ExpirationDays *int32 `json:"expirationDays,omitempty"`

	// ExpireDeleteMarkers removes delete markers that hide no version any more.
	// +kubebuilder:validation:Enum=true
	// +optional
	ExpireDeleteMarkers bool `json:"expireDeleteMarkers,omitempty"`

	// NoncurrentExpirationDays after it was replaced, a version is deleted.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=36500
	// +optional
	NoncurrentExpirationDays *int32 `json:"noncurrentExpirationDays,omitempty"`

	// AbortUploadsAfterDays is how long a multipart upload may remain unfinished.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=36500
	// +optional
	AbortUploadsAfterDays *int32 `json:"abortUploadsAfterDays,omitempty"`

	// Transitions to other classes of storage.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	// +listType=map
	// +listMapKey=storageClass
	// +optional
	Transitions []Transition `json:"transitions,omitempty"`
}

// A Transition moves objects to another class of storage.
type Transition struct {
	// Days after its making that an object moves.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=36500
	Days int32 `json:"days"`

	// StorageClass it moves to; for MinIO the name of a remote tier.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	StorageClass string `json:"storageClass"`
}

// A CORSRule says which web pages of other origins may use the bucket.
type CORSRule struct {
	// AllowedOrigins, as in "https://shop.example.com"; "*" is all.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	// +kubebuilder:validation:items:Pattern=`^[^*]*[*]?[^*]*$`
	// +listType=set
	AllowedOrigins []string `json:"allowedOrigins"`

	// AllowedMethods they may use.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:items:Enum=GET;PUT;HEAD;POST;DELETE
	// +listType=set
	AllowedMethods []string `json:"allowedMethods"`

	// AllowedHeaders that a request may have; "*" is all.
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	// +kubebuilder:validation:items:Pattern=`^[^*]*[*]?[^*]*$`
	// +listType=set
	// +optional
	AllowedHeaders []string `json:"allowedHeaders,omitempty"`

	// ExposeHeaders of the answer that the page may read.
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=256
	// +listType=set
	// +optional
	ExposeHeaders []string `json:"exposeHeaders,omitempty"`

	// MaxAgeSeconds that a browser may remember the rule; at most a year.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=31536000
	// +optional
	MaxAgeSeconds *int32 `json:"maxAgeSeconds,omitempty"`
}
