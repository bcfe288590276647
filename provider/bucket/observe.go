package bucket

import (
	"context"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// Names of what clients of S3 read from their environment. A Bucket's connection
// Secret, if it has one, says where the bucket is; a BucketAccess's has keys as well.
const (
	keyEndpoint = "AWS_ENDPOINT_URL_S3"
	keyRegion   = "AWS_REGION"
	keyBucket   = "BUCKET_NAME"
)

// difference is what is to be done to a bucket for it to be what the spec declares.
type difference struct {
	// write are the settings that are not as declared.
	write []setting

	// remove are the settings that were declared and are not any more.
	remove []setting

	// lacks are fields that the server does not have, loses those that it does not
	// keep as they are written.
	lacks, loses []string

	// failed says what could not be compared.
	failed []error

	// known are the fields that the status said were set before this observation.
	known []string

	// drifted are the fields that were as declared, and are not any more.
	drifted []string
}

func (d difference) none() bool { return len(d.write) == 0 && len(d.remove) == 0 }

// observe compares our bucket, or one that is offered to us, with the spec, and
// describes it in the status. When it is to be deleted, nothing about it matters.
func (e *external) observe(ctx context.Context, b *v1beta1.Bucket) (managed.ExternalObservation, error) {
	out := managed.ExternalObservation{ResourceExists: true}
	if meta.WasDeleted(b) {
		return out, nil
	}

	was := available(b)
	e.differs = e.compare(ctx, b)
	e.describe(b, e.target.tags)

	if was {
		e.differs.drifted = fields(e.differs.write)
	}
	out.ResourceUpToDate = e.differs.none() && e.verdict == ownership.Ours
	out.ConnectionDetails = e.details()

	switch {
	case out.ResourceUpToDate && len(e.differs.failed) > 0:
		return out, joined(e.differs.failed)
	case out.ResourceUpToDate, !may(b, xpv2.ManagementActionUpdate):
		set(b, xpv2.Available())
	case b.GetCondition(xpv2.TypeReady).Status != corev1.ConditionTrue:
		// Not Creating: with an ARN that is the claim to a bucket which is being made.
		set(b, xpv2.Unavailable().WithMessage("the bucket is there, and is not yet as declared"))
	default:
	}

	return out, nil
}

// describe writes what the bucket is into the status. All that is declared, and that
// the server has, counts as configured from then on: it will be before it is written.
func (e *external) describe(b *v1beta1.Bucket, tags map[string]string) {
	at := &b.Status.AtProvider
	e.differs.known = at.Configured

	at.ARN = arnOf(e.region, e.target.bucket)
	at.URL = urlOf(e.target.server.Endpoint(), e.connection.PathStyle, e.target.bucket)
	at.Region = e.region
	at.Endpoint = e.connection.Endpoint
	at.Server = e.target.server.ServerName()
	if t, ok := ownership.Created(tags); ok {
		at.CreationTime = &metav1.Time{Time: t}
	}

	at.Configured = nil
	for _, s := range e.settings {
		f := s.field()
		removable := !s.declared(&b.Spec.ForProvider) && slices.Contains(e.differs.known, f)
		if removable || s.declared(&b.Spec.ForProvider) && !slices.Contains(e.differs.lacks, f) {
			at.Configured = append(at.Configured, f)
		}
	}

	setSupported(b, at.Server, e.differs.lacks, e.differs.loses)
}

// compare reads all settings that the spec declares, at the same time.
func (e *external) compare(ctx context.Context, b *v1beta1.Bucket) difference {
	type result struct {
		same bool
		err  error
	}

	results := make([]result, len(e.settings))

	var g errgroup.Group
	for i, s := range e.settings {
		if s.declared(&b.Spec.ForProvider) {
			g.Go(func() error {
				results[i].same, results[i].err = s.same(ctx, e.target, &b.Spec.ForProvider)

				return nil
			})
		}
	}
	_ = g.Wait()

	var d difference
	for i, s := range e.settings {
		f, r := s.field(), results[i]
		refused, lost := e.memory.rests(b.GetUID(), f, b.GetGeneration())

		switch {
		case !s.declared(&b.Spec.ForProvider):
			if slices.Contains(b.Status.AtProvider.Configured, f) {
				d.remove = append(d.remove, s)
			}
		case s3.Is(r.err, s3.Unsupported):
			d.lacks = append(d.lacks, f)
		case r.err != nil:
			d.failed = append(d.failed, e.explained(r.err, "cannot compare %s", f))
		case r.same:
			e.memory.took(b.GetUID(), f)
		case refused:
			d.lacks = append(d.lacks, f)
		case lost:
			d.loses = append(d.loses, f)
		default:
			d.write = append(d.write, s)
		}
	}

	return d
}

// details are where the bucket is, for those who want a Secret of it.
func (e *external) details() managed.ConnectionDetails {
	d := managed.ConnectionDetails{keyBucket: []byte(e.target.bucket), keyRegion: []byte(e.region)}
	if e.connection.Endpoint != "" {
		d[keyEndpoint] = []byte(e.connection.Endpoint)
	}

	return d
}

// joined makes one error of several, in one line, in the order of the settings.
func joined(errs []error) error {
	if len(errs) == 0 {
		return nil
	}

	err := errs[0]
	for _, next := range errs[1:] {
		err = errors.Errorf("%s; %s", err.Error(), next.Error())
	}

	return err
}
