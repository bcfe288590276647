package bucket

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/s3"
)

func TestContents(t *testing.T) {
	cases := map[string]struct {
		reason   string
		contents contents
		want     string
	}{
		"One":     {reason: "One is singular.", contents: contents{objects: 1}, want: "1 object"},
		"All":     {reason: "Everything that is there is named.", contents: contents{objects: 2, versions: 1, markers: 3}, want: "2 objects, 1 earlier version and 3 delete markers"},
		"More":    {reason: "What was not counted is said.", contents: contents{versions: 100, more: true}, want: "at least 100 earlier versions"},
		"Nothing": {reason: "The server says that it is not empty, and lists nothing.", want: "something that it does not list"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.contents.String()); diff != "" {
				t.Errorf("%s\nString(): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnsupportedWords(t *testing.T) {
	cases := map[string]struct {
		reason       string
		server       string
		lacks, loses []string
		want         string
	}{
		"None":    {reason: "All is well."},
		"Lacks":   {reason: "The server is named.", server: "VERSITYGW", lacks: []string{"encryption", "lifecycleRules", "quota"}, want: "VERSITYGW does not have encryption, lifecycleRules and quota: no effect"},
		"Unnamed": {reason: "A server need not have a name.", lacks: []string{"quota"}, want: "the server does not have quota: no effect"},
		"Both":    {reason: "What is lost is another thing.", server: "MinIO", lacks: []string{"corsRules"}, loses: []string{"lifecycleRules"}, want: "MinIO does not have corsRules: no effect; MinIO does not keep lifecycleRules as declared, or somebody else changes it"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, unsupportedWords(tc.server, tc.lacks, tc.loses)); diff != "" {
				t.Errorf("%s\nunsupportedWords(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestAddress(t *testing.T) {
	type address struct{ ARN, URL, Region, Signed, Constraint string }
	cases := map[string]struct {
		reason string
		conn   s3.Connection
		asked  *string
		want   address
	}{
		"Own": {
			reason: "A server of one's own knows its region.",
			conn:   s3.Connection{Endpoint: "https://s3.example.com:9000", Region: "eu-1", PathStyle: true},
			want:   address{ARN: "arn:aws:s3:::b", URL: "https://s3.example.com:9000/b", Region: "eu-1", Signed: "eu-1"},
		},
		"OwnAsked": {
			reason: "Asked for another region it is told of it, by requests signed for its own.",
			conn:   s3.Connection{Endpoint: "https://s3.example.com", Region: "eu-1"},
			asked:  new("eu-2"),
			want:   address{ARN: "arn:aws:s3:::b", URL: "https://b.s3.example.com", Region: "eu-2", Signed: "eu-1", Constraint: "eu-2"},
		},
		"AWS": {
			reason: "AWS is told of every region.",
			conn:   s3.Connection{Region: "eu-west-1"},
			want:   address{ARN: "arn:aws:s3:::b", URL: "https://b.s3.example.com", Region: "eu-west-1", Signed: "eu-west-1", Constraint: "eu-west-1"},
		},
		"AWSFirst": {
			reason: "But of its first, which it refuses.",
			conn:   s3.Connection{Region: "eu-west-1"},
			asked:  new("us-east-1"),
			want:   address{ARN: "arn:aws:s3:::b", URL: "https://b.s3.example.com", Region: "us-east-1", Signed: "us-east-1"},
		},
		"China": {
			reason: "China is a partition of its own.",
			conn:   s3.Connection{Region: "eu-west-1"},
			asked:  new("cn-north-1"),
			want:   address{ARN: "arn:aws-cn:s3:::b", URL: "https://b.s3.example.com", Region: "cn-north-1", Signed: "cn-north-1", Constraint: "cn-north-1"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			region, conn := regionOf(tc.conn, tc.conn.Region, tc.asked)
			endpoint := conn.Endpoint
			if endpoint == "" {
				endpoint = "https://s3.example.com"
			}
			got := address{
				ARN: arnOf(region, "b"), URL: urlOf(endpoint, conn.PathStyle, "b"),
				Region: region, Signed: conn.Region, Constraint: constraintOf(conn, region, tc.asked),
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff("b", bucketOf(got.ARN)); diff != "" {
				t.Errorf("%s\nbucketOf(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
