package provider

import (
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"k8s.io/apimachinery/pkg/api/resource"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// A setting is a field of forProvider that sets a sub-resource of a bucket.
type setting struct {
	// on is the one server that has it; empty is all of them, nowhere none.
	on string

	// set, change and remove change the field.
	set, change func(p *parameters, external string)
	remove      func(p *parameters)

	// drift changes the sub-resource behind the provider's back.
	drift func(t *team, external string)

	// read is what the server has, in short.
	read func(t *team, external string) string

	// What is read after each of the above.
	isSet, isChanged, isRemoved string
}

const nowhere = "nowhere"

func settings() map[string]setting {
	return map[string]setting{
		"tags": {
			set:    func(p *parameters, _ string) { p.Tags = addTag(nil, "team", "blue") },
			change: func(p *parameters, _ string) { p.Tags = addTag(p.Tags, "cost", "high") },
			remove: func(p *parameters) { p.Tags = nil },
			drift: func(t *team, external string) {
				tags := t.server.tags(t, external)
				tags["team"], tags["more"] = "red", "yes"
				t.server.tag(t, external, tags)
			},
			read:      func(t *team, external string) string { return short(declared(t.server.tags(t, external))) },
			isSet:     "team=blue",
			isChanged: "cost=high team=blue",
		},
		"versioning": {
			set:    func(p *parameters, _ string) { p.Versioning = storagev1beta1.VersioningSuspended },
			change: func(p *parameters, _ string) { p.Versioning = storagev1beta1.VersioningEnabled },
			remove: func(p *parameters) { p.Versioning = "" },
			drift: func(t *team, external string) {
				state := types.BucketVersioningStatusSuspended
				if readVersioning(t, external) == string(state) {
					state = types.BucketVersioningStatusEnabled
				}
				t.must(t.server.PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{
					Bucket: &external, VersioningConfiguration: &types.VersioningConfiguration{Status: state},
				}))
			},
			read: readVersioning,
			// One that never had versioning has it suspended.
			isSet: "", isChanged: "Enabled", isRemoved: "Suspended",
		},
		"objectLock": {
			set: func(p *parameters, _ string) {
				p.Versioning = storagev1beta1.VersioningEnabled
				p.ObjectLock = &storagev1beta1.ObjectLock{DefaultRetention: &storagev1beta1.Retention{Mode: "Governance", Days: aws.Int32(1)}}
			},
			change: func(p *parameters, _ string) {
				p.ObjectLock.DefaultRetention = &storagev1beta1.Retention{Mode: "Compliance", Years: aws.Int32(2)}
			},
			// A lock cannot be taken off.
			remove:    func(p *parameters) { p.ObjectLock.DefaultRetention = nil },
			drift:     func(t *team, external string) { t.must(putLock(t, external, 5)) },
			read:      readLock,
			isSet:     "Enabled GOVERNANCE 1 days 0 years",
			isChanged: "Enabled COMPLIANCE 0 days 2 years",
			isRemoved: "Enabled",
		},
		"policy": {
			set: func(p *parameters, external string) {
				p.Policy = aws.String(`{"Version":"2012-10-17","Statement":{"Sid":"Public","Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::` + external + `/public/*"}}`)
			},
			change: func(p *parameters, _ string) {
				p.Policy = aws.String(strings.ReplaceAll(*p.Policy, "public/", "open/"))
			},
			remove: func(p *parameters) { p.Policy = nil },
			drift: func(t *team, external string) {
				t.must(t.server.PutBucketPolicy(t.Context(), &s3.PutBucketPolicyInput{Bucket: &external, Policy: aws.String(
					`{"Version":"2012-10-17","Statement":[{"Sid":"Theirs","Effect":"Allow","Principal":{"AWS":["*"]},"Action":["s3:PutObject"],"Resource":["arn:aws:s3:::` + external + `/theirs/*"]}]}`)}))
			},
			read:      readPolicy,
			isSet:     "Public /public/*",
			isChanged: "Public /open/*",
		},
		"lifecycleRules": {
			on: controlplane.MinIO,
			set: func(p *parameters, _ string) {
				p.LifecycleRules = []storagev1beta1.LifecycleRule{{ID: "old", Prefix: "logs/", ExpirationDays: aws.Int32(30)}}
			},
			change: func(p *parameters, _ string) {
				p.LifecycleRules[0].ExpirationDays = aws.Int32(60)
				p.LifecycleRules = append(p.LifecycleRules, storagev1beta1.LifecycleRule{ID: "versions", NoncurrentExpirationDays: aws.Int32(7)})
			},
			remove: func(p *parameters) { p.LifecycleRules = nil },
			drift: func(t *team, external string) {
				t.must(t.server.PutBucketLifecycleConfiguration(t.Context(), &s3.PutBucketLifecycleConfigurationInput{
					Bucket: &external, LifecycleConfiguration: &types.BucketLifecycleConfiguration{Rules: []types.LifecycleRule{{
						ID: aws.String("all"), Status: types.ExpirationStatusEnabled,
						Filter: &types.LifecycleRuleFilter{Prefix: aws.String("")}, Expiration: &types.LifecycleExpiration{Days: aws.Int32(1)},
					}}},
				}))
			},
			read:      readLifecycle,
			isSet:     "old 30",
			isChanged: "old 60, versions 0",
		},
		"corsRules": {
			on: controlplane.Versitygw,
			set: func(p *parameters, _ string) {
				p.CORSRules = []storagev1beta1.CORSRule{{AllowedOrigins: []string{"https://shop.example.com"}, AllowedMethods: []string{"GET", "PUT"}}}
			},
			change: func(p *parameters, _ string) { p.CORSRules[0].AllowedOrigins = []string{"https://new.example.com"} },
			remove: func(p *parameters) { p.CORSRules = nil },
			drift: func(t *team, external string) {
				t.must(t.server.PutBucketCors(t.Context(), &s3.PutBucketCorsInput{
					Bucket: &external, CORSConfiguration: &types.CORSConfiguration{CORSRules: []types.CORSRule{{AllowedOrigins: []string{"*"}, AllowedMethods: []string{"GET"}}}},
				}))
			},
			read:      readCORS,
			isSet:     "https://shop.example.com",
			isChanged: "https://new.example.com",
		},
		"encryption": {
			on:  controlplane.MinIO,
			set: func(p *parameters, _ string) { p.Encryption = &storagev1beta1.Encryption{Algorithm: "AES256"} },
			change: func(p *parameters, _ string) {
				*p.Encryption = storagev1beta1.Encryption{Algorithm: "aws:kms", KMSKeyID: "echo"}
			},
			remove: func(p *parameters) { p.Encryption = nil },
			drift: func(t *team, external string) {
				t.must(t.server.PutBucketEncryption(t.Context(), &s3.PutBucketEncryptionInput{
					Bucket: &external, ServerSideEncryptionConfiguration: &types.ServerSideEncryptionConfiguration{Rules: []types.ServerSideEncryptionRule{{
						ApplyServerSideEncryptionByDefault: &types.ServerSideEncryptionByDefault{SSEAlgorithm: types.ServerSideEncryptionAes256},
					}}},
				}))
			},
			read:      readEncryption,
			isSet:     "AES256 ",
			isChanged: "aws:kms echo",
		},
		"quota": {
			on:        controlplane.MinIO,
			set:       func(p *parameters, _ string) { p.Quota = new(resource.MustParse("1Gi")) },
			change:    func(p *parameters, _ string) { p.Quota = new(resource.MustParse("2Gi")) },
			remove:    func(p *parameters) { p.Quota = nil },
			drift:     func(t *team, external string) { t.must(nil, t.minio().SetQuota(t.Context(), external, 1<<20)) },
			read:      readQuota,
			isSet:     "1073741824",
			isChanged: "2147483648",
			isRemoved: "0",
		},
		"publicAccessBlock": {
			on: nowhere,
			set: func(p *parameters, _ string) {
				p.PublicAccessBlock = &storagev1beta1.PublicAccessBlock{BlockPublicACLs: true}
			},
			remove: func(p *parameters) { p.PublicAccessBlock = nil },
		},
	}
}

func addTag(tags map[string]storagev1beta1.TagValue, key, value string) map[string]storagev1beta1.TagValue {
	more := map[string]storagev1beta1.TagValue{key: storagev1beta1.TagValue(value)}
	maps.Copy(more, tags)

	return more
}

// must fails the test on an error of a call whose answer does not matter.
func (t *team) must(_ any, err error) {
	t.Helper()

	if err != nil {
		t.Fatal(err)
	}
}

// none tells whether an error says that there is no such sub-resource; any other ends
// the test.
func (t *team) none(err error, ofNone string) bool {
	t.Helper()

	if c := code(err); c != "" && c != ofNone {
		t.Fatal(err)
	}

	return err != nil
}
