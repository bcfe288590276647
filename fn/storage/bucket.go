package storage

import (
	"slices"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// APIVersion and kinds of what is rendered.
const (
	APIVersion = "storage.my-operator.dev/v1beta1"
	KindBucket = "Bucket"
	KindAccess = "BucketAccess"
)

// A Bucket is a rendered Bucket.
type Bucket struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	Spec       BucketSpec   `json:"spec"`
}

// BucketSpec is the spec of a rendered Bucket.
type BucketSpec struct {
	ForProvider        BucketParameters             `json:"forProvider,omitzero"`
	ManagementPolicies []string                     `json:"managementPolicies,omitempty"`
	ProviderConfigRef  *app.ProviderConfigReference `json:"providerConfigRef,omitempty"`
}

// BucketParameters are what the bucket is to be like on the server.
type BucketParameters struct {
	Region       string               `json:"region,omitempty"`
	Versioning   app.BucketVersioning `json:"versioning,omitempty"`
	ForceDestroy bool                 `json:"forceDestroy,omitempty"`
}

// all is what a Bucket's managementPolicies are by default, and orphan all but
// the deletion of what is on the server.
var (
	all    = []string{"*"}
	orphan = []string{"Observe", "Create", "Update", "LateInitialize"}
)

// NewBucket renders one of an App's buckets, which is in the given region: that
// is decided when it is made.
func NewBucket(a *app.App, b app.Bucket, region string) *Bucket {
	s := BucketSpec{
		ForProvider:       BucketParameters{Region: region, Versioning: b.Versioning, ForceDestroy: b.Deletion == app.DeleteForce},
		ProviderConfigRef: a.BucketConfig,
	}
	if b.Deletion == app.DeleteOrphan {
		s.ManagementPolicies = orphan
	}

	return bucket(a, b.Name, s)
}

// KeepBucket renders a Bucket that exists and is to stay while Pods of before need
// it, with what was asked for.
func KeepBucket(a *app.App, name string, observed wire.Struct) (*Bucket, error) {
	var o struct {
		Spec BucketSpec `json:"spec"`
	}

	if err := wire.Unmarshal(observed, &o); err != nil {
		return nil, err
	}

	if slices.Equal(o.Spec.ManagementPolicies, all) {
		o.Spec.ManagementPolicies = nil
	}

	return bucket(a, name, o.Spec), nil
}

func bucket(a *app.App, name string, s BucketSpec) *Bucket {
	m := a.Named()
	m.Name = a.BucketName(name)

	return &Bucket{APIVersion: APIVersion, Kind: KindBucket, Metadata: m, Spec: s}
}
