// Package server serves a composition function to Crossplane over gRPC.
//
// It moves bytes and knows nothing of what they say: a [Handler] gets a RunFunctionRequest in protobuf's wire
// form and returns a RunFunctionResponse in the same form. Around that one function stand the duties that every
// function has: mutual TLS with certificates that may be renewed under it, health, metrics, a panic that costs
// one call and not the process, and a stop that lets calls in flight finish.
//
// Errors are wrapped with fmt and not with crossplane-runtime's errors package: that one imports controller-runtime
// and client-go, which more than doubles the resident memory of a process this small.
//
// Read the files in the order a call meets them: server.go listens, certs.go admits, codec.go and call.go
// carry one call to the handler and back, metrics.go and probes.go tell the world how it goes.
package server

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// A Handler answers one RunFunctionRequest, both in protobuf wire form. Calls run at the same time.
//
// The request is lent: its memory serves another call as soon as the handler has returned, so a handler keeps no
// part of it and answers with no part of it, and it must not write to it. The response is given away: it is
// still being sent after the handler has returned, so it must never be written to or used again.
//
// An error fails the call with its gRPC status, or with Unknown if it has none. Crossplane core retries such a
// call; what the user should read belongs into a response with a Fatal result instead. Core's client refuses
// answers above 4 MiB (gRPC's default, which core does not change). The server cannot know that limit of the
// other side, so it sends what it is given, and the handler is the one to keep below it.
type Handler func(ctx context.Context, request []byte) (response []byte, err error)

const (
	// DefaultMaxConnectionAge is long beside the cost of a handshake (1 or 2 ms of processor time, so less than
	// 0.002 % of a core) and short beside the life of a replica.
	DefaultMaxConnectionAge = 2 * time.Minute

	// DefaultStopGrace leaves five of the 30 seconds that Kubernetes gives a Pod between SIGTERM and SIGKILL by
	// default (terminationGracePeriodSeconds), for the process to say goodbye after the last call.
	DefaultStopGrace = 25 * time.Second

	// maxConnectionAgeGrace is what a call in flight has left when its connection has come of age. Core gives
	// one whole reconcile, of which a call is a part, two minutes: after that nobody waits for the answer.
	maxConnectionAgeGrace = 2 * time.Minute

	// maxRequestBytes is the largest request taken. gRPC's default for servers is 4 MiB, which a composite with
	// hundreds of observed resources passes, and core puts no limit on what it sends. One object in etcd is at
	// most 1.5 MiB, so this is room for a thousand large Pods (60 KiB each), and still a bound on the
	// memory that one call can take.
	maxRequestBytes = 64 << 20

	// maxConcurrentCalls is the number of calls in flight on one connection; further ones wait at the client.
	// Core opens one connection per function Pod and reconciles at most 100 composites at a time by default
	// (--max-reconcile-rate), so this bounds memory and does not bind.
	maxConcurrentCalls = 256

	// minPing is how often a client may ask whether the connection still lives. Core's client never asks. Ten
	// seconds is the least that gRPC's Go client can be configured to, so no client is ever sent away for it.
	minPing = 10 * time.Second
)

// Options say how to serve a function.
type Options struct {
	// Address is the host:port of the gRPC service. The functions specification demands ":9443".
	Address string

	// MetricsAddress is the host:port of the plain HTTP service with /metrics, /healthz and /readyz. The probes
	// are there because the kubelet's gRPC probe cannot present a client certificate. Empty turns it off.
	MetricsAddress string

	// Insecure serves gRPC without TLS, for local rendering only. TLSCertsDir is ignored then.
	Insecure bool

	// TLSCertsDir holds tls.crt, tls.key and ca.crt, as the Secret does that Crossplane mounts. Clients must
	// present a certificate that ca.crt vouches for. The files may change at any time: see certs.go.
	TLSCertsDir string

	// MaxConnectionAge is when a client is asked to come again on a new connection, give or take a tenth so that
	// not all come at once. Core dials a headless Service round robin, and looks its addresses up again only
	// when it loses a connection: without an age, a new replica would get no traffic for as long as the old
	// ones live. Calls in flight are not disturbed. Zero means DefaultMaxConnectionAge.
	MaxConnectionAge time.Duration

	// StopGrace is how long calls in flight may take after the context has ended, before their connections are
	// cut. Zero means DefaultStopGrace.
	StopGrace time.Duration

	// Handler answers the calls.
	Handler Handler

	// Panicked makes the answer to a request whose handling panicked with value. The same rules on memory hold
	// as for a Handler.
	Panicked func(request []byte, value any) (response []byte)

	// Log gets one line at start and stop, and errors. Nothing is logged per call.
	Log *slog.Logger
}

// withDefaults returns o with its zero durations replaced, or an error that names what is missing.
func (o Options) withDefaults() (Options, error) {
	switch {
	case o.Handler == nil:
		return o, errors.New("no Handler given")
	case o.Panicked == nil:
		return o, errors.New("no Panicked given")
	case o.Log == nil:
		return o, errors.New("no Log given")
	case !o.Insecure && o.TLSCertsDir == "":
		return o, errors.New("neither Insecure nor TLSCertsDir given")
	}
	if o.MaxConnectionAge == 0 {
		o.MaxConnectionAge = DefaultMaxConnectionAge
	}
	if o.StopGrace == 0 {
		o.StopGrace = DefaultStopGrace
	}
	return o, nil
}
