package bucket

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/drift"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// Create makes the bucket and marks it as the resource's. It can be repeated. What the
// spec declares is set by Update.
func (e *external) Create(ctx context.Context, b *v1beta1.Bucket) (managed.ExternalCreation, error) {
	unlock, err := e.target.server.Lock(ctx, e.target.bucket)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	defer unlock()

	if err := e.claim(ctx, b); err != nil {
		return managed.ExternalCreation{}, err
	}

	made, err := e.make(ctx, b)
	if err != nil {
		if !s3.ClassOf(err).Temporary() {
			// The server has decided: there is no bucket to lay claim to.
			b.Status.AtProvider = v1beta1.BucketObservation{}
		}

		return managed.ExternalCreation{}, e.explained(err, "cannot make bucket %q", e.target.bucket)
	}

	tags := ownership.Mark(withTags(nil, &b.Spec.ForProvider), owner(b), time.Now())
	if err := putTags(ctx, e.target, tags); err != nil {
		if made && s3.Is(err, s3.Unsupported) {
			// No bucket of this server can ever be ours. This one is empty still, or stays.
			_, _ = e.target.server.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: aws.String(e.target.bucket)})
		}

		return managed.ExternalCreation{}, e.explained(err, "cannot mark bucket %q as this resource's with tags", e.target.bucket)
	}

	e.memory.step(client.ObjectKeyFromObject(b), e.progress(b, made))
	e.memory.learn(b.GetUID(), known{server: e.target.server, bucket: e.target.bucket, exists: true, tags: tags})
	if e.gone {
		drift.Repaired(v1beta1.KindBucket, "bucket")
	}
	// What the spec declares counts as set from now on: this status is written
	// before any of it is.
	e.describe(b, tags)

	return managed.ExternalCreation{ConnectionDetails: e.details()}, nil
}

// progress tells how far a bucket is that has its marker. If it was made just now it
// has no settings but the tags that were written along with that.
func (e *external) progress(b *v1beta1.Bucket, made bool) step {
	for _, s := range e.settings {
		if s.field() != (tagging{}).field() && s.declared(&b.Spec.ForProvider) {
			return further
		}
	}

	if !made {
		return further
	}

	return finished
}

// claim writes into the status that a bucket whose name was given is being made, once
// it is sure that there is none. A name that is derived is claim enough.
func (e *external) claim(ctx context.Context, b *v1beta1.Bucket) error {
	if e.target.bucket == derivedName(b) || e.verdict == ownership.Unmarked {
		return nil
	}

	// Another Bucket of this name may have been first since it was observed. AWS lets
	// an account make in us-east-1 what it has, and says that all went well.
	_, exists, err := getTags(ctx, e.target)
	if err != nil {
		return e.explained(err, "cannot tell whose bucket %q is", e.target.bucket)
	}
	if exists {
		return e.refuse(b)
	}

	e.describe(b, nil)
	set(b, xpv2.Creating())

	return errors.Wrap(e.client.Status().Update(ctx, b), "cannot write the status before making the bucket")
}

// make makes the bucket, and tells whether it was made just now. One that is there
// already is left to be marked only if nobody has marked it and it is empty, or if it
// is marked as ours.
func (e *external) make(ctx context.Context, b *v1beta1.Bucket) (bool, error) {
	in := &awss3.CreateBucketInput{Bucket: aws.String(e.target.bucket)}
	if c := constraintOf(e.connection, e.region, b.Spec.ForProvider.Region); c != "" {
		in.CreateBucketConfiguration = &types.CreateBucketConfiguration{LocationConstraint: types.BucketLocationConstraint(c)}
	}
	if b.Spec.ForProvider.ObjectLock != nil {
		in.ObjectLockEnabledForBucket = aws.Bool(true)
	}

	_, err := e.target.server.CreateBucket(ctx, in)
	if err == nil || !s3.Is(err, s3.AlreadyOwnedByYou, s3.AlreadyExists) {
		return err == nil, s3.Explain(err)
	}

	tags, exists, err := getTags(ctx, e.target)
	if s3.Is(err, s3.Denied) {
		return false, e.refuse(b)
	}
	if err != nil {
		return false, err
	}

	switch ownership.Judge(tags, exists, owner(b)) {
	case ownership.Ours:
		return false, nil
	case ownership.Unmarked:
		contents, err := count(ctx, e.target)
		if err != nil {
			return false, err
		}
		if e.begun(b) && !contents.any() {
			return false, nil
		}
	default:
	}

	return false, e.refuse(b)
}
