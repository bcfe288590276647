package faults

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"golang.org/x/sync/errgroup"

	"my-operator.dev/echo/provider/s3"
	"my-operator.dev/echo/provider/versitygw"
	"my-operator.dev/echo/test/controlplane"
)

// tagOwnerUID marks a bucket as that of the resource with this UID.
const tagOwnerUID = "my-operator.dev/owner-uid"

// A server is an S3 server that runs, and its administrator.
type server struct {
	controlplane.S3Server
	*awss3.Client

	// admin speaks to the server's administration API.
	admin *s3.Client
}

// names of the servers, and the servers by their names.
var (
	names   = []string{controlplane.Versitygw, controlplane.MinIO}
	servers = map[string]server{}
)

func startServers(ctx context.Context) error {
	clients, err := s3.NewClients(s3.Options{})
	if err != nil {
		return err
	}

	for _, name := range names {
		s, err := cp.S3(name)
		if err != nil {
			return err
		}

		admin, err := clients.For(ctx, s3.Connection{
			Endpoint: s.Endpoint, Region: s.Region, PathStyle: true,
			Credentials: s3.Credentials{AccessKeyID: s.AccessKey, SecretAccessKey: s.SecretKey},
		})
		if err != nil {
			return err
		}

		servers[name] = server{S3Server: s, Client: newS3(s.Endpoint, s.Region, s.AccessKey, s.SecretKey), admin: admin}
	}

	return nil
}

// newS3 returns a client with some keys. It tries each call once.
func newS3(endpoint, region, accessKey, secretKey string) *awss3.Client {
	return awss3.New(awss3.Options{
		BaseEndpoint:               aws.String(endpoint),
		Region:                     region,
		UsePathStyle:               true,
		Credentials:                credentials.NewStaticCredentialsProvider(accessKey, secretKey, ""),
		Retryer:                    aws.NopRetryer{},
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	})
}

// code is that of an error of S3's; "" of none.
func code(err error) string {
	var api smithy.APIError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &api):
		return api.ErrorCode()
	default:
		return err.Error()
	}
}

// tags of a bucket; none if it is not there.
func (s server) tags(ctx context.Context, bucket string) (map[string]string, error) {
	out, err := s.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: &bucket})
	if c := code(err); c == "NoSuchTagSet" || c == "NoSuchBucket" {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}

	tags := map[string]string{}
	for _, tag := range out.TagSet {
		tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}

	return tags, nil
}

// buckets returns the tags of all buckets of a namespace, whose names begin with it.
func (s server) buckets(ctx context.Context, namespace string) (map[string]map[string]string, error) {
	out, err := s.ListBuckets(ctx, &awss3.ListBucketsInput{})
	if err != nil {
		return nil, err
	}

	var mu sync.Mutex
	found := map[string]map[string]string{}

	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, b := range out.Buckets {
		name := aws.ToString(b.Name)
		if !strings.HasPrefix(name, namespace+"-") {
			continue
		}
		g.Go(func() error {
			tags, err := s.tags(ctx, name)

			mu.Lock()
			defer mu.Unlock()
			found[name] = tags

			return err
		})
	}

	return found, g.Wait()
}

// users returns the access keys of all users of the server.
func (s server) users(ctx context.Context) ([]string, error) {
	if s.Name == controlplane.MinIO {
		// It encrypts the list by a format that takes MinIO's own client to read.
		users, _, err := s.minioFiles()
		return users, err
	}

	list, err := versitygw.NewUsers(s.admin).HavingNow(ctx, "")
	if err != nil {
		return nil, err
	}

	keys := []string{}
	for _, u := range list {
		if u.AccessKeyID != s.AccessKey {
			keys = append(keys, u.AccessKeyID)
		}
	}

	return keys, nil
}

// minioFiles returns the users that MinIO has written to its disk, and the policies and
// groups.
func (s server) minioFiles() (users, others []string, err error) {
	found := map[string]map[string]bool{"users": {}, "policies": {}, "groups": {}}
	root := cp.WorkDir()

	for what, of := range found {
		paths, err := filepath.Glob(filepath.Join(root, "*", controlplane.MinIO, "data", ".minio.sys", "config", "iam", what, "*", "*"))
		if err != nil {
			return nil, nil, err
		}
		for _, path := range paths {
			if _, err := os.Stat(path); err == nil {
				of[filepath.Base(filepath.Dir(path))] = true
			}
		}
	}

	for _, what := range []string{"policies", "groups"} {
		for _, name := range slices.Sorted(maps.Keys(found[what])) {
			others = append(others, what+" "+name)
		}
	}

	return slices.Sorted(maps.Keys(found["users"])), others, nil
}

// roundTrip writes an object, reads it and deletes it.
func roundTrip(ctx context.Context, c *awss3.Client, bucket string) error {
	object := aws.String("round-trip")

	if _, err := c.PutObject(ctx, &awss3.PutObjectInput{Bucket: &bucket, Key: object, Body: strings.NewReader("x")}); err != nil {
		return err
	}
	out, err := c.GetObject(ctx, &awss3.GetObjectInput{Bucket: &bucket, Key: object})
	if err != nil {
		return err
	}
	if err := out.Body.Close(); err != nil {
		return err
	}
	_, err = c.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &bucket, Key: object})

	return err
}
