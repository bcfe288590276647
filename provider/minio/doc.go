// Package minio speaks the part of MinIO's administration API that we need: users, groups, canned policies,
// quotas of buckets.
//
// It is not MinIO's own client for three reasons. That one is under the AGPL. It derives a key by Argon2id for each
// encrypted body, which takes 64 MiB of memory at a time: a process that made 20 users peaked at 157 MiB, and this one at
// 25. And it adds 2.5 MiB to an idle process. Here no answer is read that the server encrypts (lists of users, entities
// of a policy), and what has to be sent encrypted uses the one derivation of the format that is cheap.
//
// The API: https://github.com/minio/madmin-go and cmd/admin-router.go of the server.
package minio
