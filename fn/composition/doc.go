// Package composition is what passes between Crossplane and the code that
// renders composites: a Request that has been read, and a Response that is still
// to be written. Nothing in it knows protobuf, and nothing in it does I/O.
package composition
