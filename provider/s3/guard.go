package s3

import (
	"strings"
	"sync"
)

// readBefore names, for each operation that removes a part of a bucket's configuration, the one that reads it.
var readBefore = map[string]string{
	"DeleteBucketCors":              "GetBucketCors",
	"DeleteBucketEncryption":        "GetBucketEncryption",
	"DeleteBucketLifecycle":         "GetBucketLifecycleConfiguration",
	"DeleteBucketOwnershipControls": "GetBucketOwnershipControls",
	"DeleteBucketPolicy":            "GetBucketPolicy",
	"DeleteBucketReplication":       "GetBucketReplication",
	"DeleteBucketTagging":           "GetBucketTagging",
	"DeleteBucketWebsite":           "GetBucketWebsite",
	"DeletePublicAccessBlock":       "GetPublicAccessBlock",
}

// A guard remembers what a server has shown to know. One that does not know a sub-resource may take the removal of it for
// that of the bucket: MinIO deletes an empty bucket when it is asked to delete its public access block or its ownership
// controls, and answers 204. So nothing is removed but what the same client has read, or found to be absent, before.
type guard struct{ known sync.Map }

// learn takes the result of an operation. An answer that something is not configured is knowledge too.
func (g *guard) learn(operation string, result Class) {
	if strings.HasPrefix(operation, "Get") && (result == OK || result == NotConfigured) {
		if _, ok := g.known.Load(operation); !ok {
			g.known.Store(operation, true)
		}
	}
}

// refuses says why an operation is too dangerous, or nothing.
func (g *guard) refuses(operation string) error {
	part := operation == "DeletePublicAccessBlock" || strings.HasPrefix(operation, "DeleteBucket") && operation != "DeleteBucket"
	if !part {
		return nil
	}
	if _, ok := g.known.Load(readBefore[operation]); ok {
		return nil
	}
	return &Error{Class: Unsupported, words: "the server has not shown that it supports this: it is read before it is removed, as some servers would remove the bucket"}
}
