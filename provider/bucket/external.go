package bucket

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// external is the bucket of one resource, for one reconcile.
type external struct {
	client     client.Client
	connection s3.Connection
	region     string
	target     target
	settings   []setting
	memory     *memory

	// forget has the next reconcile read the credentials anew.
	forget func()

	// What Observe has seen, for what follows it in the same reconcile.
	verdict ownership.Verdict
	differs difference
	gone    bool
}

// Observe tells whether the resource has a bucket, and whether that is set to what the
// spec declares. It writes nothing. Of a bucket that is neither the resource's nor
// offered to it, it says the same whoever has it, and reads nothing more.
func (e *external) Observe(ctx context.Context, b *v1beta1.Bucket) (managed.ExternalObservation, error) {
	nothing := managed.ExternalObservation{ResourceUpToDate: true}
	if e.target.server == nil {
		return nothing, nil
	}

	if err := e.named(b); err != nil {
		return nothing, err
	}
	if valid := ownership.ValidateName(e.target.bucket) == nil; !valid {
		// There is none of this name, nor ever was: the resource can go.
		return nothing, nil
	}

	verdict, err := e.judge(ctx, b)
	if err != nil {
		return nothing, e.explained(err, "cannot tell whose bucket %q is", e.target.bucket)
	}
	e.verdict = verdict

	switch {
	case verdict == ownership.Ours, verdict == ownership.Offered && !meta.WasDeleted(b):
		return e.observe(ctx, b)
	case verdict == ownership.Absent:
		e.gone = available(b)
		b.Status.AtProvider = v1beta1.BucketObservation{}
		set(b, missing())

		return nothing, nil
	case verdict == ownership.Unmarked && e.begun(b):
		return e.observeBegun(ctx, b)
	case meta.WasDeleted(b):
		// There is a bucket, but it is not ours to delete.
		return nothing, nil
	default:
		return nothing, e.refuse(b)
	}
}

// named returns an error if the external name cannot be used: S3 has no such names,
// or the resource has a bucket of another name, which would be left behind.
func (e *external) named(b *v1beta1.Bucket) error {
	if err := ownership.ValidateName(e.target.bucket); err != nil && !meta.WasDeleted(b) {
		return errors.Wrap(err, "the annotation "+meta.AnnotationKeyExternalName+" cannot be used")
	}

	if arn := b.Status.AtProvider.ARN; arn != "" && bucketOf(arn) != e.target.bucket {
		return errors.Errorf("this resource has the bucket %q, and cannot change to %q: set the annotation %s back, and make another Bucket for the other",
			bucketOf(arn), e.target.bucket, meta.AnnotationKeyExternalName)
	}

	return nil
}

// judge finds out whose the bucket is: with no call where there can be none yet, or
// where this process has just made or deleted it, else with one.
func (e *external) judge(ctx context.Context, b *v1beta1.Bucket) (ownership.Verdict, error) {
	if unbegun(b) {
		return ownership.Absent, nil
	}

	k, ok := e.memory.recall(b.GetUID(), e.target.server, e.target.bucket)
	if ok && k.exists != meta.WasDeleted(b) {
		e.target.tags = k.tags
		return ownership.Judge(k.tags, k.exists, owner(b)), nil
	}

	tags, exists, err := getTags(ctx, e.target)
	e.target.tags = tags
	if meta.WasDeleted(b) && (s3.Is(err, s3.Unsupported) || s3.Is(err, s3.Denied) && !touched(b)) {
		// On a server without tags nothing was ever ours, nor was what we were never
		// allowed to look at.
		return ownership.Absent, nil
	}

	return ownership.Judge(tags, exists, owner(b)), err
}

func owner(b *v1beta1.Bucket) ownership.Resource {
	return ownership.Resource{
		Namespace: b.GetNamespace(),
		Name:      b.GetName(),
		UID:       string(b.GetUID()),
		Adopt:     b.Spec.ForProvider.Adopt,
	}
}

// begun tells whether a bucket that nobody has marked may be one that was made for
// this resource by a process that was killed right after.
func (e *external) begun(b *v1beta1.Bucket) bool {
	derived := e.target.bucket == derivedName(b) && !meta.GetExternalCreatePending(b).IsZero()

	return derived || claimed(b, e.connection.Endpoint, e.target.bucket)
}

// observeBegun takes an unmarked bucket that may be ours for ours if it is empty. It
// is then to be made once more, which marks it, or to be deleted.
func (e *external) observeBegun(ctx context.Context, b *v1beta1.Bucket) (managed.ExternalObservation, error) {
	contents, err := count(ctx, e.target)
	switch {
	case err != nil:
		return managed.ExternalObservation{}, e.explained(err, "cannot tell whether bucket %q is empty", e.target.bucket)
	case contents.any() && meta.WasDeleted(b):
		return managed.ExternalObservation{}, nil
	case contents.any():
		return managed.ExternalObservation{}, e.refuse(b)
	default:
		return managed.ExternalObservation{ResourceExists: meta.WasDeleted(b), ResourceUpToDate: true}, nil
	}
}

// refuse says that the bucket is somebody else's, in the same words whoever that is.
func (e *external) refuse(b *v1beta1.Bucket) error {
	b.Status.AtProvider = v1beta1.BucketObservation{}
	set(b, xpv2.Unavailable())

	return errors.Errorf("bucket %q exists, and is neither this resource's nor offered to it for adoption", e.target.bucket)
}

// explained puts an error of the server in plain words. Credentials that it refuses
// may have been changed since they were read.
func (e *external) explained(err error, format string, args ...any) error {
	if s3.Is(err, s3.BadCredentials) {
		e.forget()
	}

	return errors.Wrapf(err, format, args...)
}

// Disconnect has nothing to do: clients are shared.
func (e *external) Disconnect(context.Context) error { return nil }
