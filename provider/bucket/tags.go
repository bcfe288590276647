package bucket

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// tagging is the bucket's tags, less those that are reserved. They are known from
// the observation of the bucket, and cost no further call.
type tagging struct{}

func (tagging) field() string { return "tags" }

func (tagging) declared(p *v1beta1.BucketParameters) bool { return len(p.Tags) > 0 }

func (tagging) same(_ context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	return maps.Equal(t.tags, withTags(t.tags, p)), nil
}

func (tagging) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	return putTags(ctx, t, withTags(t.tags, p))
}

func (tagging) remove(ctx context.Context, t target) error {
	return putTags(ctx, t, withTags(t.tags, &v1beta1.BucketParameters{}))
}

// withTags returns the reserved tags that there are, and those that the spec declares.
func withTags(have map[string]string, p *v1beta1.BucketParameters) map[string]string {
	want := map[string]string{}
	for k, v := range have {
		if ownership.Reserved(k) {
			want[k] = v
		}
	}
	for k, v := range p.Tags {
		want[k] = string(v)
	}

	return want
}

// getTags returns the tags of a bucket, and whether there is such a bucket. MinIO says
// of one that there is not that it has no tags, so this answer takes one more call.
func getTags(ctx context.Context, t target) (map[string]string, bool, error) {
	out, err := t.server.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: aws.String(t.bucket)})

	switch s3.ClassOf(err) {
	case s3.OK:
	case s3.NotConfigured:
		exists, err := headBucket(ctx, t)

		return nil, exists, err
	case s3.NoSuchBucket:
		return nil, false, nil
	default:
		return nil, false, s3.Explain(err)
	}

	tags := make(map[string]string, len(out.TagSet))
	for _, tag := range out.TagSet {
		tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}

	return tags, true, nil
}

// headBucket tells whether there is such a bucket.
func headBucket(ctx context.Context, t target) (bool, error) {
	_, err := t.server.HeadBucket(ctx, &awss3.HeadBucketInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotFound, s3.NoSuchBucket) {
		return false, nil
	}

	return err == nil, s3.Explain(err)
}

// putTags replaces all tags of a bucket.
func putTags(ctx context.Context, t target, tags map[string]string) error {
	set := make([]types.Tag, 0, len(tags))
	for _, k := range slices.Sorted(maps.Keys(tags)) {
		set = append(set, types.Tag{Key: aws.String(k), Value: aws.String(tags[k])})
	}

	_, err := t.server.PutBucketTagging(ctx, &awss3.PutBucketTaggingInput{
		Bucket:  aws.String(t.bucket),
		Tagging: &types.Tagging{TagSet: set},
	})

	return s3.Explain(err)
}
