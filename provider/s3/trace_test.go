package s3

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func TestTraces(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	recorder := tracetest.NewSpanRecorder()
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)))
	defer otel.SetTracerProvider(before)

	client := newTestClient(t, server.URL)
	_ = headBucket(t.Context(), client)
	_ = getTagging(t.Context(), client)
	_, _ = client.ListBuckets(t.Context(), nil)
	got := []string{}
	for _, span := range recorder.Ended() {
		line := []string{span.Name(), span.Status().Code.String()}
		for _, a := range span.Attributes() {
			line = append(line, string(a.Key)+"="+a.Value.AsString())
		}
		got = append(got, strings.Join(line, " "))
	}
	want := []string{
		"S3.HeadBucket Unset rpc.system=aws-api rpc.method=HeadBucket aws.s3.bucket=a-bucket",
		"S3.GetBucketTagging Error rpc.system=aws-api rpc.method=GetBucketTagging aws.s3.bucket=a-bucket error.type=throttled",
		"S3.ListBuckets Error rpc.system=aws-api rpc.method=ListBuckets error.type=throttled",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("One span for each operation, without keys.\n-want, +got:\n%s", diff)
	}
}
