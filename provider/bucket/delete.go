package bucket

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// Delete deletes the bucket that Observe, in this reconcile, has found to be ours. One
// that holds objects is not deleted, and they are only with forceDestroy.
func (e *external) Delete(ctx context.Context, b *v1beta1.Bucket) (managed.ExternalDelete, error) {
	err := e.drop(ctx, b)
	if !s3.Is(err, s3.BucketNotEmpty) {
		return managed.ExternalDelete{}, e.explained(err, "cannot delete bucket %q", e.target.bucket)
	}

	// One that was begun and never marked was empty a moment ago, so this is not it.
	if e.verdict != ownership.Ours || !b.Spec.ForProvider.ForceDestroy {
		return managed.ExternalDelete{}, e.inTheWay(ctx, b)
	}

	err = e.empty(ctx)
	if errors.Is(err, errEmptying) {
		e.memory.step(client.ObjectKeyFromObject(b), further)
		set(b, emptying())

		return managed.ExternalDelete{}, nil
	}
	if err != nil {
		set(b, blockedBy(err.Error()))

		return managed.ExternalDelete{}, e.explained(err, "cannot empty bucket %q", e.target.bucket)
	}
	set(b, emptying())

	err = e.drop(ctx, b)
	if s3.Is(err, s3.BucketNotEmpty) {
		// Somebody still writes to it.
		return managed.ExternalDelete{}, e.inTheWay(ctx, b)
	}

	return managed.ExternalDelete{}, e.explained(err, "cannot delete bucket %q", e.target.bucket)
}

// drop deletes the bucket, if it is empty. That it is gone already is as good.
func (e *external) drop(ctx context.Context, b *v1beta1.Bucket) error {
	_, err := e.target.server.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: aws.String(e.target.bucket)})
	if err != nil && !s3.Is(err, s3.NoSuchBucket) {
		return s3.Explain(err)
	}

	e.memory.step(client.ObjectKeyFromObject(b), dropped)
	e.memory.learn(b.GetUID(), known{server: e.target.server, bucket: e.target.bucket})
	e.memory.forget(b.GetUID())

	return nil
}

// inTheWay says what keeps the bucket from being deleted.
func (e *external) inTheWay(ctx context.Context, b *v1beta1.Bucket) error {
	contents, err := count(ctx, e.target)
	if err != nil {
		return e.explained(err, "bucket %q is not empty, and cannot be listed", e.target.bucket)
	}

	err = errors.Errorf("bucket %q holds %s: empty it, or set forceDestroy to have all of it deleted", e.target.bucket, contents)
	set(b, blockedBy(err.Error()))

	return err
}
