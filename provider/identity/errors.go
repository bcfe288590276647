package identity

import "github.com/crossplane/crossplane-runtime/v2/pkg/errors"

var (
	// ErrTooManyKeys is returned by Make for an owner that has MaxKeys keys: one has to be removed first.
	ErrTooManyKeys = errors.New("there are two keys already; remove one first")

	// ErrNotOurs is returned where something of an owner's derived name exists that does not have the
	// owner's marker. Nothing of it is changed.
	ErrNotOurs = errors.New("an identity of this name exists that is not this resource's")
)
