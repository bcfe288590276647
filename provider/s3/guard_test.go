package s3

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"
)

func TestNothingIsRemovedUnread(t *testing.T) {
	cases := map[string]struct {
		reason string
		status int
		body   string
		read   bool
		want   Class
	}{
		"Unread":       {"Nobody knows what the server would do.", 200, "", false, Unsupported},
		"NotSupported": {"MinIO would delete the bucket.", 501, "", true, Unsupported},
		"Denied":       {"That proves nothing.", 403, "", true, Unsupported},
		"Plain404":     {"Nor does this.", 404, "", true, Unsupported},
		"Absent":       {"The server knows what it is.", 404, xmlError("NoSuchPublicAccessBlockConfiguration", ""), true, OK},
		"There":        {"The server knows what it is.", 200, "<PublicAccessBlockConfiguration/>", true, OK},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			deleted := false
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete {
					deleted = true
					w.WriteHeader(http.StatusNoContent)
					return
				}
				w.WriteHeader(tc.status)
				_, _ = fmt.Fprint(w, tc.body)
			}))
			defer server.Close()
			client := newTestClient(t, server.URL)
			_ = getTagging(t.Context(), client)
			if tc.read {
				_, _ = client.GetPublicAccessBlock(t.Context(), &awss3.GetPublicAccessBlockInput{Bucket: aws.String("a-bucket")})
			}
			_, err := client.DeletePublicAccessBlock(t.Context(), &awss3.DeletePublicAccessBlockInput{Bucket: aws.String("a-bucket")})
			if diff := cmp.Diff([]any{tc.want, tc.want == OK}, []any{ClassOf(err), deleted}); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s\n%v", tc.reason, diff, err)
			}
			if err := deleteBucket(t.Context(), client); err != nil {
				t.Errorf("A bucket itself is no part of one: %v", err)
			}
		})
	}
}

func deleteBucket(ctx context.Context, c *Client) error {
	_, err := c.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: aws.String("a-bucket")})
	return err
}
