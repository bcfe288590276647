package bucketaccess

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
	"my-operator.dev/echo/provider/s3"
)

// arnOfBuckets is what the ARN of a bucket begins with, after the partition.
const arnOfBuckets = ":s3:::"

// reasonWaiting is why an access is not ready whose Bucket is not there yet, or has no
// bucket: it will be by itself.
const reasonWaiting xpv2.ConditionReason = "WaitingForBucket"

// A waitingError says that the Bucket of an access is not there yet, or has no bucket.
type waitingError struct{ error }

// findBucket returns the Bucket that an access is to. It is nil, with a
// waitingError, where there is none, and has one with it where it has no bucket.
func findBucket(ctx context.Context, c client.Reader, a *v1beta1.BucketAccess) (*v1beta1.Bucket, error) {
	name := a.Spec.ForProvider.BucketRef.Name
	b := &v1beta1.Bucket{}

	err := c.Get(ctx, types.NamespacedName{Namespace: a.GetNamespace(), Name: name}, b)
	if kerrors.IsNotFound(err) {
		return nil, waitingError{errors.Errorf("there is no Bucket %q in namespace %q yet", name, a.GetNamespace())}
	}

	if err != nil {
		return nil, errors.Wrapf(err, "cannot get Bucket %q", name)
	}

	if x, y := a.GetProviderConfigReference(), b.GetProviderConfigReference(); x == nil || y == nil || *x != *y {
		return nil, errors.Errorf("spec.providerConfigRef: it has to be that of Bucket %q", name)
	}

	if bucketName(b) == "" {
		return b, waitingError{errors.Errorf("Bucket %q is not there yet", name)}
	}

	return b, nil
}

// opens is the name on the server of the bucket that the keys of an access open, or
// that they are to open while there are none. The Bucket may be nil. Where keys are
// known, the status tells, which the tenant cannot write.
func opens(a *v1beta1.BucketAccess, b *v1beta1.Bucket) string {
	if seen := a.Status.AtProvider; seen.AccessKeyID != "" {
		return seen.Bucket
	}

	if b != nil && bucketName(b) != "" {
		return bucketName(b)
	}

	return meta.GetExternalName(a)
}

// bucketName is the bucket's name on the server, as its controller saw it: empty until
// it has found the bucket to be the resource's. The annotation is not asked, since the
// tenant can write it.
func bucketName(b *v1beta1.Bucket) string {
	_, name, _ := strings.Cut(b.Status.AtProvider.ARN, arnOfBuckets)

	return name
}

// judge asks the server whose the bucket is. What the Bucket's status says may be of
// an earlier time, or of another server.
func (e *external) judge(ctx context.Context) (ownership.Verdict, error) {
	out, err := e.server.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: &e.grant.Bucket})

	switch {
	case s3.Is(err, s3.NoSuchBucket):
		return ownership.Absent, nil
	case s3.Is(err, s3.NotConfigured):
		// MinIO says so of a bucket that is not there, too.
		_, err := e.server.HeadBucket(ctx, &awss3.HeadBucketInput{Bucket: &e.grant.Bucket})
		if s3.Is(err, s3.NotFound, s3.NoSuchBucket) {
			return ownership.Absent, nil
		}

		return ownership.Unmarked, errors.Wrap(s3.Explain(err), "cannot look for the bucket")
	case err != nil:
		return ownership.Absent, errors.Wrap(s3.Explain(err), "cannot see whose the bucket is")
	}

	tags := make(map[string]string, len(out.TagSet))
	for _, t := range out.TagSet {
		tags[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}

	return ownership.Judge(tags, true, ownership.Resource{Namespace: e.bucket.GetNamespace(), Name: e.bucket.GetName(), UID: string(e.bucket.GetUID())}), nil
}
