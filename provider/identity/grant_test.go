package identity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/policy"
)

func TestStatements(t *testing.T) {
	cases := map[string]struct {
		reason    string
		grant     Grant
		partition string
		keys      []string
		want      string
	}{
		"Read": {
			reason: "Of an identity, one statement, without principal.", grant: Grant{Bucket: "b"}, partition: "aws",
			want: `{"Version":"2012-10-17","Statement":[{"Action":["s3:GetObject","s3:GetObjectVersion","s3:GetObjectTagging","s3:GetBucketLocation","s3:ListBucket","s3:ListBucketVersions","s3:ListBucketMultipartUploads"],"Effect":"Allow","Resource":["arn:aws:s3:::b","arn:aws:s3:::b/*"],"Sid":"S"}]}`,
		},
		"WritePrefix": {
			reason: "Of a bucket, with the keys, and with listing on a condition.", grant: Grant{Bucket: "b", Prefix: "p/", Write: true}, partition: "aws-cn", keys: []string{"K"},
			want: `{"Version":"2012-10-17","Statement":[` +
				`{"Action":["s3:GetObject","s3:GetObjectVersion","s3:GetObjectTagging","s3:GetBucketLocation","s3:PutObject","s3:PutObjectTagging","s3:DeleteObject","s3:AbortMultipartUpload","s3:ListMultipartUploadParts"],"Effect":"Allow","Principal":{"AWS":["K"]},"Resource":["arn:aws-cn:s3:::b","arn:aws-cn:s3:::b/p/*"],"Sid":"S"},` +
				`{"Action":["s3:ListBucket","s3:ListBucketVersions"],"Condition":{"StringLike":{"s3:prefix":["p/*"]}},"Effect":"Allow","Principal":{"AWS":["K"]},"Resource":["arn:aws-cn:s3:::b"],"Sid":"SL"}]}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := policy.Document{}.With(tc.grant.statements("S", tc.partition, tc.keys)...).Marshal()
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("\n%s\nstatements(...): -want, +got:\n%s", tc.reason, diff)
			}

			for _, never := range []string{"s3:*", "Policy", "DeleteBucket", "DeleteObjectVersion", "Bypass", "PutBucket", "BucketTagging", "Acl"} {
				if strings.Contains(string(got), never) {
					t.Errorf("\n%s\nstatements(...): grants %s", tc.reason, never)
				}
			}
		})
	}
}

func TestCheck(t *testing.T) {
	cases := map[string]struct {
		reason string
		grant  Grant
		want   string
	}{
		"Plain":     {reason: "A folder.", grant: Grant{Bucket: "b", Prefix: "uploads/2024/"}},
		"NoSlash":   {reason: "The beginning of a name, and spaces and other scripts.", grant: Grant{Bucket: "b", Prefix: "Büro 1/a.b"}},
		"NoBucket":  {reason: "Without a bucket the policy would be of all buckets' objects.", grant: Grant{}, want: "the access has no valid bucket name"},
		"AnyBucket": {reason: "A pattern is no name.", grant: Grant{Bucket: "*"}, want: "the access has no valid bucket name"},
		"Path":      {reason: "Nor is a path.", grant: Grant{Bucket: "a/b"}, want: "the access has no valid bucket name"},
		"Pattern":   {reason: "A pattern reaches into others' prefixes.", grant: Grant{Bucket: "b", Prefix: "a?/"}, want: `the prefix has one of * ? $ " \ or a control character`},
		"Variable":  {reason: "So does a variable.", grant: Grant{Bucket: "b", Prefix: "${aws:username}/"}, want: `the prefix has one of * ? $ " \ or a control character`},
		"Control":   {reason: "Nobody can read it.", grant: Grant{Bucket: "b", Prefix: "a\n"}, want: `the prefix has one of * ? $ " \ or a control character`},
		"Parent":    {reason: "Objects may be files.", grant: Grant{Bucket: "b", Prefix: "a/../"}, want: `the prefix has a part that is "." or ".."`},
		"Here":      {reason: "Objects may be files.", grant: Grant{Bucket: "b", Prefix: "./a"}, want: `the prefix has a part that is "." or ".."`},
		"Root":      {reason: "Servers take the slash away.", grant: Grant{Bucket: "b", Prefix: "/a"}, want: "the prefix begins with a slash, or has two in a row"},
		"Slashes":   {reason: "Servers make one of two.", grant: Grant{Bucket: "b", Prefix: "a//b"}, want: "the prefix begins with a slash, or has two in a row"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got string
			if err := tc.grant.check(); err != nil {
				got = err.Error()
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\ncheck(): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
