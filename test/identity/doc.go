// Package identity holds the tests of provider/identity on real servers: MinIO, versitygw, and versitygw with an IAM
// service of its own, which serves AWS's IAM API. There is no AWS here.
package identity
