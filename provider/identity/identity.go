package identity

import (
	"context"
	"fmt"
	"io"
	"log/slog"
)

// MaxKeys is how many keys one owner can have at once: one in use, and one that takes its place. It is
// also AWS IAM's limit for a user.
const MaxKeys = 2

// A Grant is what an identity may do: read, or read and write, the objects of one bucket whose keys start
// with Prefix. An empty prefix means all of them.
type Grant struct {
	Bucket string
	Prefix string
	Write  bool
}

// A Key is one key pair. It never prints its secret, however it is printed.
type Key struct {
	AccessKeyID     string
	SecretAccessKey string
}

// Format implements fmt.Formatter for every verb, so that no way to print a key shows its secret.
func (k Key) Format(s fmt.State, _ rune) {
	_, _ = io.WriteString(s, "key "+k.AccessKeyID)
}

// LogValue implements slog.LogValuer.
func (k Key) LogValue() slog.Value {
	return slog.StringValue("key " + k.AccessKeyID)
}

// MarshalJSON implements json.Marshaler for structured loggers. A key goes into a Secret by its fields.
func (k Key) MarshalJSON() ([]byte, error) {
	return []byte(`"key ` + k.AccessKeyID + `"`), nil
}

// An Observation is what a server knows of an owner.
type Observation struct {
	// Exists tells that there is anything that RemoveAll would remove, be it a policy without a key.
	Exists bool

	// Keys are the IDs of the owner's access keys, sorted. A key that nobody has the secret of (its maker
	// was killed before it could write it down) is among them: the caller removes what it does not know.
	Keys []string

	// Exact tells that each key may do what the grant says, no more and no less. It is false without keys.
	Exact bool

	// Notes say in plain words what the grant cannot mean on this server. They are the same at each call.
	Notes []string
}

// A Server makes identities. Each method can be repeated, also after a kill at any instant of it, and
// touches nothing but what owner's name and marker say is owner's.
type Server interface {
	// Observe returns what there is of owner, and whether its rights are those of g. It writes nothing.
	Observe(ctx context.Context, owner Owner, g Grant) (Observation, error)

	// Make makes a further key for owner with the rights of g. It is an ErrTooManyKeys when owner has
	// MaxKeys keys. The key may take some seconds to work everywhere.
	Make(ctx context.Context, owner Owner, g Grant) (Key, error)

	// Grant makes the rights of all of owner's keys what g says. Without keys it does nothing.
	Grant(ctx context.Context, owner Owner, g Grant) error

	// Remove removes one key of owner, which stops working, and gives the others the rights of g. A key that
	// is gone, or is not owner's, is not an error.
	Remove(ctx context.Context, owner Owner, g Grant, accessKeyID string) error

	// RemoveAll removes all of owner's keys and all else that was made for them. It needs no more of g than
	// its bucket, which may be gone.
	RemoveAll(ctx context.Context, owner Owner, g Grant) error
}
