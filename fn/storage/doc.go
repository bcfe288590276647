// Package storage renders an Echo's buckets: for each a Bucket, and a BucketAccess
// that has the keys to it put into a Secret, for provider-echo to act on.
package storage
