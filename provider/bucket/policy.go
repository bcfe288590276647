package bucket

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/policy"
	"my-operator.dev/echo/provider/s3"
)

// bucketPolicy is the bucket's policy, less the statements that belong to
// BucketAccesses: those are not compared, and stay when the policy is written.
type bucketPolicy struct{}

func (bucketPolicy) field() string { return "policy" }

func (bucketPolicy) declared(p *v1beta1.BucketParameters) bool { return p.Policy != nil }

func (bucketPolicy) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	want, err := declaredPolicy(p)
	if err != nil {
		return false, err
	}

	have, _, err := getPolicy(ctx, t)
	if err != nil {
		return false, err
	}

	return policy.Equal(have.Without(policy.AccessSid), want), nil
}

// declaredPolicy reads the policy in the spec.
func declaredPolicy(p *v1beta1.BucketParameters) (policy.Document, error) {
	d, err := policy.Parse([]byte(*p.Policy))
	if err != nil {
		return d, errors.Wrap(err, "spec.forProvider.policy")
	}
	if reserved := d.Having(policy.AccessSid); len(reserved) > 0 {
		return d, errors.Errorf("spec.forProvider.policy: the Sid %q begins with %s, which is reserved for BucketAccess", reserved[0].Sid(), policy.AccessSid)
	}

	return d, nil
}

// getPolicy returns the bucket's policy, and whether it has one. One that cannot be
// read says nothing: it is neither what is declared nor a BucketAccess's.
func getPolicy(ctx context.Context, t target) (policy.Document, bool, error) {
	out, err := t.server.GetBucketPolicy(ctx, &awss3.GetBucketPolicyInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotConfigured) {
		return policy.Document{}, false, nil
	}
	if err != nil {
		return policy.Document{}, false, s3.Explain(err)
	}

	d, err := policy.Parse([]byte(aws.ToString(out.Policy)))
	if err != nil {
		return policy.Document{}, true, nil //nolint:nilerr // It is to be replaced, whatever is wrong with it.
	}

	return d, true, nil
}

func (bucketPolicy) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	want, err := declaredPolicy(p)
	if err != nil {
		return err
	}

	return replacePolicy(ctx, t, want)
}

func (bucketPolicy) remove(ctx context.Context, t target) error {
	return replacePolicy(ctx, t, policy.Document{})
}

// replacePolicy writes a policy, with the statements of BucketAccesses that the bucket
// has at that moment. Whoever writes policies holds the lock meanwhile.
func replacePolicy(ctx context.Context, t target, d policy.Document) error {
	unlock, err := t.server.Lock(ctx, t.bucket)
	if err != nil {
		return err
	}
	defer unlock()

	have, found, err := getPolicy(ctx, t)
	if err != nil {
		return err
	}

	if kept := have.Having(policy.AccessSid); len(kept) > 0 {
		d = d.With(kept...)
	}
	if len(d.Statements) == 0 && !found {
		return nil
	}
	if len(d.Statements) == 0 {
		_, err := t.server.DeleteBucketPolicy(ctx, &awss3.DeleteBucketPolicyInput{Bucket: aws.String(t.bucket)})

		return s3.Explain(err)
	}

	text, err := d.Marshal()
	if err != nil {
		return errors.Wrap(err, "spec.forProvider.policy")
	}

	_, err = t.server.PutBucketPolicy(ctx, &awss3.PutBucketPolicyInput{Bucket: aws.String(t.bucket), Policy: aws.String(string(text))})

	return s3.Explain(err)
}
