package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
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
	for !r.probes.ready.Load() {
		time.Sleep(time.Millisecond)
	}
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
	defer rsp.Body.Close()
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
