package bucket

import (
	"context"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

// quota is not of the S3 API: MinIO's administration API has it.
type quota struct{}

func (quota) field() string { return "quota" }

func (quota) declared(p *v1beta1.BucketParameters) bool { return p.Quota != nil }

func (quota) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	if t.admin == nil {
		return false, notImplemented()
	}

	size, err := t.admin.Quota(ctx, t.bucket)

	return size == p.Quota.Value(), err
}

func (quota) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	if t.admin == nil {
		return notImplemented()
	}

	return t.admin.SetQuota(ctx, t.bucket, p.Quota.Value())
}

func (quota) remove(ctx context.Context, t target) error {
	if t.admin == nil {
		return notImplemented()
	}

	return t.admin.SetQuota(ctx, t.bucket, 0)
}
