package app

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Bucket is an S3 bucket of an App's own, and keys to it.
type Bucket struct {
	Name       string           `json:"name"`
	Access     BucketAccess     `json:"access"`
	Versioning BucketVersioning `json:"versioning"`
	Deletion   BucketDeletion   `json:"deletion"`
	EnvPrefix  string           `json:"envPrefix"`
	Region     string           `json:"region"`
}

// BucketAccess is what containers may do with the objects in a bucket.
type BucketAccess string

// The modes of access.
const (
	BucketReadWrite BucketAccess = "ReadWrite"
	BucketReadOnly  BucketAccess = "ReadOnly"
)

// BucketVersioning says whether a bucket keeps the earlier versions of objects.
type BucketVersioning string

// The states of versioning that can be asked for.
const (
	VersioningEnabled   BucketVersioning = "Enabled"
	VersioningSuspended BucketVersioning = "Suspended"
)

// BucketDeletion is what becomes of a bucket that is no longer asked for.
type BucketDeletion string

// What can become of a bucket that is no longer asked for.
const (
	DeleteWhenEmpty BucketDeletion = "WhenEmpty"
	DeleteForce     BucketDeletion = "Force"
	DeleteOrphan    BucketDeletion = "Orphan"
)

// BucketName is the name of the objects that one of the App's buckets, and the
// access to it, is composed as.
func (a *App) BucketName(bucket string) string { return a.Name + "-" + bucket }

// BucketSecret is the name of the Secret with the keys to one of the App's
// buckets. It ends in a digest, because a Secret of the plain name is likely to
// exist: a tenant may have been keeping keys in one before.
func (a *App) BucketSecret(bucket string) string {
	sum := sha256.Sum256([]byte(a.Name + "/" + bucket))
	return a.BucketName(bucket) + "-" + hex.EncodeToString(sum[:5])
}
