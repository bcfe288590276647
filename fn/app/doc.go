// Package app holds what is to be rendered: an App, which is an Echo's spec with
// all defaults filled in, under the name that its tenant knows it by.
//
// The spec's types mirror those of apis/my-operator/v1, which the schemas are
// generated from; a test holds the two together, field by field. They differ in
// what is merely handed on, such as environment variables and probes: that stays
// encoded. It costs nothing to hand on, keeps fields that a newer Kubernetes may
// add, and spares the function Kubernetes' own Go types, which would add a
// quarter to its memory. Admission has checked it against its schema.
package app
