package s3proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const content = "<Tagging></Tagging>"

// TestFaults sends a request for each fault through a proxy.
func TestFaults(t *testing.T) {
	type got struct {
		// Status is 0 where there was no answer, and Broken tells that its body broke off.
		Status int
		Body   string
		Broken bool

		// Applied tells that the server was asked.
		Applied bool
	}

	cases := map[string]struct {
		reason string
		fault  *Fault
		want   got
	}{
		"None":    {reason: "Without a fault the server's answer arrives.", want: got{Status: 200, Body: content, Applied: true}},
		"Down":    {reason: "The server hears nothing.", fault: &Fault{Down: true}},
		"Status":  {reason: "The server hears nothing.", fault: &Fault{Status: 503}, want: got{Status: 503, Body: "<Error><Code>SlowDown</Code><Message>made by the test</Message></Error>"}},
		"Cut":     {reason: "Half of the body arrives.", fault: &Fault{Cut: true}, want: got{Status: 200, Body: content[:len(content)/2], Broken: true, Applied: true}},
		"Applied": {reason: "The server acts, and nobody is told.", fault: &Fault{Applied: true}, want: got{Applied: true}},
		"Skew":    {reason: "The server sees another time.", fault: &Fault{Skew: time.Hour}, want: got{Status: 403, Applied: true}},
		"Slow":    {reason: "It takes longer.", fault: &Fault{Delay: time.Millisecond}, want: got{Status: 200, Body: content, Applied: true}},
	}

	signed := time.Now().UTC()

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var applied atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				applied.Store(true)
				if r.Header.Get("X-Amz-Date") != signed.Format(signedAt) {
					w.WriteHeader(http.StatusForbidden)
					return
				}
				_, _ = io.WriteString(w, content)
			}))
			defer server.Close()

			p, err := Start(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			p.Set(tc.fault)

			r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, p.URL()+"/bucket?tagging", strings.NewReader("x"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Amz-Date", signed.Format(signedAt))

			var is got
			if rsp, err := http.DefaultClient.Do(r); err == nil {
				body, err := io.ReadAll(rsp.Body)
				_ = rsp.Body.Close()
				is.Status, is.Body, is.Broken = rsp.StatusCode, string(body), err != nil
			}
			is.Applied = applied.Load()

			if diff := cmp.Diff(tc.want, is); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(map[string]int{"PUT bucket?tagging": 1}, p.Calls()); diff != "" {
				t.Errorf("calls: -want, +got:\n%s", diff)
			}
		})
	}
}

// TestAwait waits for calls that come, and for one that does not.
func TestAwait(t *testing.T) {
	p, err := Start("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Set(&Fault{Status: http.StatusServiceUnavailable})

	done := make(chan error)
	go func() { done <- p.Await(t.Context(), 2) }()

	for waiting := true; waiting; {
		rsp, err := http.Get(p.URL())
		if err != nil {
			t.Fatal(err)
		}
		_ = rsp.Body.Close()

		select {
		case err = <-done:
			if err != nil {
				t.Error(err)
			}
			waiting = false
		default:
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Await(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("want the end of the context, got %v", err)
	}
}
