package server

import (
	"bytes"
	"net/http"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// probes answers the kubelet and Prometheus over plain HTTP.
type probes struct {
	// ready is whether the server takes calls. It is false before it serves and once it stops.
	ready atomic.Bool

	gatherer prometheus.Gatherer
}

func newProbes(g prometheus.Gatherer) *probes { return &probes{gatherer: g} }

func (p *probes) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /healthz", p.healthz)
	m.HandleFunc("GET /readyz", p.readyz)
	m.HandleFunc("GET /metrics", p.metrics)
	return m
}

// healthz says that the process can answer, which is all there is to know: it depends on nothing else.
func (p *probes) healthz(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("ok\n"))
}

// readyz says whether the server takes calls.
func (p *probes) readyz(w http.ResponseWriter, _ *http.Request) {
	if !p.ready.Load() {
		http.Error(w, "not serving", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}

// metrics writes the text form, which every Prometheus reads. The handler that comes with Prometheus' client
// library also speaks OpenMetrics and protobuf and compresses, which is code that nobody calls here and half
// a MiB of resident memory.
func (p *probes) metrics(w http.ResponseWriter, _ *http.Request) {
	families, err := p.gatherer.Gather()
	if err != nil {
		http.Error(w, "cannot gather metrics: "+err.Error(), http.StatusInternalServerError)
		return
	}
	b := &bytes.Buffer{}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(b, f); err != nil {
			http.Error(w, "cannot write metrics as text: "+err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(b.Bytes())
}
