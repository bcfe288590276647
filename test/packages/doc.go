// Package packages holds tests of the package files that hack/packages builds: what is in them, that their images
// run as they should, and that the same sources give the same bytes.
//
// The tests build the packages themselves and need the Crossplane CLI, in the folder that the environment variable
// ECHO_TOOLS names. `make test` builds it and sets the variable.
package packages
