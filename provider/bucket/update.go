package bucket

import (
	"context"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/drift"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// Update adopts the bucket if it was offered, writes the settings that are not as
// declared, and removes those that are declared no more. What one setting fails with
// does not keep the others from being written.
func (e *external) Update(ctx context.Context, b *v1beta1.Bucket) (managed.ExternalUpdate, error) {
	if err := e.record(ctx, b); err != nil {
		return managed.ExternalUpdate{}, err
	}

	if e.verdict == ownership.Offered {
		if err := e.adopt(ctx, b); err != nil {
			return managed.ExternalUpdate{}, err
		}
	}

	failed := slices.Concat(e.differs.failed, e.write(ctx, b), e.remove(ctx, b))
	setSupported(b, b.Status.AtProvider.Server, e.differs.lacks, e.differs.loses)
	if len(failed) > 0 {
		return managed.ExternalUpdate{}, joined(failed)
	}
	set(b, xpv2.Available())

	return managed.ExternalUpdate{}, nil
}

// record writes the status if it does not name all that is about to be set. Were the
// process killed in between, and the setting taken out of the spec meanwhile, nobody
// would know that it is to be removed.
func (e *external) record(ctx context.Context, b *v1beta1.Bucket) error {
	isNew := func(s setting) bool { return !slices.Contains(e.differs.known, s.field()) }
	if !slices.ContainsFunc(e.differs.write, isNew) && e.verdict != ownership.Offered {
		return nil
	}

	return errors.Wrap(e.client.Status().Update(ctx, b), "cannot write the status before changing the bucket")
}

// adopt takes the offer: the bucket is ours from then on. The tags that it has stay,
// unless the spec declares tags, which are then written at once.
func (e *external) adopt(ctx context.Context, b *v1beta1.Bucket) error {
	tags := e.target.tags
	if (tagging{}).declared(&b.Spec.ForProvider) {
		tags = withTags(tags, &b.Spec.ForProvider)
	}
	tags = ownership.Mark(tags, owner(b), time.Now())

	if err := putTags(ctx, e.target, tags); err != nil {
		return e.explained(err, "cannot mark bucket %q as this resource's with tags", e.target.bucket)
	}
	e.target.tags = tags
	e.describe(b, tags)

	return nil
}

// write writes what is not as declared. What the server does not have is left alone
// from then on, until the spec changes or an hour is over.
func (e *external) write(ctx context.Context, b *v1beta1.Bucket) []error {
	var failed []error

	for _, s := range e.differs.write {
		f := s.field()

		err := s.write(ctx, e.target, &b.Spec.ForProvider)
		switch {
		case err == nil:
			e.memory.wrote(b.GetUID(), f, b.GetGeneration())
			if slices.Contains(e.differs.drifted, f) {
				drift.Repaired(v1beta1.KindBucket, f)
			}
		case s3.Is(err, s3.Unsupported):
			e.memory.refuse(b.GetUID(), f, b.GetGeneration())
			e.differs.lacks = append(e.differs.lacks, f)
			e.forgetConfigured(b, f)
		default:
			failed = append(failed, e.explained(err, "cannot set %s", f))
		}
	}

	return failed
}

// remove takes off the bucket what was taken out of the spec. A server that does not
// have it has nothing to be taken off.
func (e *external) remove(ctx context.Context, b *v1beta1.Bucket) []error {
	var failed []error

	for _, s := range e.differs.remove {
		err := s.remove(ctx, e.target)
		if err != nil && !s3.Is(err, s3.Unsupported) {
			failed = append(failed, e.explained(err, "cannot remove %s", s.field()))
			continue
		}
		e.forgetConfigured(b, s.field())
	}

	return failed
}

// forgetConfigured takes a field out of those that are set. The reconciler writes the
// status after this; if it does not come to that, the field is removed once more.
func (e *external) forgetConfigured(b *v1beta1.Bucket, field string) {
	at := &b.Status.AtProvider
	at.Configured = slices.DeleteFunc(at.Configured, func(f string) bool { return f == field })
}
