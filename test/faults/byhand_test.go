package faults

import (
	"context"
	"crypto/rand"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// TestDeletedByHand deletes buckets behind the provider's back. They are made again,
// and what the keys to them open comes back.
func TestDeletedByHand(t *testing.T) {
	t.Parallel()

	const n = 10

	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			tm := newTeam(t, "byhand"+name, servers[name])
			keys := numbered("a", 0, n)
			tm.makeBuckets(tm.bucketsNamed(numbered("b", 0, n)))
			tm.makeAccesses(keys, "b")
			tm.settles(n, n)
			tm.keysWork(keys...)

			there, err := tm.server.buckets(t.Context(), tm.namespace)
			if err != nil {
				t.Fatal(err)
			}
			for bucket := range there {
				if _, err := tm.server.DeleteBucket(t.Context(), &awss3.DeleteBucketInput{Bucket: &bucket}); err != nil {
					t.Fatal(err)
				}
			}

			// What the status says is of before until the next poll: the server tells.
			tm.eventually("new buckets", func(ctx context.Context) string {
				again, err := tm.server.buckets(ctx, tm.namespace)
				if err != nil {
					return err.Error()
				}
				if len(again) < n {
					return "there are not all yet"
				}

				return ""
			})
			tm.settles(n, n)
			tm.keysWork(keys...)

			tm.removeAll()
			tm.settles(0, 0)
			t.Logf("%d Buckets and accesses: 0 lost, 0 leaked, 0 stuck", n)
		})
	}
}

// TestForeign gives a Bucket the name of a bucket that somebody else has, who may be of
// another account of the server. It is refused, and nothing of that bucket changes.
func TestForeign(t *testing.T) {
	t.Parallel()

	const (
		exists = `exists, and is neither this resource's nor offered to it for adoption`
		unseen = `the server does not allow this operation to the credentials in use`
	)

	cases := map[string]struct {
		reason string
		server string

		// other has the bucket be another account's than the config's.
		other bool

		// humble has the config's account be one that sees its own buckets only.
		humble bool

		words string
	}{
		"SameAccount":          {reason: "The same account may have it for another purpose.", server: controlplane.Versitygw, words: exists},
		"SameAccountMinIO":     {reason: "MinIO has no owners at all.", server: controlplane.MinIO, words: exists},
		"OtherAccount":         {reason: "An administrator can see it.", server: controlplane.Versitygw, other: true, words: exists},
		"OtherAccountUnseen":   {reason: "It cannot even be looked at.", server: controlplane.Versitygw, other: true, humble: true, words: unseen},
		"AdministratorsUnseen": {reason: "Nor can the administrator's.", server: controlplane.Versitygw, humble: true, words: unseen},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			s := servers[tc.server]
			tm := newTeam(t, "foreign"+strings.ToLower(name), s)
			owner := s.Client
			if tc.other {
				id, secret := tm.account()
				owner = newS3(s.Endpoint, s.Region, id, secret)
			}
			if tc.humble {
				tm.write(tm.secret(tm.account()))
			}

			theirs := "theirs-" + strings.ToLower(name)
			owned(tm, owner, theirs)

			b := tm.bucket(proxied, "b")
			meta.SetExternalName(b, theirs)
			b.Spec.ForProvider.ForceDestroy = true
			b.Spec.ForProvider.Adopt = true
			tm.make(b)
			tm.allSay(tc.words)

			if err := root.Get(t.Context(), client.ObjectKeyFromObject(b), b); err != nil {
				t.Fatal(err)
			}
			differ(tm, "status.atProvider", v1beta1.BucketObservation{}, b.Status.AtProvider)

			tm.removeAll()
			tm.settles(0, 0)
			untouched(tm, owner, theirs)
			for operation := range tm.proxy.Calls() {
				if strings.HasPrefix(operation, "PUT bucket?") || strings.HasPrefix(operation, "DELETE") {
					t.Errorf("%s\nthe server was asked to %s", tc.reason, operation)
				}
			}
		})
	}
}

// account makes an account of versitygw that may make buckets, and returns its keys.
func (t *team) account() (id, secret string) {
	t.Helper()

	id, secret = "acc"+rand.Text()[:12], rand.Text()
	err := t.server.versitygw(t.Context(), "create-user", nil, struct {
		XMLName              xml.Name `xml:"Account"`
		Access, Secret, Role string
	}{Access: id, Secret: secret, Role: "userplus"})
	if err != nil {
		t.Fatal(err)
	}

	return id, secret
}

// theirTags are those of a bucket that somebody else has.
var theirTags = map[string]string{"cost": "12"}

// owned makes a bucket with an object and tags.
func owned(t *team, c *awss3.Client, bucket string) {
	t.Helper()

	if _, err := c.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutObject(t.Context(), &awss3.PutObjectInput{Bucket: &bucket, Key: aws.String("kept"), Body: strings.NewReader("x")}); err != nil {
		t.Fatal(err)
	}
	tags := &types.Tagging{}
	for k, v := range theirTags {
		tags.TagSet = append(tags.TagSet, types.Tag{Key: aws.String(k), Value: aws.String(v)})
	}
	if _, err := c.PutBucketTagging(t.Context(), &awss3.PutBucketTaggingInput{Bucket: &bucket, Tagging: tags}); err != nil {
		t.Fatal(err)
	}
}

// untouched compares a bucket with what owned made.
func untouched(t *team, c *awss3.Client, bucket string) {
	t.Helper()

	tags, err := server{Client: c}.tags(t.Context(), bucket)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, "their tags", theirTags, tags)

	if _, err := c.HeadObject(t.Context(), &awss3.HeadObjectInput{Bucket: &bucket, Key: aws.String("kept")}); err != nil {
		t.Errorf("their object: %v", err)
	}
	if _, err := c.GetBucketPolicy(t.Context(), &awss3.GetBucketPolicyInput{Bucket: &bucket}); code(err) != "NoSuchBucketPolicy" {
		t.Errorf("their policy: want none, got %v", err)
	}
}
