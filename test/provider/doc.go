// Package provider tests provider-echo as its users meet it: the package is installed
// on a real control plane, tenants apply Buckets and BucketAccesses with no more
// rights than package/install gives them, and real S3 servers, versitygw and MinIO,
// say what came of it. One file is about what an attacker tries.
package provider
