package server

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

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
