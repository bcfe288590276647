package bucket

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"my-operator.dev/echo/provider/s3"
)

// countAtMost is how much of a bucket is counted: enough to tell what is in the way.
const countAtMost = 100

// contents are what a bucket holds.
type contents struct {
	objects, versions, markers int

	// more tells that there is more than was counted.
	more bool
}

func (c contents) any() bool { return c.objects+c.versions+c.markers > 0 }

// String counts what there is: "at least 900 objects and 100 earlier versions".
func (c contents) String() string {
	var words []string
	for _, of := range []struct {
		n         int
		one, many string
	}{
		{c.objects, "object", "objects"},
		{c.versions, "earlier version", "earlier versions"},
		{c.markers, "delete marker", "delete markers"},
	} {
		switch of.n {
		case 0:
		case 1:
			words = append(words, "1 "+of.one)
		default:
			words = append(words, fmt.Sprintf("%d %s", of.n, of.many))
		}
	}
	if len(words) == 0 {
		return "something that it does not list"
	}
	if c.more {
		return "at least " + list(words)
	}

	return list(words)
}

// count counts what a bucket holds, up to a hundred of all. Servers that cannot list
// versions list objects.
func count(ctx context.Context, t target) (contents, error) {
	var c contents

	out, err := t.server.ListObjectVersions(ctx, &awss3.ListObjectVersionsInput{Bucket: aws.String(t.bucket), MaxKeys: aws.Int32(countAtMost)})
	switch {
	case s3.Is(err, s3.Unsupported):
		objects, err := t.server.ListObjectsV2(ctx, &awss3.ListObjectsV2Input{Bucket: aws.String(t.bucket), MaxKeys: aws.Int32(countAtMost)})
		if err != nil {
			return c, s3.Explain(err)
		}

		return contents{objects: len(objects.Contents), more: aws.ToBool(objects.IsTruncated)}, nil
	case err != nil:
		return c, s3.Explain(err)
	}

	c.more = aws.ToBool(out.IsTruncated)
	c.markers = len(out.DeleteMarkers)
	for _, v := range out.Versions {
		if aws.ToBool(v.IsLatest) {
			c.objects++
		} else {
			c.versions++
		}
	}

	return c, nil
}
