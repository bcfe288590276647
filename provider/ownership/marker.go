package ownership

import (
	"maps"
	"strings"
	"time"
)

// The tags of a bucket that say whose it is.
const (
	// TagOwner is "namespace/name" of the resource. It is for people: it decides nothing.
	TagOwner = reservedPrefix + "owner"

	// TagOwnerUID is the UID of the resource. It alone decides.
	TagOwnerUID = reservedPrefix + "owner-uid"

	// TagCreated is when the resource made or adopted the bucket, as in RFC 3339.
	TagCreated = reservedPrefix + "created"

	// TagOfferedTo is set by whoever has a bucket, to offer it to the resources of
	// a namespace, "namespace", or to one of them, "namespace/name".
	TagOfferedTo = reservedPrefix + "offered-to"
)

const (
	reservedPrefix = "my-operator.dev/"

	// serverPrefix begins the tags that AWS itself sets, and that a write has to repeat.
	serverPrefix = "aws:"

	// maxTagValue is S3's bound of a tag's value, in characters.
	maxTagValue = 256
)

// A Resource is what ownership has to know of a managed resource.
type Resource struct {
	Namespace string
	Name      string
	UID       string

	// Adopt tells that the resource takes over a bucket that is offered to it.
	Adopt bool
}

// A Verdict says what a bucket is to a resource.
type Verdict int

// The verdicts.
const (
	// Absent: there is no such bucket.
	Absent Verdict = iota

	// Ours: its tags hold the resource's UID.
	Ours

	// Unmarked: it has no tags at all. It may be one whose maker was killed before
	// marking it, or anybody's.
	Unmarked

	// Offered: it is not the resource's, is offered to it, and the resource adopts.
	Offered

	// Foreign: it is anybody else's.
	Foreign
)

// Judge says what the bucket with these tags, if it exists, is to a resource.
func Judge(tags map[string]string, exists bool, r Resource) Verdict {
	switch {
	case !exists:
		return Absent
	case r.UID != "" && tags[TagOwnerUID] == r.UID:
		return Ours
	case r.Adopt && offered(tags[TagOfferedTo], r):
		return Offered
	case len(tags) == 0:
		return Unmarked
	default:
		return Foreign
	}
}

func offered(to string, r Resource) bool {
	return to != "" && (to == r.Namespace || to == r.Namespace+"/"+r.Name)
}

// Mark returns the tags that make a bucket the resource's: those it has, less an
// offer, which has been taken.
func Mark(tags map[string]string, r Resource, now time.Time) map[string]string {
	marked := make(map[string]string, len(tags)+3)
	maps.Copy(marked, tags)
	delete(marked, TagOfferedTo)

	owner := []rune(r.Namespace + "/" + r.Name)
	marked[TagOwner] = string(owner[:min(len(owner), maxTagValue)])
	marked[TagOwnerUID] = r.UID
	marked[TagCreated] = now.UTC().Format(time.RFC3339)

	return marked
}

// Reserved tells whether a tag is not the resource's to set: it marks the owner, is an
// offer, or is the server's own.
func Reserved(key string) bool {
	return strings.HasPrefix(key, reservedPrefix) || strings.HasPrefix(key, serverPrefix)
}

// Created returns when the bucket was made or adopted. It is false if the tags do not
// say so.
func Created(tags map[string]string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, tags[TagCreated])

	return t, err == nil
}
