package server

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

func TestMetrics(t *testing.T) {
	r := start(t, Options{Handler: func(ctx context.Context, b []byte) ([]byte, error) {
		if len(b) == 0 {
			return nil, status.Error(codes.Unavailable, "no")
		}
		return echo(ctx, b)
	}})
	c := fnv1.NewFunctionRunnerServiceClient(r.dial(t, nil))
	for _, req := range []*fnv1.RunFunctionRequest{tagged("a"), tagged("b"), {}} {
		_, _ = c.RunFunction(t.Context(), req)
	}
	_, body := r.get(t, "/metrics")
	labels := `grpc_method="RunFunction",grpc_service="apiextensions.fn.proto.v1.FunctionRunnerService",grpc_type="unary"`
	for _, want := range []string{
		`grpc_server_started_total{` + labels + `} 3`,
		`grpc_server_handled_total{grpc_code="OK",` + labels + `} 2`,
		`grpc_server_handled_total{grpc_code="Unavailable",` + labels + `} 1`,
		`grpc_server_handling_seconds_count{` + labels + `} 3`,
		`function_calls_in_flight 0`,
		`function_panics_total 0`,
		`function_request_size_bytes_count 2`,
		`function_request_size_bytes_sum 10`,
		`function_response_size_bytes_count 2`,
		`# TYPE go_goroutines gauge`,
		`# TYPE process_resident_memory_bytes gauge`,
		`# TYPE go_build_info gauge`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("missing from /metrics: %s", want)
		}
	}
	if t.Failed() {
		t.Log(body)
	}
}

func TestProbes(t *testing.T) {
	r := start(t, Options{Handler: echo})
	cases := map[string]struct {
		reason string
		path   string
		ready  bool
		want   int
	}{
		"Healthy":         {reason: "A process that answers is healthy.", path: "/healthz", ready: true, want: http.StatusOK},
		"Ready":           {reason: "A server that takes calls is ready.", path: "/readyz", ready: true, want: http.StatusOK},
		"StoppingHealthy": {reason: "A server that stops must not be killed for it.", path: "/healthz", want: http.StatusOK},
		"StoppingUnready": {reason: "A server that stops wants no calls.", path: "/readyz", want: http.StatusServiceUnavailable},
		"Unknown":         {reason: "Nothing else is served.", path: "/debug/pprof", ready: true, want: http.StatusNotFound},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r.probes.ready.Store(tc.ready)
			if got, _ := r.get(t, tc.path); got != tc.want {
				t.Errorf("%s\nwant %d, got %d", tc.reason, tc.want, got)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	r := start(t, Options{Handler: echo})
	c := healthpb.NewHealthClient(r.dial(t, nil))
	for _, name := range append([]string{""}, services...) {
		rsp, err := c.Check(t.Context(), &healthpb.HealthCheckRequest{Service: name})
		if err != nil || rsp.GetStatus() != healthpb.HealthCheckResponse_SERVING {
			t.Errorf("%q: want SERVING, got %s, %v", name, rsp.GetStatus(), err)
		}
	}

	w, err := c.Watch(t.Context(), &healthpb.HealthCheckRequest{})
	if err != nil {
		t.Fatal(err)
	}
	r.StopGrace = time.Millisecond // The watch would hold the stop up.
	var got []string
	for range 2 {
		rsp, err := w.Recv()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rsp.GetStatus().String())
		r.stop()
	}
	if diff := cmp.Diff([]string{"SERVING", "NOT_SERVING"}, got); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}
