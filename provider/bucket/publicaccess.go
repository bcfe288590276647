package bucket

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

type publicAccess struct{}

func (publicAccess) field() string { return "publicAccessBlock" }

func (publicAccess) declared(p *v1beta1.BucketParameters) bool { return p.PublicAccessBlock != nil }

func (publicAccess) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	have, _, err := getPublicAccess(ctx, t)

	return have == *p.PublicAccessBlock, err
}

// getPublicAccess returns what a bucket blocks, and whether it has a block at all.
//
// No block is written or removed without it. A server that does not know this
// sub-resource takes the DELETE for that of the bucket: MinIO deletes it, and says that
// all went well. So a block is touched only where a read has just shown that the
// server has such a thing.
func getPublicAccess(ctx context.Context, t target) (block v1beta1.PublicAccessBlock, found bool, err error) {
	out, err := t.server.GetPublicAccessBlock(ctx, &awss3.GetPublicAccessBlockInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotConfigured) {
		return block, false, nil
	}
	if err != nil {
		return block, false, s3.Explain(err)
	}

	c := out.PublicAccessBlockConfiguration
	if c == nil || c.BlockPublicAcls == nil && c.IgnorePublicAcls == nil && c.BlockPublicPolicy == nil && c.RestrictPublicBuckets == nil {
		// The answer is to another question, such as what objects there are.
		return block, false, notImplemented()
	}

	return blocked(c), true, nil
}

func blocked(c *types.PublicAccessBlockConfiguration) v1beta1.PublicAccessBlock {
	return v1beta1.PublicAccessBlock{
		BlockPublicACLs:       aws.ToBool(c.BlockPublicAcls),
		IgnorePublicACLs:      aws.ToBool(c.IgnorePublicAcls),
		BlockPublicPolicy:     aws.ToBool(c.BlockPublicPolicy),
		RestrictPublicBuckets: aws.ToBool(c.RestrictPublicBuckets),
	}
}

func (publicAccess) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	if _, _, err := getPublicAccess(ctx, t); err != nil {
		return err
	}

	block := p.PublicAccessBlock
	_, err := t.server.PutPublicAccessBlock(ctx, &awss3.PutPublicAccessBlockInput{
		Bucket: aws.String(t.bucket),
		PublicAccessBlockConfiguration: &types.PublicAccessBlockConfiguration{
			BlockPublicAcls:       aws.Bool(block.BlockPublicACLs),
			IgnorePublicAcls:      aws.Bool(block.IgnorePublicACLs),
			BlockPublicPolicy:     aws.Bool(block.BlockPublicPolicy),
			RestrictPublicBuckets: aws.Bool(block.RestrictPublicBuckets),
		},
	})

	return s3.Explain(err)
}

func (publicAccess) remove(ctx context.Context, t target) error {
	if _, found, err := getPublicAccess(ctx, t); err != nil || !found {
		return err
	}

	_, err := t.server.DeletePublicAccessBlock(ctx, &awss3.DeletePublicAccessBlockInput{Bucket: aws.String(t.bucket)})

	return s3.Explain(err)
}
