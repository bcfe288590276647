package bucket

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

type versioning struct{}

func (versioning) field() string { return "versioning" }

func (versioning) declared(p *v1beta1.BucketParameters) bool { return p.Versioning != "" }

func (versioning) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	out, err := t.server.GetBucketVersioning(ctx, &awss3.GetBucketVersioningInput{Bucket: aws.String(t.bucket)})
	if err != nil {
		return false, s3.Explain(err)
	}

	return sameVersioning(out.Status, p.Versioning), nil
}

// sameVersioning takes a bucket that never had versioning for one whose versioning is
// suspended: neither keeps versions.
func sameVersioning(have types.BucketVersioningStatus, want v1beta1.VersioningState) bool {
	if have == "" {
		have = types.BucketVersioningStatusSuspended
	}

	return string(have) == string(want)
}

func (versioning) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	return putVersioning(ctx, t, types.BucketVersioningStatus(p.Versioning))
}

// remove suspends versioning, which can never be off again.
func (versioning) remove(ctx context.Context, t target) error {
	return putVersioning(ctx, t, types.BucketVersioningStatusSuspended)
}

func putVersioning(ctx context.Context, t target, status types.BucketVersioningStatus) error {
	_, err := t.server.PutBucketVersioning(ctx, &awss3.PutBucketVersioningInput{
		Bucket:                  aws.String(t.bucket),
		VersioningConfiguration: &types.VersioningConfiguration{Status: status},
	})

	return s3.Explain(err)
}
