package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

func short(tags map[string]string) string {
	words := []string{}
	for _, k := range slices.Sorted(maps.Keys(tags)) {
		words = append(words, k+"="+tags[k])
	}

	return strings.Join(words, " ")
}

func readVersioning(t *team, external string) string {
	out, err := t.server.GetBucketVersioning(t.Context(), &s3.GetBucketVersioningInput{Bucket: &external})
	t.must(out, err)

	return string(out.Status)
}

func putLock(t *team, external string, days int32) (any, error) {
	return t.server.PutObjectLockConfiguration(t.Context(), &s3.PutObjectLockConfigurationInput{
		Bucket: &external, ObjectLockConfiguration: &types.ObjectLockConfiguration{
			ObjectLockEnabled: types.ObjectLockEnabledEnabled,
			Rule:              &types.ObjectLockRule{DefaultRetention: &types.DefaultRetention{Mode: types.ObjectLockRetentionModeGovernance, Days: &days}},
		},
	})
}

func readLock(t *team, external string) string {
	out, err := t.server.GetObjectLockConfiguration(t.Context(), &s3.GetObjectLockConfigurationInput{Bucket: &external})
	t.must(out, err)

	lock := out.ObjectLockConfiguration
	if lock.Rule == nil || lock.Rule.DefaultRetention == nil {
		return string(lock.ObjectLockEnabled)
	}
	r := lock.Rule.DefaultRetention

	return fmt.Sprintf("%s %s %d days %d years", lock.ObjectLockEnabled, r.Mode, aws.ToInt32(r.Days), aws.ToInt32(r.Years))
}

// readPolicy names the statements and what is in the bucket that they are about.
func readPolicy(t *team, external string) string {
	out, err := t.server.GetBucketPolicy(t.Context(), &s3.GetBucketPolicyInput{Bucket: &external})
	if t.none(err, "NoSuchBucketPolicy") {
		return ""
	}

	var d struct{ Statement []map[string]any }
	t.must(nil, json.Unmarshal([]byte(aws.ToString(out.Policy)), &d))

	words := []string{}
	for _, s := range d.Statement {
		about := strings.Trim(fmt.Sprint(s["Resource"]), "[]")
		words = append(words, fmt.Sprintf("%s %s", s["Sid"], strings.ReplaceAll(about, "arn:aws:s3:::"+external, "")))
	}

	return strings.Join(words, ", ")
}

func readLifecycle(t *team, external string) string {
	out, err := t.server.GetBucketLifecycleConfiguration(t.Context(), &s3.GetBucketLifecycleConfigurationInput{Bucket: &external})
	if t.none(err, "NoSuchLifecycleConfiguration") {
		return ""
	}

	words := []string{}
	for _, r := range out.Rules {
		days := int32(0)
		if r.Expiration != nil {
			days = aws.ToInt32(r.Expiration.Days)
		}
		words = append(words, fmt.Sprintf("%s %d", aws.ToString(r.ID), days))
	}
	slices.Sort(words)

	return strings.Join(words, ", ")
}

func readCORS(t *team, external string) string {
	out, err := t.server.GetBucketCors(t.Context(), &s3.GetBucketCorsInput{Bucket: &external})
	if t.none(err, "NoSuchCORSConfiguration") {
		return ""
	}

	words := []string{}
	for _, r := range out.CORSRules {
		words = append(words, r.AllowedOrigins...)
	}

	return strings.Join(words, ", ")
}

func readEncryption(t *team, external string) string {
	out, err := t.server.GetBucketEncryption(t.Context(), &s3.GetBucketEncryptionInput{Bucket: &external})
	if t.none(err, "ServerSideEncryptionConfigurationNotFoundError") {
		return ""
	}
	by := out.ServerSideEncryptionConfiguration.Rules[0].ApplyServerSideEncryptionByDefault

	return string(by.SSEAlgorithm) + " " + aws.ToString(by.KMSMasterKeyID)
}

func readQuota(t *team, external string) string {
	size, err := t.minio().Quota(t.Context(), external)
	t.must(size, err)

	return strconv.FormatInt(size, 10)
}
