package observed

import "my-operator.dev/echo/fn/wire"

// A Bucket is what is read of a Bucket of provider-echo.
type Bucket struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		ForProvider struct {
			Region string `json:"region"`
		} `json:"forProvider"`
	} `json:"spec"`
	Status struct {
		Conditions []Condition `json:"conditions"`
	} `json:"status"`
}

// ReadBucket reads a Bucket.
func ReadBucket(s wire.Struct) (*Bucket, error) {
	b := &Bucket{}
	return b, wire.Unmarshal(s, b)
}

// Condition is the Bucket's condition of the given type, the zero Condition if it
// has none.
func (b *Bucket) Condition(t string) Condition { return condition(b.Status.Conditions, t) }

// Terminating is true of a Bucket that is on its way out.
func (b *Bucket) Terminating() bool { return b.Metadata.DeletionTimestamp != nil }

// A BucketAccess is what is read of a BucketAccess of provider-echo.
type BucketAccess struct {
	Metadata Metadata `json:"metadata"`
	Spec     struct {
		Secret struct {
			Name string `json:"name"`
		} `json:"writeConnectionSecretToRef"`
	} `json:"spec"`
	Status struct {
		Conditions []Condition `json:"conditions"`
		AtProvider struct {
			AccessKeyID string `json:"accessKeyID"`
		} `json:"atProvider"`
	} `json:"status"`
}

// ReadBucketAccess reads a BucketAccess.
func ReadBucketAccess(s wire.Struct) (*BucketAccess, error) {
	a := &BucketAccess{}
	return a, wire.Unmarshal(s, a)
}

// Condition is the BucketAccess' condition of the given type, the zero Condition
// if it has none.
func (a *BucketAccess) Condition(t string) Condition { return condition(a.Status.Conditions, t) }

// Terminating is true of a BucketAccess that is on its way out.
func (a *BucketAccess) Terminating() bool { return a.Metadata.DeletionTimestamp != nil }

// Issued is true once there are keys in the Secret. They stay there when the
// access, or its Bucket, gets unready later. Those of an access that is on its way
// out go with it.
func (a *BucketAccess) Issued() bool {
	return a.Status.AtProvider.AccessKeyID != "" && !a.Terminating()
}
