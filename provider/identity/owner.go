package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"strings"

	"my-operator.dev/echo/provider/policy"
)

// An Owner is the BucketAccess that an identity is for. All names of what is made for it derive from it,
// the UID included: two owners never meet, also when one is deleted and another of its name made.
type Owner struct {
	Namespace string
	Name      string
	UID       string
}

const (
	// baseLength is how many characters the base name has: 16 of base32 are 80 bits of a SHA-256.
	baseLength = 16

	// suffixLength is how many random characters follow it in a key's ID: 40 bits. An ID is never used again, so
	// that who has an old pair of the ID cannot be taken for the holder of the new one.
	suffixLength = 8

	// secretBytes make a secret of 40 characters, the length that AWS has and the most that MinIO takes.
	secretBytes = 30
)

// base returns the owner's base name: 16 characters of A-Z and 2-7.
func (o Owner) base() string {
	sum := sha256.Sum256([]byte(o.Namespace + "/" + o.Name + "/" + o.UID))

	return base32.StdEncoding.EncodeToString(sum[:])[:baseLength]
}

// has tells whether a key's ID, one that we made, is of the owner's.
func (o Owner) has(id string) bool { return strings.HasPrefix(id, o.base()) }

// name returns what users and policies of the owner are called, where they have a name.
func (o Owner) name() string { return "echo-" + o.base() }

// sid begins the Sids of the owner's statements.
func (o Owner) sid() string { return policy.AccessSid + o.base() }

// key makes a key of the owner's.
func (o Owner) key() Key {
	// Reading random bytes never fails.
	suffix, secret := make([]byte, suffixLength), make([]byte, secretBytes)
	_, _ = rand.Read(suffix)
	_, _ = rand.Read(secret)

	return Key{
		AccessKeyID:     o.base() + base32.StdEncoding.EncodeToString(suffix)[:suffixLength],
		SecretAccessKey: base64.RawURLEncoding.EncodeToString(secret),
	}
}
