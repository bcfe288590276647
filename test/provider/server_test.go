package provider

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// A server is an S3 server that runs, and its administrator.
type server struct {
	controlplane.S3Server
	admin

	// calls itself is what the server's answers name.
	callsItself string
}

// servers are those under test, by name. Every test runs on each, unless it says why
// not.
var servers = map[string]server{}

// tlsServer is a further one, whose certificate has to be trusted.
var tlsServer server

func startServers(ctx context.Context) error {
	for name, callsItself := range map[string]string{
		controlplane.Versitygw:    "VERSITYGW",
		controlplane.MinIO:        "MinIO",
		controlplane.VersitygwTLS: "VERSITYGW",
	} {
		s, err := cp.S3(name)
		if err != nil {
			return err
		}

		remember(s.SecretKey)

		it := server{S3Server: s, admin: admin{newS3(s, s.AccessKey, s.SecretKey)}, callsItself: callsItself}
		if len(s.CABundle) > 0 {
			tlsServer = it
		} else {
			servers[name] = it
		}

		secret := newSecret(controlplane.Namespace, name, s.AccessKey, s.SecretKey)
		if err := root.Create(ctx, secret); err != nil {
			return errors.Wrap(err, "cannot make the Secret of the administrator")
		}
	}

	return nil
}

// newSecret returns credentials as configs name them.
func newSecret(namespace, name, accessKey, secretKey string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		StringData: map[string]string{"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey},
	}
}

// connection is how a config names the server.
func (s server) connection() providerv1beta1.Connection {
	return providerv1beta1.Connection{
		Endpoint:    s.Endpoint,
		Region:      s.Region,
		IdentityAPI: providerv1beta1.IdentityAPI(s.Identity),
		CABundle:    string(s.CABundle),
	}
}

// newS3 returns a client of a server with some keys. It tries each call once.
func newS3(s controlplane.S3Server, accessKey, secretKey string) *s3.Client {
	o := s3.Options{
		BaseEndpoint:               aws.String(s.Endpoint),
		Region:                     s.Region,
		UsePathStyle:               true,
		Credentials:                credentials.NewStaticCredentialsProvider(accessKey, secretKey, ""),
		Retryer:                    aws.NopRetryer{},
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	}

	if len(s.CABundle) > 0 {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(s.CABundle)
		o.HTTPClient = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	}

	return s3.New(o)
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

// An admin acts on a server as its administrator, behind the provider's back.
type admin struct{ *s3.Client }

func (a admin) create(t testing.TB, bucket string, tags map[string]string) {
	t.Helper()

	if _, err := a.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	if tags != nil {
		a.tag(t, bucket, tags)
	}
}

func (a admin) delete(t testing.TB, bucket string) {
	t.Helper()

	if _, err := a.DeleteBucket(t.Context(), &s3.DeleteBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
}

// exists tells whether there is a bucket.
func (a admin) exists(t testing.TB, bucket string) bool {
	t.Helper()

	_, err := a.HeadBucket(t.Context(), &s3.HeadBucketInput{Bucket: &bucket})
	if c := code(err); c != "" && c != "NotFound" {
		t.Fatal(err)
	}

	return err == nil
}

func (a admin) tag(t testing.TB, bucket string, tags map[string]string) {
	t.Helper()

	set := []types.Tag{}
	for k, v := range tags {
		set = append(set, types.Tag{Key: aws.String(k), Value: aws.String(v)})
	}

	if _, err := a.PutBucketTagging(t.Context(), &s3.PutBucketTaggingInput{Bucket: &bucket, Tagging: &types.Tagging{TagSet: set}}); err != nil {
		t.Fatal(err)
	}
}

// tags of a bucket; nil if it has none, or is not there.
func (a admin) tags(t testing.TB, bucket string) map[string]string {
	t.Helper()

	out, err := a.GetBucketTagging(t.Context(), &s3.GetBucketTaggingInput{Bucket: &bucket})
	if c := code(err); c == "NoSuchTagSet" || c == "NoSuchBucket" {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}

	tags := map[string]string{}
	for _, tag := range out.TagSet {
		tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}

	return tags
}

func (a admin) put(t testing.TB, bucket, key string) {
	t.Helper()

	if err := put(t.Context(), a.Client, bucket, key, "content"); err != nil {
		t.Fatal(err)
	}
}

// put writes an object with the keys of a client.
func put(ctx context.Context, c *s3.Client, bucket, key, content string) error {
	_, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: bytes.NewReader([]byte(content))})
	return err
}

// get reads an object with the keys of a client.
func get(ctx context.Context, c *s3.Client, bucket, key string) (string, error) {
	out, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		return "", err
	}
	defer out.Body.Close()

	content, err := io.ReadAll(out.Body)

	return string(content), err
}
