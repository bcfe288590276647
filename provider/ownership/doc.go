// Package ownership knows whose a bucket is. It is pure: it is told what the server
// answered, and does no I/O.
//
// A bucket is a resource's when its tags hold the resource's UID. The names and the
// labels that people see count for nothing, since anyone can repeat them.
package ownership
