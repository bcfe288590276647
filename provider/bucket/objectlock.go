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

// objectLock is decided when the bucket is made. What can be set later is its default
// retention, and, on AWS, the lock of a bucket that was adopted without it.
type objectLock struct{}

func (objectLock) field() string { return "objectLock" }

func (objectLock) declared(p *v1beta1.BucketParameters) bool { return p.ObjectLock != nil }

func (objectLock) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	out, err := t.server.GetObjectLockConfiguration(ctx, &awss3.GetObjectLockConfigurationInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotConfigured) {
		return false, nil
	}
	if err != nil {
		return false, s3.Explain(err)
	}

	return sameObjectLock(out.ObjectLockConfiguration, p.ObjectLock), nil
}

func sameObjectLock(have *types.ObjectLockConfiguration, want *v1beta1.ObjectLock) bool {
	if have == nil || have.ObjectLockEnabled != types.ObjectLockEnabledEnabled {
		return false
	}

	var kept *types.DefaultRetention
	if have.Rule != nil {
		kept = have.Rule.DefaultRetention
	}
	if kept == nil || want.DefaultRetention == nil {
		return kept == nil && want.DefaultRetention == nil
	}

	r := want.DefaultRetention

	return strings.EqualFold(string(kept.Mode), r.Mode) &&
		aws.ToInt32(kept.Days) == aws.ToInt32(r.Days) &&
		aws.ToInt32(kept.Years) == aws.ToInt32(r.Years)
}

func (objectLock) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	return putObjectLock(ctx, t, p.ObjectLock.DefaultRetention)
}

// remove takes the default retention away. The lock itself stays as long as the bucket.
func (objectLock) remove(ctx context.Context, t target) error {
	return putObjectLock(ctx, t, nil)
}

func putObjectLock(ctx context.Context, t target, r *v1beta1.Retention) error {
	lock := &types.ObjectLockConfiguration{ObjectLockEnabled: types.ObjectLockEnabledEnabled}
	if r != nil {
		lock.Rule = &types.ObjectLockRule{DefaultRetention: &types.DefaultRetention{
			Mode:  types.ObjectLockRetentionMode(strings.ToUpper(r.Mode)),
			Days:  r.Days,
			Years: r.Years,
		}}
	}

	_, err := t.server.PutObjectLockConfiguration(ctx, &awss3.PutObjectLockConfigurationInput{
		Bucket:                  aws.String(t.bucket),
		ObjectLockConfiguration: lock,
	})

	return s3.Explain(err)
}
