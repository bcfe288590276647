package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"google.golang.org/grpc/codes"
)

// metrics are what the function tells Prometheus. The grpc_server_ family has the names and labels that gRPC
// servers have in Prometheus by convention, functions on Crossplane's SDK among them, so that the same dashboards
// and alerts serve. A request that never reaches a call (over the size limit, or to an unknown method) is
// not counted.
type metrics struct {
	registry *prometheus.Registry

	started  *prometheus.CounterVec
	handled  *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	panics   prometheus.Counter
	request  prometheus.Histogram
	response prometheus.Histogram
}

func newMetrics() *metrics {
	labels := []string{"grpc_type", "grpc_service", "grpc_method"}
	// 1 KiB to 64 MiB, by four: 4 MiB, which is as much as core takes, is a boundary.
	sizes := prometheus.ExponentialBuckets(1<<10, 4, 9)

	m := &metrics{
		registry: prometheus.NewRegistry(),
		started: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "grpc_server_started_total",
			Help: "Calls begun.",
		}, labels),
		handled: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "grpc_server_handled_total",
			Help: "Calls ended, by the gRPC code they ended with. A Fatal result is an answer, so its code is OK.",
		}, append(labels, "grpc_code")),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "grpc_server_handling_seconds",
			Help: "Time from a whole request to a whole response, without the network.",
			// 50 us to 1.6 s, by two: an answer takes well below a millisecond, where the default buckets begin at 5.
			Buckets: prometheus.ExponentialBuckets(50e-6, 2, 16),
		}, labels),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "function_calls_in_flight",
			Help: "Calls begun and not ended.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "function_panics_total",
			Help: "Calls whose handling panicked. Each is a bug, and has its stack in the log.",
		}),
		request: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "function_request_size_bytes",
			Help:    "Size of requests, uncompressed.",
			Buckets: sizes,
		}),
		response: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "function_response_size_bytes",
			Help:    "Size of responses, uncompressed. Crossplane refuses more than 4 MiB.",
			Buckets: sizes,
		}),
	}
	m.registry.MustRegister(
		m.started, m.handled, m.duration, m.inFlight, m.panics, m.request, m.response,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	return m
}

// serviceMetrics are the metrics with the labels of one service filled in, so that a call looks none up.
type serviceMetrics struct {
	*metrics

	started  prometheus.Counter
	ok       prometheus.Counter
	handled  *prometheus.CounterVec
	duration prometheus.Observer
}

func (m *metrics) forService(name string) *serviceMetrics {
	l := prometheus.Labels{"grpc_type": "unary", "grpc_service": name, "grpc_method": method}
	h := m.handled.MustCurryWith(l)
	return &serviceMetrics{
		metrics:  m,
		started:  m.started.With(l),
		ok:       h.WithLabelValues(codes.OK.String()),
		handled:  h,
		duration: m.duration.With(l),
	}
}

// begin counts a call in, and returns the time it began.
func (m *serviceMetrics) begin() time.Time {
	m.started.Inc()
	m.inFlight.Inc()
	return time.Now()
}

// end counts a call out that began at started. A size of zero is one that is not known.
func (m *serviceMetrics) end(started time.Time, code codes.Code, request, response int) {
	m.duration.Observe(time.Since(started).Seconds())
	m.inFlight.Dec()
	if code != codes.OK {
		m.handled.WithLabelValues(code.String()).Inc()
	} else {
		m.ok.Inc()
	}
	if request > 0 {
		m.request.Observe(float64(request))
	}
	if response > 0 {
		m.response.Observe(float64(response))
	}
}
