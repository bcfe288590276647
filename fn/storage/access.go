package storage

import (
	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// An Access is a rendered BucketAccess.
type Access struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	Spec       AccessSpec   `json:"spec"`
}

// AccessSpec is the spec of a rendered BucketAccess.
type AccessSpec struct {
	ForProvider                AccessParameters             `json:"forProvider"`
	ProviderConfigRef          *app.ProviderConfigReference `json:"providerConfigRef,omitempty"`
	WriteConnectionSecretToRef Reference                    `json:"writeConnectionSecretToRef"`
}

// AccessParameters are what the keys open.
type AccessParameters struct {
	BucketRef Reference        `json:"bucketRef"`
	Access    app.BucketAccess `json:"access"`
}

// A Reference names an object of the same namespace.
type Reference struct {
	Name string `json:"name"`
}

// NewAccess renders the keys to one of an App's buckets.
func NewAccess(a *app.App, b app.Bucket) *Access {
	return access(a, b.Name, AccessSpec{
		ForProvider:                AccessParameters{BucketRef: Reference{Name: a.BucketName(b.Name)}, Access: b.Access},
		ProviderConfigRef:          a.BucketConfig,
		WriteConnectionSecretToRef: Reference{Name: a.BucketSecret(b.Name)},
	})
}

// KeepAccess renders a BucketAccess that exists and is to stay while Pods of
// before need it, with what was asked for.
func KeepAccess(a *app.App, bucket string, observed wire.Struct) (*Access, error) {
	var o struct {
		Spec AccessSpec `json:"spec"`
	}

	err := wire.Unmarshal(observed, &o)

	return access(a, bucket, o.Spec), err
}

func access(a *app.App, bucket string, s AccessSpec) *Access {
	m := a.Named()
	m.Name = a.BucketName(bucket)

	return &Access{APIVersion: APIVersion, Kind: KindAccess, Metadata: m, Spec: s}
}
