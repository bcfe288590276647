package provider

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/google/go-cmp/cmp"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// An attempt is something that keys are used for.
type attempt func(t *team, c *s3.Client, external string) error

func reads(key string) attempt {
	return func(t *team, c *s3.Client, external string) error {
		_, err := get(t.Context(), c, external, key)
		return err
	}
}

func writes(key string) attempt {
	return func(t *team, c *s3.Client, external string) error { return put(t.Context(), c, external, key, "mine") }
}

func deletes(key string) attempt {
	return func(t *team, c *s3.Client, external string) error {
		_, err := c.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: &external, Key: &key})
		return err
	}
}

func lists(prefix string) attempt {
	return func(t *team, c *s3.Client, external string) error {
		_, err := c.ListObjectsV2(t.Context(), &s3.ListObjectsV2Input{Bucket: &external, Prefix: aws.String(prefix)})
		return err
	}
}

// onTheBucket is what no keys of ours may ever do.
var onTheBucket = map[string]attempt{
	"read its tags": func(t *team, c *s3.Client, external string) error {
		_, err := c.GetBucketTagging(t.Context(), &s3.GetBucketTaggingInput{Bucket: &external})
		return err
	},
	"tag it": func(t *team, c *s3.Client, external string) error {
		_, err := c.PutBucketTagging(t.Context(), &s3.PutBucketTaggingInput{Bucket: &external, Tagging: &types.Tagging{TagSet: []types.Tag{{Key: aws.String(tagOwnerUID), Value: aws.String("x")}}}})
		return err
	},
	"read its policy": func(t *team, c *s3.Client, external string) error {
		_, err := c.GetBucketPolicy(t.Context(), &s3.GetBucketPolicyInput{Bucket: &external})
		return err
	},
	"write its policy": func(t *team, c *s3.Client, external string) error {
		_, err := c.PutBucketPolicy(t.Context(), &s3.PutBucketPolicyInput{Bucket: &external, Policy: aws.String(
			`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::` + external + `/*"}]}`)})
		return err
	},
	"suspend its versioning": func(t *team, c *s3.Client, external string) error {
		_, err := c.PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{
			Bucket: &external, VersioningConfiguration: &types.VersioningConfiguration{Status: types.BucketVersioningStatusSuspended},
		})
		return err
	},
	"delete it": func(t *team, c *s3.Client, external string) error {
		_, err := c.DeleteBucket(t.Context(), &s3.DeleteBucketInput{Bucket: &external})
		return err
	},
	"make another": func(t *team, c *s3.Client, external string) error {
		_, err := c.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(external + "-2")})
		return err
	},
}

// TestAccessRights tries what keys open.
func TestAccessRights(t *testing.T) {
	ok := ""
	cases := map[string]struct {
		reason string
		grant  grant
		// want is the code of each attempt's answer.
		want map[string]string
	}{
		"ReadWrite": {
			reason: "All objects can be read, written, listed and deleted.",
			want: map[string]string{
				"read in/": ok, "write in/": ok, "list in/": ok, "delete in/": ok,
				"read out/": ok, "write out/": ok, "list all": ok,
			},
		},
		"ReadOnly": {
			reason: "All objects can be read and listed, and none written.",
			grant:  grant{Access: storagev1beta1.AccessReadOnly},
			want: map[string]string{
				"read in/": ok, "write in/": denied, "list in/": ok, "delete in/": denied,
				"read out/": ok, "write out/": denied, "list all": ok,
			},
		},
		"Prefix": {
			reason: "Nothing outside the prefix can be read, written or listed.",
			grant:  grant{Prefix: "in/"},
			want: map[string]string{
				"read in/": ok, "write in/": ok, "list in/": ok, "delete in/": ok,
				"read out/": denied, "write out/": denied, "list all": denied,
			},
		},
		"ReadOnlyPrefix": {
			reason: "Both bounds hold together.",
			grant:  grant{Access: storagev1beta1.AccessReadOnly, Prefix: "in/"},
			want: map[string]string{
				"read in/": ok, "write in/": denied, "list in/": ok, "delete in/": denied,
				"read out/": denied, "write out/": denied, "list all": denied,
			},
		},
	}
	attempts := []struct {
		name string
		try  attempt
	}{
		{"read in/", reads("in/it")},
		{"write in/", writes("in/new")},
		{"list in/", lists("in/")},
		{"delete in/", deletes("in/gone")},
		{"read out/", reads("out/it")},
		{"write out/", writes("out/new")},
		{"list all", lists("")},
	}

	forEach(t, func(t *team) {
		neighbour := newTeam(t.T, t.server, "-neighbour")
		theirs := neighbour.bucket("assets", parameters{})
		neighbour.ready(theirs)
		t.server.put(t, meta.GetExternalName(theirs), "in/it")

		for name, tc := range cases {
			t.sub(name, func(t *team) {
				b := t.bucket("b-"+unfitted(name), parameters{})
				a := t.access("a-"+unfitted(name), b.GetName(), tc.grant)
				t.ready(a)
				t.read(b)
				external := meta.GetExternalName(b)
				for _, key := range []string{"in/it", "in/gone", "out/it"} {
					t.server.put(t, external, key)
				}
				c, _ := t.keys(a)

				got := map[string]string{}
				for _, at := range attempts {
					got[at.name] = code(at.try(t, c, external))
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
				}

				for _, at := range attempts {
					if got := code(at.try(t, c, meta.GetExternalName(theirs))); got != denied {
						t.Errorf("%s of the neighbour's: want %s, got %q", at.name, denied, got)
					}
				}
				for name, try := range onTheBucket {
					if got := code(try(t, c, external)); got != denied {
						t.Errorf("%s: want %s, got %q", name, denied, got)
					}
				}
			})
		}
	})
}
