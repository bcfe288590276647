package composition

import "my-operator.dev/echo/fn/wire"

// A Request asks what a composite resource should be made of. Resources stay
// encoded until somebody wants a field of theirs: a composite of a hundred Pods
// is half a megabyte, of which planning reads a few hundred bytes.
type Request struct {
	// Composite is the composite resource as observed.
	Composite wire.Struct
	// Observed are the composed resources that exist and that the composite
	// controls, by their key in the composition.
	Observed map[string]wire.Struct
	// Desired holds the keys of the composed resources that earlier functions
	// of the pipeline want. They pass through untouched.
	Desired map[string]struct{}
	// Required are the resources found for each requirement of an earlier
	// response. A requirement that was looked for and matched nothing is
	// present and empty.
	Required map[string][]wire.Struct
	// Schemas tells for each schema requirement whether the cluster serves
	// the kind.
	Schemas map[string]bool
	// Input is the function's input from the Composition, empty if none.
	Input wire.Struct
}
