package bucket

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/ownership"
)

func TestSameVersioning(t *testing.T) {
	cases := map[string]struct {
		reason string
		have   types.BucketVersioningStatus
		want   v1beta1.VersioningState
		same   bool
	}{
		"Enabled":      {reason: "Enabled is enabled.", have: "Enabled", want: "Enabled", same: true},
		"Off":          {reason: "Versions are asked for and not kept.", have: "", want: "Enabled"},
		"OffSuspended": {reason: "A bucket that never had versioning keeps no versions either.", have: "", want: "Suspended", same: true},
		"Drifted":      {reason: "Somebody suspended it.", have: "Suspended", want: "Enabled"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.same, sameVersioning(tc.have, tc.want)); diff != "" {
				t.Errorf("%s\nsameVersioning(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSameObjectLock(t *testing.T) {
	enabled := func(r *types.DefaultRetention) *types.ObjectLockConfiguration {
		c := &types.ObjectLockConfiguration{ObjectLockEnabled: types.ObjectLockEnabledEnabled}
		if r != nil {
			c.Rule = &types.ObjectLockRule{DefaultRetention: r}
		}

		return c
	}
	week := &v1beta1.ObjectLock{DefaultRetention: &v1beta1.Retention{Mode: "Governance", Days: ptr.To[int32](7)}}
	cases := map[string]struct {
		reason string
		have   *types.ObjectLockConfiguration
		want   *v1beta1.ObjectLock
		same   bool
	}{
		"None":       {reason: "A bucket without a lock has not what is declared.", want: &v1beta1.ObjectLock{}},
		"NoRule":     {reason: "A lock without a rule.", have: enabled(nil), want: &v1beta1.ObjectLock{}, same: true},
		"EmptyRule":  {reason: "A rule without a retention is none.", have: &types.ObjectLockConfiguration{ObjectLockEnabled: "Enabled", Rule: &types.ObjectLockRule{}}, want: &v1beta1.ObjectLock{}, same: true},
		"Same":       {reason: "The mode has another case on the wire, and zero years are none.", have: enabled(&types.DefaultRetention{Mode: "GOVERNANCE", Days: aws.Int32(7), Years: aws.Int32(0)}), want: week, same: true},
		"OtherMode":  {reason: "The mode counts.", have: enabled(&types.DefaultRetention{Mode: "COMPLIANCE", Days: aws.Int32(7)}), want: week},
		"OtherTime":  {reason: "The time counts.", have: enabled(&types.DefaultRetention{Mode: "GOVERNANCE", Years: aws.Int32(7)}), want: week},
		"RuleTooFew": {reason: "A rule is missing.", have: enabled(nil), want: week},
		"RuleMuch":   {reason: "A rule is there that is not declared.", have: enabled(&types.DefaultRetention{Mode: "GOVERNANCE", Days: aws.Int32(7)}), want: &v1beta1.ObjectLock{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.same, sameObjectLock(tc.have, tc.want)); diff != "" {
				t.Errorf("%s\nsameObjectLock(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSameEncryption(t *testing.T) {
	by := func(algorithm types.ServerSideEncryption, key *string) []types.ServerSideEncryptionRule {
		return []types.ServerSideEncryptionRule{{
			ApplyServerSideEncryptionByDefault: &types.ServerSideEncryptionByDefault{SSEAlgorithm: algorithm, KMSMasterKeyID: key},
			BucketKeyEnabled:                   aws.Bool(false),
		}}
	}
	key := &v1beta1.Encryption{Algorithm: "aws:kms", KMSKeyID: "1234"}
	cases := map[string]struct {
		reason string
		have   []types.ServerSideEncryptionRule
		want   *v1beta1.Encryption
		same   bool
	}{
		"None":       {reason: "No rule.", want: &v1beta1.Encryption{Algorithm: "AES256"}},
		"NoDefault":  {reason: "A rule that says nothing.", have: []types.ServerSideEncryptionRule{{}}, want: &v1beta1.Encryption{Algorithm: "AES256"}},
		"AES":        {reason: "Keys of the server.", have: by("AES256", nil), want: &v1beta1.Encryption{Algorithm: "AES256"}, same: true},
		"KMS":        {reason: "Another algorithm.", have: by("AES256", nil), want: key},
		"Key":        {reason: "The key as it was given.", have: by("aws:kms", aws.String("1234")), want: key, same: true},
		"ARN":        {reason: "The same key, by its ARN.", have: by("aws:kms", aws.String("arn:aws:kms:eu-west-1:1:key/1234")), want: key, same: true},
		"OtherKey":   {reason: "A key whose name ends alike is another.", have: by("aws:kms", aws.String("arn:aws:kms:eu-west-1:1:key/01234")), want: key},
		"DefaultKey": {reason: "AWS's own key is the default.", have: by("aws:kms", aws.String("arn:aws:kms:eu-west-1:1:alias/aws/s3")), want: &v1beta1.Encryption{Algorithm: "aws:kms"}, same: true},
		"NotDefault": {reason: "A key that was not asked for.", have: by("aws:kms", aws.String("1234")), want: &v1beta1.Encryption{Algorithm: "aws:kms"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.same, sameEncryption(tc.have, tc.want)); diff != "" {
				t.Errorf("%s\nsameEncryption(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSameCORS(t *testing.T) {
	want := []v1beta1.CORSRule{
		{AllowedOrigins: []string{"https://a.example.com", "https://b.example.com"}, AllowedMethods: []string{"GET"}, AllowedHeaders: []string{"X-Trace"}},
		{AllowedOrigins: []string{"*"}, AllowedMethods: []string{"GET", "HEAD"}, MaxAgeSeconds: ptr.To[int32](60)},
	}
	have := func(change func([]types.CORSRule) []types.CORSRule) []types.CORSRule {
		return change([]types.CORSRule{
			{ID: aws.String("made-up"), AllowedOrigins: []string{"https://b.example.com", "https://a.example.com"}, AllowedMethods: []string{"GET"}, AllowedHeaders: []string{"x-trace"}, ExposeHeaders: []string{}},
			{AllowedOrigins: []string{"*"}, AllowedMethods: []string{"HEAD", "GET", "GET"}, MaxAgeSeconds: aws.Int32(60)},
		})
	}
	cases := map[string]struct {
		reason string
		change func([]types.CORSRule) []types.CORSRule
		same   bool
	}{
		"Same":  {reason: "Lists are sets, headers have no case, and IDs are the server's.", change: func(r []types.CORSRule) []types.CORSRule { return r }, same: true},
		"Order": {reason: "The first rule that fits is used.", change: func(r []types.CORSRule) []types.CORSRule { slices.Reverse(r); return r }},
		"Fewer": {reason: "A rule is gone.", change: func(r []types.CORSRule) []types.CORSRule { return r[:1] }},
		"None":  {reason: "All are gone.", change: func([]types.CORSRule) []types.CORSRule { return nil }},
		"Origin": {reason: "An origin more.", change: func(r []types.CORSRule) []types.CORSRule {
			r[0].AllowedOrigins = append(r[0].AllowedOrigins, "*")
			return r
		}},
		"NoMaxAge":  {reason: "Without an age browsers use their own.", change: func(r []types.CORSRule) []types.CORSRule { r[1].MaxAgeSeconds = nil; return r }},
		"ZeroAge":   {reason: "Zero is an age.", change: func(r []types.CORSRule) []types.CORSRule { r[0].MaxAgeSeconds = aws.Int32(0); return r }},
		"Exposes":   {reason: "A header is exposed.", change: func(r []types.CORSRule) []types.CORSRule { r[1].ExposeHeaders = []string{"ETag"}; return r }},
		"OtherCase": {reason: "Methods have a case.", change: func(r []types.CORSRule) []types.CORSRule { r[0].AllowedMethods = []string{"get"}; return r }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.same, sameCORS(have(tc.change), want)); diff != "" {
				t.Errorf("%s\nsameCORS(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestPublicAccess(t *testing.T) {
	got := blocked(&types.PublicAccessBlockConfiguration{BlockPublicAcls: aws.Bool(true), RestrictPublicBuckets: aws.Bool(true), IgnorePublicAcls: aws.Bool(false)})
	want := v1beta1.PublicAccessBlock{BlockPublicACLs: true, RestrictPublicBuckets: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("What is not said is not blocked.\nblocked(...): -want, +got:\n%s", diff)
	}
}

func TestWithTags(t *testing.T) {
	have := map[string]string{
		ownership.TagOwnerUID:           "1",
		ownership.TagOfferedTo:          "team-b",
		"aws:cloudformation:stack-name": "s",
		"team":                          "a",
		"left":                          "over",
	}
	cases := map[string]struct {
		reason   string
		declared map[string]v1beta1.TagValue
		want     map[string]string
	}{
		"Declared": {
			reason:   "What is declared replaces what there is, but the marker, an offer and the server's own stay.",
			declared: map[string]v1beta1.TagValue{"team": "b"},
			want:     map[string]string{ownership.TagOwnerUID: "1", ownership.TagOfferedTo: "team-b", "aws:cloudformation:stack-name": "s", "team": "b"},
		},
		"None": {
			reason: "Taken out of the spec, tags go; the reserved ones stay.",
			want:   map[string]string{ownership.TagOwnerUID: "1", ownership.TagOfferedTo: "team-b", "aws:cloudformation:stack-name": "s"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, withTags(have, &v1beta1.BucketParameters{Tags: tc.declared})); diff != "" {
				t.Errorf("%s\nwithTags(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDeclaredPolicy(t *testing.T) {
	cases := map[string]struct {
		reason string
		policy string
		want   string
	}{
		"Good":     {reason: "A policy.", policy: `{"Version":"2012-10-17","Statement":[]}`},
		"Reserved": {reason: "A statement of a BucketAccess would be taken for one.", policy: `{"Statement":[{"Sid":"EchoAccessABC"}]}`, want: `spec.forProvider.policy: the Sid "EchoAccessABC" begins with EchoAccess, which is reserved for BucketAccess`},
		"NoJSON":   {reason: "Not JSON.", policy: `allow all`, want: "spec.forProvider.policy: the policy is not a JSON object with Version and Statement: invalid character 'a' looking for beginning of value"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if _, err := declaredPolicy(&v1beta1.BucketParameters{Policy: &tc.policy}); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\ndeclaredPolicy(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// All fields of forProvider that are sub-resources have one setting, by its JSON name.
func TestSettings(t *testing.T) {
	want := []string{"tags", "versioning", "objectLock", "encryption", "publicAccessBlock", "policy", "lifecycleRules", "corsRules", "quota"}
	if diff := cmp.Diff(want, fields(settings())); diff != "" {
		t.Errorf("fields(settings()): -want, +got:\n%s", diff)
	}
	for _, s := range settings() {
		if s.declared(&v1beta1.BucketParameters{}) {
			t.Errorf("%s is declared by a spec that says nothing", s.field())
		}
	}
}
