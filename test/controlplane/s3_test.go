package controlplane_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/test/controlplane"
)

// TestS3 makes a bucket and an object on every server, stops and kills the
// server, and finds them again at the same address.
func TestS3(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	names := []string{controlplane.Versitygw, controlplane.VersitygwTLS, controlplane.MinIO, controlplane.MinIOTLS}
	cp, err := controlplane.StartS3(ctx, controlplane.Options{S3: names, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cp.Stop() })

	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			server, err := cp.S3(name)
			if err != nil {
				t.Fatal(err)
			}
			c := s3Client(t, server)
			putObject(ctx, t, c, server.Region)

			if err := cp.StopComponent(name); err != nil {
				t.Fatal(err)
			}
			if _, err := c.ListBuckets(ctx, &s3.ListBucketsInput{}); err == nil {
				t.Error("a server that is stopped answers")
			}
			if err := cp.StartComponent(ctx, name); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("content", getObject(ctx, t, c)); diff != "" {
				t.Errorf("after a stop: -want, +got:\n%s", diff)
			}

			if err := cp.Kill(name); err != nil {
				t.Fatal(err)
			}
			if err := cp.StartComponent(ctx, name); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("content", getObject(ctx, t, c)); diff != "" {
				t.Errorf("after a kill: -want, +got:\n%s", diff)
			}
		})
	}
}

// TestS3SideBySide runs the same servers twice. Neither takes the other's
// credentials, TLS is trusted by its own bundle alone, and nothing is left when
// they stop.
func TestS3SideBySide(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	options := controlplane.Options{S3: []string{controlplane.VersitygwTLS, controlplane.MinIO}}
	cps, servers := make([]*controlplane.ControlPlane, 2), make([]map[string]controlplane.S3Server, 2)
	for i := range cps {
		var err error
		if cps[i], err = controlplane.StartS3(ctx, options); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cps[i].Stop() })
		servers[i] = map[string]controlplane.S3Server{}
		for _, name := range options.S3 {
			if servers[i][name], err = cps[i].S3(name); err != nil {
				t.Fatal(err)
			}
		}
	}

	cases := map[string]struct {
		reason string
		server controlplane.S3Server
		change func(*controlplane.S3Server)
		want   string
	}{
		"OtherCredentials": {
			reason: "Credentials are made for one control plane.",
			server: servers[0][controlplane.MinIO],
			change: func(s *controlplane.S3Server) { s.AccessKey = servers[1][controlplane.MinIO].AccessKey },
			want:   "InvalidAccessKeyId",
		},
		"OtherAuthority": {
			reason: "So are authorities.",
			server: servers[0][controlplane.VersitygwTLS],
			change: func(s *controlplane.S3Server) { s.CABundle = servers[1][controlplane.VersitygwTLS].CABundle },
			want:   "certificate signed by unknown authority",
		},
		"OtherRegion": {
			reason: "Requests are signed for a region.",
			server: servers[0][controlplane.VersitygwTLS],
			change: func(s *controlplane.S3Server) { s.Region = "eu-west-1" },
			want:   "AuthorizationHeaderMalformed",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.change(&tc.server)
			_, err := s3Client(t, tc.server).ListBuckets(ctx, &s3.ListBucketsInput{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s\nListBuckets(...): want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}

	for i, cp := range cps {
		if err := cp.Stop(); err != nil {
			t.Errorf("control plane %d: Stop(): %v", i, err)
		}
		if _, err := os.Stat(cp.WorkDir()); err == nil {
			t.Errorf("control plane %d: %s still exists", i, cp.WorkDir())
		}
	}
}

func s3Client(t *testing.T, s controlplane.S3Server) *s3.Client {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.CABundle)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	t.Cleanup(transport.CloseIdleConnections)
	return s3.New(s3.Options{
		BaseEndpoint:               &s.Endpoint,
		Region:                     s.Region,
		UsePathStyle:               true,
		Credentials:                credentials.NewStaticCredentialsProvider(s.AccessKey, s.SecretKey, ""),
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		HTTPClient:                 &http.Client{Transport: transport},
		Retryer:                    aws.NopRetryer{},
	})
}

func putObject(ctx context.Context, t *testing.T, c *s3.Client, region string) {
	t.Helper()
	rq := &s3.CreateBucketInput{Bucket: aws.String("assets")}
	if region != "us-east-1" {
		rq.CreateBucketConfiguration = &types.CreateBucketConfiguration{LocationConstraint: types.BucketLocationConstraint(region)}
	}
	if _, err := c.CreateBucket(ctx, rq); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: rq.Bucket, Key: aws.String("key"), Body: bytes.NewReader([]byte("content"))}); err != nil {
		t.Fatal(err)
	}
}

func getObject(ctx context.Context, t *testing.T, c *s3.Client) string {
	t.Helper()
	rsp, err := c.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("assets"), Key: aws.String("key")})
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(rsp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
