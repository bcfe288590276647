package bucket

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

func declaredRules() []v1beta1.LifecycleRule {
	return []v1beta1.LifecycleRule{
		{
			ID: "old", Prefix: "logs/", ExpirationDays: ptr.To[int32](30),
			Transitions: []v1beta1.Transition{{Days: 20, StorageClass: "GLACIER"}, {Days: 0, StorageClass: "STANDARD_IA"}},
		},
		{ID: "versions", NoncurrentExpirationDays: ptr.To[int32](3), AbortUploadsAfterDays: ptr.To[int32](1), ExpireDeleteMarkers: true},
		{ID: "off", Disabled: true, ExpirationDays: ptr.To[int32](1)},
	}
}

func TestSameLifecycle(t *testing.T) {
	written := func() []types.LifecycleRule {
		var rules []types.LifecycleRule
		for _, r := range declaredRules() {
			rules = append(rules, writeRule(r))
		}

		return rules
	}
	cases := map[string]struct {
		reason string
		change func(r []types.LifecycleRule) []types.LifecycleRule
		same   bool
	}{
		"AsWritten": {
			reason: "What is written is what is read.",
			change: func(r []types.LifecycleRule) []types.LifecycleRule { return r },
			same:   true,
		},
		"Order": {
			reason: "Rules have no order, nor have their transitions.",
			change: func(r []types.LifecycleRule) []types.LifecycleRule {
				r[0], r[2] = r[2], r[0]
				tr := r[2].Transitions
				tr[0], tr[1] = tr[1], tr[0]

				return r
			},
			same: true,
		},
		"Forms": {
			reason: "Zero days and empty elements are how servers write none, and a prefix may stand outside the filter.",
			change: func(r []types.LifecycleRule) []types.LifecycleRule {
				r[0].Filter, r[0].Prefix = nil, aws.String("logs/")
				r[0].NoncurrentVersionExpiration = &types.NoncurrentVersionExpiration{NoncurrentDays: aws.Int32(0)}
				r[1].Filter, r[1].Prefix = &types.LifecycleRuleFilter{}, aws.String("")
				r[1].Expiration.Days = aws.Int32(0)

				return r
			},
			same: true,
		},
		"None":  {reason: "No rules.", change: func([]types.LifecycleRule) []types.LifecycleRule { return nil }},
		"Fewer": {reason: "A rule is gone.", change: func(r []types.LifecycleRule) []types.LifecycleRule { return r[1:] }},
		"More": {reason: "A rule is there that is not declared.", change: func(r []types.LifecycleRule) []types.LifecycleRule {
			return append(r, types.LifecycleRule{ID: aws.String("x")})
		}},
		"Twice":    {reason: "One ID twice is not one rule.", change: func(r []types.LifecycleRule) []types.LifecycleRule { return append(r, r[0]) }},
		"Disabled": {reason: "Somebody turned it off.", change: func(r []types.LifecycleRule) []types.LifecycleRule { r[0].Status = "Disabled"; return r }},
		"Days":     {reason: "Somebody changed a number.", change: func(r []types.LifecycleRule) []types.LifecycleRule { r[0].Expiration.Days = aws.Int32(31); return r }},
		"Lost": {reason: "The server dropped a part.", change: func(r []types.LifecycleRule) []types.LifecycleRule {
			r[1].AbortIncompleteMultipartUpload = nil
			return r
		}},
		"Tag": {
			reason: "A filter that the spec cannot say is another one.",
			change: func(r []types.LifecycleRule) []types.LifecycleRule {
				r[0].Filter = &types.LifecycleRuleFilter{Tag: &types.Tag{}}
				return r
			},
		},
		"Date": {
			reason: "So is a date.",
			change: func(r []types.LifecycleRule) []types.LifecycleRule {
				r[0].Expiration.Date = aws.Time(time.Unix(0, 0))
				return r
			},
		},
		"Newer": {
			reason: "So are versions that are kept.",
			change: func(r []types.LifecycleRule) []types.LifecycleRule {
				r[1].NoncurrentVersionExpiration.NewerNoncurrentVersions = aws.Int32(2)
				return r
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.same, sameLifecycle(tc.change(written()), declaredRules())); diff != "" {
				t.Errorf("%s\nsameLifecycle(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
