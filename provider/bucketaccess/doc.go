// Package bucketaccess is the controller of BucketAccess: keys to one Bucket of the
// same namespace.
//
// The keys are in the connection Secret and nowhere else. Whatever happens between
// two of its steps, the next reconcile finds out from the server which keys there
// are, and from the Secret which of them anyone knows: keys.go decides what is to be
// done, external.go does it.
package bucketaccess
