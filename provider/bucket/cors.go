package bucket

import (
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

type cors struct{}

func (cors) field() string { return "corsRules" }

func (cors) declared(p *v1beta1.BucketParameters) bool { return len(p.CORSRules) > 0 }

func (cors) same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error) {
	have, err := getCORS(ctx, t)

	return sameCORS(have, p.CORSRules), err
}

// getCORS returns the rules of a bucket, none if it has none.
func getCORS(ctx context.Context, t target) ([]types.CORSRule, error) {
	out, err := t.server.GetBucketCors(ctx, &awss3.GetBucketCorsInput{Bucket: aws.String(t.bucket)})
	if s3.Is(err, s3.NotConfigured) {
		return nil, nil
	}
	if err != nil {
		return nil, s3.Explain(err)
	}

	return out.CORSRules, nil
}

// sameCORS compares rules in their order, since the first that fits a request is used,
// and what a rule lists without order. Names of headers have no case.
func sameCORS(have []types.CORSRule, want []v1beta1.CORSRule) bool {
	return slices.EqualFunc(have, want, func(h types.CORSRule, w v1beta1.CORSRule) bool {
		return sameSet(h.AllowedOrigins, w.AllowedOrigins) &&
			sameSet(h.AllowedMethods, w.AllowedMethods) &&
			sameSet(lower(h.AllowedHeaders), lower(w.AllowedHeaders)) &&
			sameSet(lower(h.ExposeHeaders), lower(w.ExposeHeaders)) &&
			(h.MaxAgeSeconds == nil) == (w.MaxAgeSeconds == nil) &&
			aws.ToInt32(h.MaxAgeSeconds) == aws.ToInt32(w.MaxAgeSeconds)
	})
}

// sameSet tells whether two lists hold the same, in whatever order and how often.
func sameSet(a, b []string) bool {
	return slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b))))
}

func lower(of []string) []string {
	out := make([]string, 0, len(of))
	for _, s := range of {
		out = append(out, strings.ToLower(s))
	}

	return out
}

func (cors) write(ctx context.Context, t target, p *v1beta1.BucketParameters) error {
	rules := make([]types.CORSRule, 0, len(p.CORSRules))
	for _, r := range p.CORSRules {
		rules = append(rules, types.CORSRule{
			AllowedOrigins: r.AllowedOrigins,
			AllowedMethods: r.AllowedMethods,
			AllowedHeaders: r.AllowedHeaders,
			ExposeHeaders:  r.ExposeHeaders,
			MaxAgeSeconds:  r.MaxAgeSeconds,
		})
	}

	_, err := t.server.PutBucketCors(ctx, &awss3.PutBucketCorsInput{
		Bucket:            aws.String(t.bucket),
		CORSConfiguration: &types.CORSConfiguration{CORSRules: rules},
	})

	return s3.Explain(err)
}

func (cors) remove(ctx context.Context, t target) error {
	if have, err := getCORS(ctx, t); err != nil || len(have) == 0 {
		return err
	}

	_, err := t.server.DeleteBucketCors(ctx, &awss3.DeleteBucketCorsInput{Bucket: aws.String(t.bucket)})

	return s3.Explain(err)
}
