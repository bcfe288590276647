// Package policy reads, compares and merges policy documents, of buckets and of identities alike. It is pure: it
// speaks to nobody.
//
// Documents are compared by what they mean. Servers store them as they like: AWS writes a list of one as a string,
// MinIO sorts lists and adds what it has defaults for, versitygw keeps the bytes.
package policy
