package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
)

// Run serves until ctx ends, then stops: it reports itself not serving, takes no more connections, lets calls in
// flight finish within o.StopGrace, and returns nil. It returns an error if it cannot start, or if a listener
// fails while it serves.
func Run(ctx context.Context, o Options) error {
	s, err := listen(ctx, o)
	if err != nil {
		return err
	}
	return s.serve(ctx)
}

// A server is a function's two listeners and what answers on them.
type server struct {
	Options

	listener net.Listener
	grpc     *grpc.Server
	health   *health.Server

	// certs is nil when Options.Insecure is set.
	certs *certs

	// probesListener is nil when Options.MetricsAddress is empty.
	probesListener net.Listener
	probes         *probes
}

// listen returns a server that has its ports, but does not answer yet.
func listen(ctx context.Context, o Options) (*server, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("cannot use server options: %w", err)
	}

	m := newMetrics()
	s := &server{Options: o, health: health.NewServer(), probes: newProbes(m.registry)}

	so := []grpc.ServerOption{
		grpc.ForceServerCodecV2(newCodec()),
		grpc.MaxRecvMsgSize(maxRequestBytes),
		grpc.MaxConcurrentStreams(maxConcurrentCalls),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionAge:      o.MaxConnectionAge,
			MaxConnectionAgeGrace: maxConnectionAgeGrace,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minPing, PermitWithoutStream: true}),
	}
	if !o.Insecure {
		if s.certs, err = newCerts(o.TLSCertsDir, o.Log); err != nil {
			return nil, fmt.Errorf("cannot load TLS certificates from %q: %w", o.TLSCertsDir, err)
		}
		so = append(so, grpc.Creds(credentials.NewTLS(s.certs.serverConfig())))
	}

	s.grpc = grpc.NewServer(so...)
	healthpb.RegisterHealthServer(s.grpc, s.health)
	for _, name := range services {
		s.grpc.RegisterService(serviceDesc(name), &calls{Options: o, metrics: m.forService(name)})
		s.health.SetServingStatus(name, healthpb.HealthCheckResponse_SERVING)
	}

	lc := net.ListenConfig{}
	if s.listener, err = lc.Listen(ctx, "tcp", o.Address); err != nil {
		return nil, fmt.Errorf("cannot listen for gRPC connections on %q: %w", o.Address, err)
	}
	if o.MetricsAddress == "" {
		return s, nil
	}
	if s.probesListener, err = lc.Listen(ctx, "tcp", o.MetricsAddress); err != nil {
		_ = s.listener.Close()
		return nil, fmt.Errorf("cannot listen for metrics connections on %q: %w", o.MetricsAddress, err)
	}
	return s, nil
}

// serve answers until ctx ends or a listener fails. Both listeners are closed when it returns.
func (s *server) serve(ctx context.Context) error {
	failed := make(chan error, 2)

	if s.probesListener != nil {
		h := &http.Server{Handler: s.probes.handler(), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
		go func() { failed <- fmt.Errorf("cannot serve metrics: %w", h.Serve(s.probesListener)) }()
		// Last of all, so that a probe can read from a stopping server that it is stopping.
		defer h.Close() //nolint:errcheck // The process ends here, and nobody waits for a scrape.
	}
	go func() { failed <- fmt.Errorf("cannot serve gRPC: %w", s.grpc.Serve(s.listener)) }()

	s.probes.ready.Store(true)
	s.Log.Info("Serving", "address", s.listener.Addr().String(), "metrics-address", s.MetricsAddress, "insecure", s.Insecure)

	select {
	case err := <-failed:
		s.grpc.Stop()
		return err
	case <-ctx.Done():
		s.stop()
		return nil
	}
}

// stop tells all who ask that this server is going, and waits for the calls in flight, but not for ever.
func (s *server) stop() {
	s.Log.Info("Stopping", "grace", s.StopGrace)
	s.probes.ready.Store(false)
	s.health.Shutdown()

	cut := time.AfterFunc(s.StopGrace, func() {
		s.Log.Warn("Cutting off calls that outlasted the grace period", "grace", s.StopGrace)
		s.grpc.Stop()
	})
	defer cut.Stop()
	s.grpc.GracefulStop()
}
