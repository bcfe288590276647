// Package bucket is the controller of Buckets.
//
// The managed reconciler of crossplane-runtime drives it: external.go observes,
// makes, updates and deletes. What a bucket can be set to is a table of settings,
// one file each, which are read at the same time and compared by meaning.
//
// A plain bucket is made with two calls, CreateBucket and PutBucketTagging, and
// observed with one, GetBucketTagging, which tells that it exists, whose it is and
// what tags it has. Each setting that the spec declares costs one more.
//
// What must hold when the process is killed at any instant:
//
//   - The finalizer and the external name are in the API server before the bucket is
//     made, so no bucket outlives its resource.
//   - A bucket whose maker was killed before marking it is known by its name, which
//     holds a digest of the resource's UID or, if the name was given, by the status,
//     which says so before the bucket is made. It is then empty and without tags.
//   - A setting is in status.atProvider.configured before it is written, so what is
//     taken out of the spec is taken off the bucket.
package bucket
