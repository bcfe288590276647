package identity

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/identity"
	"my-operator.dev/echo/provider/s3"
)

// TestRights makes keys to two buckets, and tries with them all that they may and may not do.
func TestRights(t *testing.T) {
	for name, s := range servers {
		t.Run(name, func(t *testing.T) {
			of := s.provider(t)
			mine, theirs := fill(t, s, "mine"), fill(t, s, "theirs")
			a, b := owner(t, "a"), owner(t, "b")

			write := identity.Grant{Bucket: mine, Write: true}
			key := mustMake(t, of, a, write)
			other := mustMake(t, of, b, identity.Grant{Bucket: theirs})
			check(t, s, key, mine, "get a: ok, get p/a: ok, put a: ok, put p/a: ok, delete p/a: ok, list: ok, list p/: ok, head: ok, uploads: ok, settings: none")
			check(t, s, key, theirs, "get a: no, get p/a: no, put a: no, put p/a: no, delete p/a: no, list: no, list p/: no, head: no, uploads: no, settings: none")
			check(t, s, other, theirs, "get a: ok, get p/a: ok, put a: no, put p/a: no, delete p/a: no, list: ok, list p/: ok, head: ok, uploads: ok, settings: none")
			seen(t, of, a, write, 1, true)
			if len(s.leftovers(t)) == 0 {
				t.Fatal("the server keeps its users elsewhere than the test looks for them")
			}

			prefix := identity.Grant{Bucket: mine, Prefix: "p/", Write: true}
			seen(t, of, a, prefix, 1, false)
			done(t, of.Grant(t.Context(), a, prefix))
			seen(t, of, a, prefix, 1, true)
			check(t, s, key, mine, "get a: no, get p/a: ok, put a: no, put p/a: ok, delete p/a: ok, list: no, list p/: ok, head: no, uploads: no, settings: none")

			further := mustMake(t, of, a, prefix)
			seen(t, of, a, prefix, 2, true)
			for _, k := range []identity.Key{key, further} {
				check(t, s, k, mine, "get a: no, get p/a: ok, put a: no, put p/a: ok, delete p/a: ok, list: no, list p/: ok, head: no, uploads: no, settings: none")
			}
			if _, err := of.Make(t.Context(), a, prefix); !errors.Is(err, identity.ErrTooManyKeys) {
				t.Errorf("a third key: want ErrTooManyKeys, got %v", err)
			}
			done(t, of.Remove(t.Context(), a, prefix, other.AccessKeyID))
			done(t, of.Remove(t.Context(), a, prefix, key.AccessKeyID))
			dead(t, s, key, mine)
			seen(t, of, a, prefix, 1, true)
			check(t, s, further, mine, "get a: no, get p/a: ok, put a: no, put p/a: ok, delete p/a: ok, list: no, list p/: ok, head: no, uploads: no, settings: none")

			done(t, of.RemoveAll(t.Context(), a, prefix))
			dead(t, s, further, mine)
			gone(t, of, a, prefix)
			check(t, s, other, theirs, "get a: ok, get p/a: ok, put a: no, put p/a: no, delete p/a: no, list: ok, list p/: ok, head: ok, uploads: ok, settings: none")
			done(t, of.RemoveAll(t.Context(), b, identity.Grant{Bucket: theirs}))
			gone(t, of, b, identity.Grant{Bucket: theirs})
			if left := s.leftovers(t); len(left) > 0 {
				t.Errorf("the server still has %v", left)
			}
		})
	}
}

func owner(t *testing.T, name string) identity.Owner {
	t.Helper()
	return identity.Owner{Namespace: "team", Name: name, UID: t.Name()}
}

// fill makes a bucket with two objects.
func fill(t *testing.T, s server, name string) string {
	t.Helper()
	root, bucket := s.as(t, s.root), name+"-"+strings.ToLower(rand.Text()[:10])
	if _, err := root.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"a", "p/a"} {
		done(t, put(t.Context(), root, bucket, k))
	}
	return bucket
}

func mustMake(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant) identity.Key {
	t.Helper()
	key, err := of.Make(t.Context(), o, g)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// seen compares what is observed.
func seen(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant, keys int, exact bool) {
	t.Helper()
	got, err := of.Observe(t.Context(), o, g)
	done(t, err)
	if diff := cmp.Diff([]any{true, keys, exact}, []any{got.Exists, len(got.Keys), got.Exact}); diff != "" {
		t.Errorf("Observe(...): -want, +got existence, keys, exactness:\n%s", diff)
	}
}

func gone(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant) {
	t.Helper()
	got, err := of.Observe(t.Context(), o, g)
	done(t, err)
	if got.Exists || len(got.Keys) > 0 {
		t.Errorf("after removal there is %+v", got)
	}
}

func dead(t *testing.T, s server, k identity.Key, bucket string) {
	t.Helper()
	if err := get(t.Context(), s.as(t, keys(k)), bucket, "p/a"); !s3.Is(err, s3.BadCredentials) {
		t.Errorf("a removed key: want bad credentials, got %v", err)
	}
}

// check tries everything with a key.
func check(t *testing.T, s server, k identity.Key, bucket, want string) {
	t.Helper()
	c := s.as(t, keys(k))
	var got []string
	for _, attempt := range []struct {
		what string
		call func(ctx context.Context, c *s3.Client, bucket string) error
	}{
		{"get a", func(ctx context.Context, c *s3.Client, b string) error { return get(ctx, c, b, "a") }},
		{"get p/a", func(ctx context.Context, c *s3.Client, b string) error { return get(ctx, c, b, "p/a") }},
		{"put a", func(ctx context.Context, c *s3.Client, b string) error { return put(ctx, c, b, "a") }},
		{"put p/a", func(ctx context.Context, c *s3.Client, b string) error { return put(ctx, c, b, "p/a") }},
		{"delete p/a", func(ctx context.Context, c *s3.Client, b string) error {
			_, err := c.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &b, Key: aws.String("p/a")})
			// The others have something to get.
			return errors.Join(err, put(ctx, s.as(t, s.root), b, "p/a"))
		}},
		{"list", func(ctx context.Context, c *s3.Client, b string) error { return list(ctx, c, b, nil) }},
		{"list p/", func(ctx context.Context, c *s3.Client, b string) error { return list(ctx, c, b, aws.String("p/")) }},
		{"head", func(ctx context.Context, c *s3.Client, b string) error {
			_, err := c.HeadBucket(ctx, &awss3.HeadBucketInput{Bucket: &b})
			return err
		}},
		{"uploads", func(ctx context.Context, c *s3.Client, b string) error {
			_, err := c.ListMultipartUploads(ctx, &awss3.ListMultipartUploadsInput{Bucket: &b})
			return err
		}},
	} {
		outcome := "ok"
		if err := attempt.call(t.Context(), c, bucket); err != nil {
			outcome = "no"
			if !strings.Contains(err.Error(), "denied") && !s3.Is(err, s3.Denied) {
				outcome = err.Error()
			}
		}
		got = append(got, attempt.what+": "+outcome)
	}
	got = append(got, "settings: "+settings(t, c, bucket))
	if diff := cmp.Diff(strings.Split(want, ", "), got); diff != "" {
		t.Errorf("what a key may do: -want, +got:\n%s", diff)
	}
}

func get(ctx context.Context, c *s3.Client, bucket, key string) error {
	out, err := c.GetObject(ctx, &awss3.GetObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		return err
	}
	return out.Body.Close()
}

func put(ctx context.Context, c *s3.Client, bucket, key string) error {
	_, err := c.PutObject(ctx, &awss3.PutObjectInput{Bucket: &bucket, Key: &key, Body: strings.NewReader(key)})
	return err
}

func list(ctx context.Context, c *s3.Client, bucket string, prefix *string) error {
	_, err := c.ListObjectsV2(ctx, &awss3.ListObjectsV2Input{Bucket: &bucket, Prefix: prefix})
	return err
}

// settings returns the operations that a key can do on the bucket itself, or "none".
func settings(t *testing.T, c *s3.Client, bucket string) string {
	t.Helper()
	opened := aws.String(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::` + bucket + `/*"}]}`)
	calls := map[string]func(ctx context.Context) error{
		"GetBucketTagging": func(ctx context.Context) error {
			_, err := c.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: &bucket})
			return err
		},
		"GetBucketPolicy": func(ctx context.Context) error {
			_, err := c.GetBucketPolicy(ctx, &awss3.GetBucketPolicyInput{Bucket: &bucket})
			return err
		},
		"PutBucketPolicy": func(ctx context.Context) error {
			_, err := c.PutBucketPolicy(ctx, &awss3.PutBucketPolicyInput{Bucket: &bucket, Policy: opened})
			return err
		},
		"DeleteBucketPolicy": func(ctx context.Context) error {
			_, err := c.DeleteBucketPolicy(ctx, &awss3.DeleteBucketPolicyInput{Bucket: &bucket})
			return err
		},
		"DeleteBucket": func(ctx context.Context) error {
			_, err := c.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: &bucket})
			if s3.Is(err, s3.BucketNotEmpty) {
				return nil
			}
			return err
		},
		"CreateBucket": func(ctx context.Context) error {
			_, err := c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: aws.String(bucket + "-more")})
			return err
		},
	}
	var can []string
	for name, call := range calls {
		if call(t.Context()) == nil {
			can = append(can, name)
		}
	}
	if len(can) == 0 {
		return "none"
	}
	slices.Sort(can)
	return strings.Join(can, " ")
}
