package main

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// The names of the markers that say what a kind becomes.
const (
	markerComposite     = "echo:composite"
	markerFunctionInput = "echo:input"
	markerManaged       = "echo:managed"
)

// Composite marks a Go type as a composite resource. Its XRD v2 goes into
// configuration-echo:
//
//	// +echo:composite
//
// With claims, an XRD v1 of a cluster-scoped composite (the kind with an X in
// front) that offers the kind itself as its claim goes into
// configuration-echo-claims besides:
//
//	// +echo:composite:claims=true
type Composite struct {
	// Claims is whether there is an XRD v1 too. Defaults to false.
	Claims bool `marker:"claims,optional"`
}

// FunctionInput marks a Go type as the input of function-echo, whose CRD goes
// into that package:
//
//	// +echo:input
type FunctionInput struct{}

// Managed marks a Go type as a kind of provider-echo, be it a managed resource or
// a config, whose CRD goes into that package:
//
//	// +echo:managed
type Managed struct{}

// newRegistry knows controller-tools' own markers and the three above.
func newRegistry() (*markers.Registry, error) {
	reg := &markers.Registry{}
	if err := crdmarkers.Register(reg); err != nil {
		return nil, errors.Wrap(err, "cannot register the CRD markers")
	}
	for name, output := range map[string]any{
		markerComposite:     Composite{},
		markerFunctionInput: FunctionInput{},
		markerManaged:       Managed{},
	} {
		def, err := markers.MakeDefinition(name, markers.DescribesType, output)
		if err != nil {
			return nil, errors.Wrapf(err, "cannot define marker %q", name)
		}
		if err := reg.Register(def); err != nil {
			return nil, errors.Wrapf(err, "cannot register marker %q", name)
		}
	}
	return reg, nil
}
