// Package identity makes, shows and removes identities that may use one bucket, or one prefix of it.
//
// Each kind of server has its file: minio.go (users, groups and canned policies, by MinIO's admin API),
// versitygw.go (users by its admin API, and statements in the bucket's own policy) and aws.go (a user with
// an inline policy and access keys, by the IAM API).
package identity
