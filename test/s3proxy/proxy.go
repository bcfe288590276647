// Package s3proxy stands between the provider and a real S3 server. It counts
// calls by operation, and makes the faults that a network or a server in trouble
// makes: connections refused or cut in mid-body, delays, errors, a clock that is
// wrong.
//
// Requests arrive at the server with the host that they were signed for, so
// signatures stay valid.
package s3proxy

import (
	"context"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A Proxy is a server on loopback that hands requests on to one S3 server.
type Proxy struct {
	url    string
	server *http.Server
	fault  atomic.Pointer[Fault]
	calls  calls
}

// Start a proxy of the server at the URL. Close it after use.
func Start(server string) (*Proxy, error) {
	target, err := url.Parse(server)
	if err != nil {
		return nil, errors.Wrap(err, "cannot read the server's URL")
	}

	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Wrap(err, "cannot listen on loopback")
	}

	p := &Proxy{url: "http://" + l.Addr().String()}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		Transport:    &http.Transport{MaxIdleConnsPerHost: 128, DisableCompression: true},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     log.New(nothing{}, "", 0),
	}
	p.server = &http.Server{
		Handler:           p.handler(forward),
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(nothing{}, "", 0),
	}

	go func() { _ = p.server.Serve(l) }()

	return p, nil
}

// URL of the proxy, to use in place of the server's.
func (p *Proxy) URL() string { return p.url }

// Close ends the proxy and every connection through it.
func (p *Proxy) Close() { _ = p.server.Close() }

// Set makes every request from now on meet the fault; nil ends that.
func (p *Proxy) Set(f *Fault) { p.fault.Store(f) }

// handler counts a request, and hands it on unless a fault takes it.
func (p *Proxy) handler(forward http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.calls.add(Operation(r))

		if f := p.fault.Load(); f != nil && f.meet(forward, w, r) {
			return
		}

		forward.ServeHTTP(w, r)
	})
}

// nothing swallows what the proxy would log of the faults that it makes.
type nothing struct{}

func (nothing) Write(b []byte) (int, error) { return len(b), nil }
