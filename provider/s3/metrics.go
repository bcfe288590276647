package s3

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// operationHTTP is the operation of requests that are not the SDK's.
const operationHTTP = "HTTP"

// metrics have no label for endpoints or buckets, as tenants choose those, and could choose very many.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

// newMetrics registers them, unless there is nowhere to. The function returns how many breakers are open.
func newMetrics(r prometheus.Registerer, open func() float64) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "echo_s3_requests_total",
			Help: "Requests to S3 servers, by operation and result: ok or the class of the failure.",
		}, []string{"operation", "result"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "echo_s3_request_duration_seconds",
			Help:    "Time of requests to S3 servers, from waiting for a turn to having read the answer, by operation.",
			Buckets: []float64{0.005, 0.025, 0.1, 0.5, 2, 10},
		}, []string{"operation"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "echo_s3_in_flight",
			Help: "Requests to S3 servers that are under way.",
		}),
	}
	if r == nil {
		return m, nil
	}
	breakers := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "echo_s3_breaker_open",
		Help: "Breakers that are open: one per endpoint, and one per endpoint and credentials.",
	}, open)
	for _, c := range []prometheus.Collector{m.requests, m.duration, m.inFlight, breakers} {
		if err := r.Register(c); err != nil {
			return nil, errors.Wrap(err, "cannot register the metrics of S3 requests")
		}
	}
	return m, nil
}

func (m *metrics) observe(operation string, class Class, took time.Duration) {
	m.requests.WithLabelValues(operation, string(class)).Inc()
	m.duration.WithLabelValues(operation).Observe(took.Seconds())
}
