// Package iam speaks the part of the API of AWS Identity and Access Management that we need: users, their inline
// policies and their access keys. Ceph's gateway and versitygw's own IAM service serve it too.
//
// It is a form in a POST and XML in the answer, the same for every action, so this is less to read than the use of the
// SDK's client would be. That client works as well, and takes one MiB of memory more.
//
// The API: https://docs.aws.amazon.com/IAM/latest/APIReference/.
package iam
