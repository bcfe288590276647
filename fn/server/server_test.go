package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	fnv1beta1 "github.com/crossplane/function-sdk-go/proto/v1beta1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
)

// A logBuffer is a log that may be read while it is written.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A running server, and what a test needs to talk to it.
type running struct {
	*server

	log  *logBuffer
	stop context.CancelFunc
	done chan error
}

// start serves o on free ports of loopback, insecure unless o has certificates, until the test ends.
func start(t testing.TB, o Options) *running {
	t.Helper()
	r := &running{log: &logBuffer{}, done: make(chan error, 1)}
	o.Address, o.MetricsAddress = "127.0.0.1:0", "127.0.0.1:0"
	o.Insecure = o.TLSCertsDir == ""
	o.Log = slog.New(slog.NewTextHandler(r.log, nil))
	if o.Panicked == nil {
		o.Panicked = fatal
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	var err error
	if r.server, err = listen(ctx, o); err != nil {
		t.Fatal(err)
	}
	go func() { r.done <- r.serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-r.done
	})
	return r
}

// dial returns a connection, insecure if c is nil.
func (r *running) dial(t testing.TB, c *tls.Config) *grpc.ClientConn {
	t.Helper()
	creds := insecure.NewCredentials()
	if c != nil {
		creds = credentials.NewTLS(c)
	}
	conn, err := grpc.NewClient(r.listener.Addr().String(), grpc.WithTransportCredentials(creds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// get returns the status and the body of an HTTP answer.
func (r *running) get(t testing.TB, path string) (int, string) {
	t.Helper()
	rsp, err := http.Get("http://" + r.probesListener.Addr().String() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer rsp.Body.Close() //nolint:errcheck // It has been read.
	b, err := io.ReadAll(rsp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return rsp.StatusCode, string(b)
}

// echo answers with the request's tag and desired state, which the two messages have in common.
func echo(_ context.Context, request []byte) ([]byte, error) {
	req := &fnv1.RunFunctionRequest{}
	if err := proto.Unmarshal(request, req); err != nil {
		return nil, err
	}
	return proto.Marshal(&fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: req.GetMeta().GetTag()}, Desired: req.GetDesired()})
}

// fatal answers as function-echo does when it panicked.
func fatal(request []byte, value any) []byte {
	req := &fnv1.RunFunctionRequest{}
	_ = proto.Unmarshal(request, req)
	b, _ := proto.Marshal(fatalResponse(req.GetMeta().GetTag(), value.(string)))
	return b
}

func fatalResponse(tag, message string) *fnv1.RunFunctionResponse {
	return &fnv1.RunFunctionResponse{
		Meta:    &fnv1.ResponseMeta{Tag: tag},
		Results: []*fnv1.Result{{Severity: fnv1.Severity_SEVERITY_FATAL, Message: message}},
	}
}

func tagged(tag string) *fnv1.RunFunctionRequest {
	return &fnv1.RunFunctionRequest{Meta: &fnv1.RequestMeta{Tag: tag}}
}

func TestCall(t *testing.T) {
	// 5 MiB in one field: more than gRPC's default limit, and in hundreds of HTTP/2 frames.
	large := tagged("large")
	large.Input = &structpb.Struct{Fields: map[string]*structpb.Value{"x": structpb.NewStringValue(strings.Repeat("x", 5<<20))}}

	medium := tagged("medium")
	medium.Desired = &fnv1.State{Composite: &fnv1.Resource{Resource: &structpb.Struct{Fields: map[string]*structpb.Value{
		"x": structpb.NewStringValue(strings.Repeat("y", 100<<10)),
	}}}}

	cases := map[string]struct {
		reason  string
		handler Handler
		req     *fnv1.RunFunctionRequest
		want    *fnv1.RunFunctionResponse
		code    codes.Code
	}{
		"Small": {
			reason: "A request of one frame is handed over without a copy.", handler: echo,
			req:  tagged("a"),
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: "a"}},
		},
		"Empty": {
			reason: "An empty message is a message.", handler: echo,
			req:  &fnv1.RunFunctionRequest{},
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{}},
		},
		"Medium": {
			reason: "A request of several frames arrives in one piece and in order.", handler: echo,
			req:  medium,
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: "medium"}, Desired: medium.GetDesired()},
		},
		"Large": {
			reason: "A request above gRPC's default limit of 4 MiB is accepted.", handler: echo,
			req:  large,
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: "large"}},
		},
		"Error": {
			reason:  "An error that is no status is Unknown, as gRPC has it.",
			handler: func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no") },
			req:     tagged("a"), code: codes.Unknown,
		},
		"Status": {
			reason:  "An error that is a status keeps its code.",
			handler: func(context.Context, []byte) ([]byte, error) { return nil, status.Error(codes.ResourceExhausted, "no") },
			req:     tagged("a"), code: codes.ResourceExhausted,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := start(t, Options{Handler: tc.handler})
			got, err := fnv1.NewFunctionRunnerServiceClient(r.dial(t, nil)).RunFunction(t.Context(), tc.req)
			if diff := cmp.Diff(tc.code, status.Code(err)); diff != "" {
				t.Fatalf("%s\n-want code, +got code:\n%s\n%v", tc.reason, diff, err)
			}
			if diff := cmp.Diff(tc.want, got, protocmp.Transform()); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestBeta(t *testing.T) {
	r := start(t, Options{Handler: echo})
	got, err := fnv1beta1.NewFunctionRunnerServiceClient(r.dial(t, nil)).RunFunction(t.Context(),
		&fnv1beta1.RunFunctionRequest{Meta: &fnv1beta1.RequestMeta{Tag: "old"}})
	if err != nil {
		t.Fatal(err)
	}
	want := &fnv1beta1.RunFunctionResponse{Meta: &fnv1beta1.ResponseMeta{Tag: "old"}}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("Core up to v1.16 calls v1beta1.\n-want, +got:\n%s", diff)
	}
}

func TestConcurrentCallsDoNotMix(t *testing.T) {
	r := start(t, Options{Handler: echo})
	conn := r.dial(t, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			// Of many sizes, so that buffers lent to one call have served another before.
			for j := range 50 {
				tag := strings.Repeat(string(rune('a'+i)), 1+(i*7919+j*1021)%60000)
				got, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), tagged(tag))
				if err != nil || got.GetMeta().GetTag() != tag {
					t.Errorf("call %d/%d: an answer of %d bytes to a tag of %d bytes: %v", i, j, len(got.GetMeta().GetTag()), len(tag), err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestPanic(t *testing.T) {
	handler := func(ctx context.Context, request []byte) ([]byte, error) {
		req := &fnv1.RunFunctionRequest{}
		if err := proto.Unmarshal(request, req); err == nil && req.GetMeta().GetTag() == "bad" {
			panic("boom")
		}
		return echo(ctx, request)
	}
	cases := map[string]struct {
		reason   string
		panicked func([]byte, any) []byte
		want     *fnv1.RunFunctionResponse
		code     codes.Code
	}{
		"Once": {
			reason: "A panic is a Fatal result with the request's tag.", panicked: fatal,
			want: fatalResponse("bad", "boom"),
		},
		"Twice": {
			reason:   "A panic over a panic fails the call.",
			panicked: func([]byte, any) []byte { panic("again") },
			code:     codes.Internal,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := start(t, Options{Handler: handler, Panicked: tc.panicked})
			c := fnv1.NewFunctionRunnerServiceClient(r.dial(t, nil))
			got, err := c.RunFunction(t.Context(), tagged("bad"))
			if diff := cmp.Diff(tc.code, status.Code(err)); diff != "" {
				t.Fatalf("%s\n-want code, +got code:\n%s\n%v", tc.reason, diff, err)
			}
			if diff := cmp.Diff(tc.want, got, protocmp.Transform()); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if _, err := c.RunFunction(t.Context(), tagged("good")); err != nil {
				t.Errorf("The server must live on: %v", err)
			}
			if log := r.log.String(); !strings.Contains(log, "boom") || !strings.Contains(log, "server_test.go") {
				t.Errorf("The log must have the value and the stack: %s", log)
			}
			if _, body := r.get(t, "/metrics"); !strings.Contains(body, "\nfunction_panics_total 1\n") {
				t.Errorf("The panic must be counted: %s", body)
			}
		})
	}
}

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

func TestStop(t *testing.T) {
	cases := map[string]struct {
		reason string
		grace  time.Duration
		finish bool // whether the handler ends by itself
		code   codes.Code
	}{
		"Finishes": {reason: "A call in flight finishes.", grace: time.Minute, finish: true},
		"CutOff":   {reason: "A call that never ends is cut off.", grace: time.Millisecond, code: codes.Unavailable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			entered, leave := make(chan struct{}), make(chan struct{})
			r := start(t, Options{StopGrace: tc.grace, Handler: func(ctx context.Context, b []byte) ([]byte, error) {
				close(entered)
				select {
				case <-leave:
				case <-ctx.Done():
				}
				return echo(ctx, b)
			}})
			failed := make(chan error, 1)
			c := fnv1.NewFunctionRunnerServiceClient(r.dial(t, nil))
			go func() {
				_, err := c.RunFunction(context.Background(), tagged("a"))
				failed <- err
			}()
			<-entered
			r.stop()
			if tc.finish {
				// The server has begun to stop once it is unready, and only then may the call end.
				for r.probes.ready.Load() {
					time.Sleep(time.Millisecond)
				}
				if code, _ := r.get(t, "/readyz"); code != http.StatusServiceUnavailable {
					t.Errorf("want /readyz to say 503 while a call is in flight, got %d", code)
				}
				close(leave)
			}
			if got := status.Code(<-failed); got != tc.code {
				t.Errorf("%s\nwant %s, got %s", tc.reason, tc.code, got)
			}
			if err := <-r.done; err != nil {
				t.Errorf("want no error from a server that was asked to stop, got %v", err)
			}
			r.done <- nil
		})
	}
}

func TestMaxConnectionAge(t *testing.T) {
	r := start(t, Options{Handler: echo, MaxConnectionAge: 20 * time.Millisecond})
	conn := r.dial(t, nil)
	c := fnv1.NewFunctionRunnerServiceClient(conn)

	// Calls go on until the client has been sent away a few times, which it shows by leaving Ready.
	var reconnects atomic.Int32
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		for s := conn.GetState(); conn.WaitForStateChange(ctx, s); s = conn.GetState() {
			if s.String() == "READY" && reconnects.Add(1) == 3 {
				cancel()
			}
		}
	}()
	calls := 0
	for ; ctx.Err() == nil; calls++ {
		if _, err := c.RunFunction(t.Context(), tagged("a")); err != nil {
			t.Fatalf("A client whose connection has come of age must not see an error, call %d: %v", calls, err)
		}
	}
	if got := reconnects.Load(); got < 3 {
		t.Errorf("want 3 connections ended by age, got %d in %d calls", got, calls)
	}
}

func TestOptions(t *testing.T) {
	o := Options{Handler: echo, Panicked: fatal, Log: slog.New(slog.DiscardHandler), Insecure: true, Address: "127.0.0.1:0"}
	taken := start(t, Options{Handler: echo}).listener.Addr().String()

	cases := map[string]struct {
		reason string
		change func(o *Options)
		want   string
	}{
		"Handler":      {reason: "There must be something to serve.", change: func(o *Options) { o.Handler = nil }, want: "no Handler"},
		"Panicked":     {reason: "A panic needs an answer.", change: func(o *Options) { o.Panicked = nil }, want: "no Panicked"},
		"Log":          {reason: "A panic must be seen.", change: func(o *Options) { o.Log = nil }, want: "no Log"},
		"Unsafe":       {reason: "To serve without TLS takes a word.", change: func(o *Options) { o.Insecure = false }, want: "neither Insecure nor TLSCertsDir"},
		"Certificates": {reason: "A server without certificates must not start.", change: func(o *Options) { o.Insecure, o.TLSCertsDir = false, "nowhere" }, want: `cannot load TLS certificates from "nowhere"`},
		"Address":      {reason: "A port that is taken is named.", change: func(o *Options) { o.Address = taken }, want: taken},
		"Metrics":      {reason: "A metrics port that is taken is named.", change: func(o *Options) { o.MetricsAddress = taken }, want: taken},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := o
			tc.change(&o)
			err := Run(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s\nwant an error with %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}
