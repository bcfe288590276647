// Package echo composes an Echo. Its files in the order in which they run:
//
//	compose.go    request -> response, from top to bottom
//	composite.go  reads the composite and fills in defaults
//	validate.go   finds all mistakes in one pass
//	names.go      sees to it that no object of anybody else is taken over
//	bucket.go     what exists of buckets, and whether the workload waits for keys
//	pods.go       one workload: Pods managed one by one
//	deployment.go the other: a Deployment
//	buckets.go    Buckets and the keys to them; formerbuckets.go those taken out
//	status.go     what is observed, in numbers and in words
package echo
