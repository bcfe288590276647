// Package versitygw speaks versitygw's administration API: users, by version 1.x of it.
//
// Requests are PATCH, signed as S3's are, with XML bodies; the API is at the S3 endpoint, or at an address of its own
// (--admin-port). There is no call for one user: list-users returns all of them, with their secrets. So the list is
// asked for seldom, kept for some seconds by Users, and the secrets are never decoded.
//
// The API: s3api/admin-router.go and cmd/internal/gwcli/admin.go of https://github.com/versity/versitygw.
package versitygw
