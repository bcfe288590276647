package bucket

import (
	"net/url"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

// arnOf is the ARN of a bucket: "arn:aws:s3:::team-a-assets-4jv2k7qpxd". The regions
// of China and of the US government are partitions of their own.
func arnOf(region, bucket string) string {
	partition := "aws"
	switch {
	case strings.HasPrefix(region, "cn-"):
		partition = "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		partition = "aws-us-gov"
	}

	return "arn:" + partition + ":s3:::" + bucket
}

// bucketOf is the bucket that an ARN is of.
func bucketOf(arn string) string {
	return arn[strings.LastIndex(arn, ":")+1:]
}

// claimed tells whether the status says that a bucket of this name is being made on
// this server. It is written before a bucket is whose name was given, and a tenant
// cannot write it; but a tenant can have a server of their own, and change over.
func claimed(b *v1beta1.Bucket, endpoint, name string) bool {
	at := b.Status.AtProvider

	return bucketOf(at.ARN) == name && at.Endpoint == endpoint && b.GetCondition(xpv2.TypeReady).Reason == xpv2.ReasonCreating
}

// urlOf is the URL of a bucket: its name is in the path, or before the host.
func urlOf(endpoint string, pathStyle bool, bucket string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	if pathStyle {
		return u.JoinPath(bucket).String()
	}
	u.Host = bucket + "." + u.Host

	return u.String()
}

// regionOf is the region that a bucket is made in, and the connection to it. AWS is
// spoken to in each bucket's own region; any other server has but one, which requests
// are signed for whatever a bucket asks for.
func regionOf(conn s3.Connection, fallback string, asked *string) (string, s3.Connection) {
	if asked == nil {
		return fallback, conn
	}
	if conn.Endpoint == "" {
		conn.Region = *asked
	}

	return *asked, conn
}

// defaultRegion is the one that is never named when a bucket is made: AWS and others
// refuse it.
const defaultRegion = "us-east-1"

// constraintOf is the region to name when a bucket is made: none where the server
// knows itself, or would refuse it.
func constraintOf(conn s3.Connection, region string, asked *string) string {
	if region == defaultRegion || conn.Endpoint != "" && asked == nil {
		return ""
	}

	return region
}
