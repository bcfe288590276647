package identity

import (
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/policy"
)

// What keys may do. None of it changes the bucket itself, whose tags say whose it is, nor removes a version for good:
// with versioning on, what a key deletes can be brought back by the bucket's owner.
var (
	readObjects  = []string{"s3:GetObject", "s3:GetObjectVersion", "s3:GetObjectTagging"}
	writeObjects = []string{
		"s3:PutObject", "s3:PutObjectTagging", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts",
	}
	listObjects = []string{"s3:ListBucket", "s3:ListBucketVersions"}
	seeBucket   = []string{"s3:GetBucketLocation"}
	listUploads = []string{"s3:ListBucketMultipartUploads"}
)

// listSid ends the Sid of the statement that lets keys list.
const listSid = "L"

// notePrefix is what a prefix takes away on every server.
const notePrefix = "with a prefix, keys can list only with a prefix that begins so, and can neither list " +
	"multipart uploads nor check the bucket (HeadBucket)"

// notes say what a grant cannot mean.
func (g Grant) notes() []string {
	if g.Prefix == "" {
		return nil
	}

	return []string{notePrefix}
}

// check refuses a prefix that a policy would take for a pattern or a variable, or that a server which keeps objects
// as files would take for another directory.
func (g Grant) check() error {
	bad := func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`*?$"\`, r) }

	switch {
	case g.Bucket == "" || strings.ContainsFunc(g.Bucket, bad) || strings.Contains(g.Bucket, "/"):
		return errors.New("the access has no valid bucket name")
	case strings.ContainsFunc(g.Prefix, bad):
		return errors.New(`the prefix has one of * ? $ " \ or a control character`)
	case g.Prefix != "" && !slices.ContainsFunc(strings.Split(g.Prefix, "/"), isDots):
		return g.checkSlashes()
	case g.Prefix != "":
		return errors.New(`the prefix has a part that is "." or ".."`)
	}

	return nil
}

func isDots(part string) bool { return part == "." || part == ".." }

func (g Grant) checkSlashes() error {
	if strings.HasPrefix(g.Prefix, "/") || strings.Contains(g.Prefix, "//") {
		return errors.New("the prefix begins with a slash, or has two in a row")
	}

	return nil
}

// statements returns what a policy says to grant this: of a bucket, with the keys as principals; of an identity,
// without. The partition is the second part of ARNs. There are as few statements as can be, since a bucket's policy has
// to hold those of all who have access.
func (g Grant) statements(sid, partition string, principals []string) []policy.Statement {
	bucket := "arn:" + partition + ":s3:::" + g.Bucket
	objects := bucket + "/" + g.Prefix + "*"
	actions := slices.Concat(readObjects, seeBucket)

	if g.Write {
		actions = slices.Concat(actions, writeObjects)
	}

	if g.Prefix == "" {
		actions = slices.Concat(actions, listObjects, listUploads)

		return []policy.Statement{policy.Allow(sid, principals, actions, []string{bucket, objects}, nil)}
	}

	// Without the condition nothing is listed: a request that names no prefix has no s3:prefix to compare.
	condition := map[string]map[string][]string{"StringLike": {"s3:prefix": {g.Prefix + "*"}}}

	return []policy.Statement{
		policy.Allow(sid, principals, actions, []string{bucket, objects}, nil),
		policy.Allow(sid+listSid, principals, listObjects, []string{bucket}, condition),
	}
}
