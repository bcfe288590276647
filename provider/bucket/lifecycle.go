package bucket

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"k8s.io/apimachinery/pkg/api/equality"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

type lifecycle struct{}

func (lifecycle) field() string { return "lifecycleRules" }

func (lifecycle) declared(p *v1beta1.BucketParameters) bool { return len(p.LifecycleRules) > 0 }

func (lifecycle) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	have, err := getLifecycle(ctx, t)

	return sameLifecycle(have, p.LifecycleRules), err
}

// getLifecycle returns the rules of a bucket, none if it has none.
func getLifecycle(ctx context.Context, t target) ([]types.LifecycleRule, error) {
	out, err := t.server.GetBucketLifecycleConfiguration(ctx, &awss3.GetBucketLifecycleConfigurationInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotConfigured) {
		return nil, nil
	}
	if err != nil {
		return nil, s3.Explain(err)
	}

	return out.Rules, nil
}

// sameLifecycle compares rules by their IDs, since all that fit an object are used,
// in no order.
func sameLifecycle(have []types.LifecycleRule, want []v1beta1.LifecycleRule) bool {
	kept := make(map[string]v1beta1.LifecycleRule, len(have))
	for _, h := range have {
		r, ok := readRule(h)
		if !ok {
			return false
		}
		kept[r.ID] = r
	}

	asked := make(map[string]v1beta1.LifecycleRule, len(want))
	for _, w := range want {
		w.Transitions = sortedTransitions(w.Transitions)
		asked[w.ID] = w
	}

	return len(kept) == len(have) && maps.EqualFunc(kept, asked, func(a, b v1beta1.LifecycleRule) bool {
		return equality.Semantic.DeepEqual(a, b)
	})
}

// readRule returns a rule as the spec would declare it. It is false if the rule holds
// what the spec cannot say.
func readRule(r types.LifecycleRule) (v1beta1.LifecycleRule, bool) {
	out := v1beta1.LifecycleRule{
		ID:       aws.ToString(r.ID),
		Disabled: r.Status != types.ExpirationStatusEnabled,
		Prefix:   aws.ToString(r.Prefix), //nolint:staticcheck // Servers still answer with it, and rules of before have it.
	}

	if f := r.Filter; f != nil {
		if f.And != nil || f.Tag != nil || f.ObjectSizeGreaterThan != nil || f.ObjectSizeLessThan != nil {
			return out, false
		}
		if f.Prefix != nil {
			out.Prefix = *f.Prefix
		}
	}
	if e := r.Expiration; e != nil {
		if e.Date != nil {
			return out, false
		}
		out.ExpirationDays = some(e.Days)
		out.ExpireDeleteMarkers = aws.ToBool(e.ExpiredObjectDeleteMarker)
	}
	if n := r.NoncurrentVersionExpiration; n != nil {
		if aws.ToInt32(n.NewerNoncurrentVersions) != 0 {
			return out, false
		}
		out.NoncurrentExpirationDays = some(n.NoncurrentDays)
	}
	if a := r.AbortIncompleteMultipartUpload; a != nil {
		out.AbortUploadsAfterDays = some(a.DaysAfterInitiation)
	}
	for _, t := range r.Transitions {
		if t.Date != nil {
			return out, false
		}
		out.Transitions = append(out.Transitions, v1beta1.Transition{Days: aws.ToInt32(t.Days), StorageClass: string(t.StorageClass)})
	}
	out.Transitions = sortedTransitions(out.Transitions)

	return out, len(r.NoncurrentVersionTransitions) == 0
}

// some returns a number of days unless it is zero, which servers write for none.
func some(days *int32) *int32 {
	if aws.ToInt32(days) == 0 {
		return nil
	}

	return days
}

func sortedTransitions(of []v1beta1.Transition) []v1beta1.Transition {
	return slices.SortedFunc(slices.Values(of), func(a, b v1beta1.Transition) int {
		return int(a.Days) - int(b.Days)
	})
}

func (lifecycle) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	rules := make([]types.LifecycleRule, 0, len(p.LifecycleRules))
	for _, r := range p.LifecycleRules {
		rules = append(rules, writeRule(r))
	}

	_, err := t.server.PutBucketLifecycleConfiguration(ctx, &awss3.PutBucketLifecycleConfigurationInput{
		Bucket:                 aws.String(t.bucket),
		LifecycleConfiguration: &types.BucketLifecycleConfiguration{Rules: rules},
	})
	if s3.Is(err, s3.Invalid) && slices.ContainsFunc(p.LifecycleRules, abortsUploads) {
		return errors.Wrap(s3.Explain(err), "the server may not have abortUploadsAfterDays, as MinIO does not")
	}

	return s3.Explain(err)
}

func abortsUploads(r v1beta1.LifecycleRule) bool { return r.AbortUploadsAfterDays != nil }

func writeRule(r v1beta1.LifecycleRule) types.LifecycleRule {
	out := types.LifecycleRule{
		ID:     aws.String(r.ID),
		Status: types.ExpirationStatusEnabled,
		Filter: &types.LifecycleRuleFilter{Prefix: aws.String(r.Prefix)},
	}

	if r.Disabled {
		out.Status = types.ExpirationStatusDisabled
	}
	if r.ExpirationDays != nil {
		out.Expiration = &types.LifecycleExpiration{Days: r.ExpirationDays}
	}
	if r.ExpireDeleteMarkers {
		out.Expiration = &types.LifecycleExpiration{ExpiredObjectDeleteMarker: aws.Bool(true)}
	}
	if r.NoncurrentExpirationDays != nil {
		out.NoncurrentVersionExpiration = &types.NoncurrentVersionExpiration{NoncurrentDays: r.NoncurrentExpirationDays}
	}
	if r.AbortUploadsAfterDays != nil {
		out.AbortIncompleteMultipartUpload = &types.AbortIncompleteMultipartUpload{DaysAfterInitiation: r.AbortUploadsAfterDays}
	}
	for _, t := range r.Transitions {
		out.Transitions = append(out.Transitions, types.Transition{Days: aws.Int32(t.Days), StorageClass: types.TransitionStorageClass(t.StorageClass)})
	}

	return out
}

func (lifecycle) remove(ctx context.Context, t target) error {
	if have, err := getLifecycle(ctx, t); err != nil || len(have) == 0 {
		return err
	}

	_, err := t.server.DeleteBucketLifecycle(ctx, &awss3.DeleteBucketLifecycleInput{Bucket: aws.String(t.bucket)})

	return s3.Explain(err)
}
