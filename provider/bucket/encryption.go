package bucket

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

// defaultKey is how AWS calls the key that it keeps for S3 itself.
const defaultKey = "alias/aws/s3"

type encryption struct{}

func (encryption) field() string { return "encryption" }

func (encryption) declared(p *v1beta1.BucketParameters) bool { return p.Encryption != nil }

func (encryption) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	have, err := getEncryption(ctx, t)

	return sameEncryption(have, p.Encryption), err
}

// getEncryption returns the rules of a bucket, none if it has none.
func getEncryption(ctx context.Context, t target) ([]types.ServerSideEncryptionRule, error) {
	out, err := t.server.GetBucketEncryption(ctx, &awss3.GetBucketEncryptionInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotConfigured) {
		return nil, nil
	}
	if err != nil {
		return nil, s3.Explain(err)
	}
	if out.ServerSideEncryptionConfiguration == nil {
		return nil, nil
	}

	return out.ServerSideEncryptionConfiguration.Rules, nil
}

func sameEncryption(have []types.ServerSideEncryptionRule, want *v1beta1.Encryption) bool {
	if len(have) != 1 || have[0].ApplyServerSideEncryptionByDefault == nil {
		return false
	}

	by := have[0].ApplyServerSideEncryptionByDefault

	return string(by.SSEAlgorithm) == want.Algorithm && sameKey(aws.ToString(by.KMSMasterKeyID), want.KMSKeyID)
}

// sameKey compares a key as the server names it, which may be by an ARN, with the one
// that was asked for, which may be by the last part of it.
func sameKey(have, want string) bool {
	if want == "" {
		return have == "" || strings.HasSuffix(have, defaultKey)
	}

	return have == want || strings.HasSuffix(have, "/"+want) || strings.HasSuffix(have, ":"+want)
}

func (encryption) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	by := &types.ServerSideEncryptionByDefault{SSEAlgorithm: types.ServerSideEncryption(p.Encryption.Algorithm)}
	if p.Encryption.KMSKeyID != "" {
		by.KMSMasterKeyID = aws.String(p.Encryption.KMSKeyID)
	}

	_, err := t.server.PutBucketEncryption(ctx, &awss3.PutBucketEncryptionInput{
		Bucket: aws.String(t.bucket),
		ServerSideEncryptionConfiguration: &types.ServerSideEncryptionConfiguration{
			Rules: []types.ServerSideEncryptionRule{{ApplyServerSideEncryptionByDefault: by}},
		},
	})

	return s3.Explain(err)
}

func (encryption) remove(ctx context.Context, t target) error {
	if have, err := getEncryption(ctx, t); err != nil || len(have) == 0 {
		return err
	}

	_, err := t.server.DeleteBucketEncryption(ctx, &awss3.DeleteBucketEncryptionInput{Bucket: aws.String(t.bucket)})

	return s3.Explain(err)
}
