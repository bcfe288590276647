package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"k8s.io/client-go/rest"

	"my-operator.dev/echo/test/bench/proc"
	"my-operator.dev/echo/test/s3proxy"
)

// Names of metrics: of the API server's, and of every client's of controller-runtime.
const (
	metricServed     = "apiserver_request_total"
	metricSent       = "rest_client_requests_total"
	metricReconciles = "controller_runtime_reconcile_total"

	bucketController = "managed/bucket"
)

// counts are what was done since the start of a process.
type counts struct {
	at  time.Time
	cpu time.Duration

	// s3 are the calls that the proxy saw, by operation.
	s3 map[string]float64

	// api are the requests that the API server answered for the provider's own kinds
	// and for events, whoever sent them, such as "PUT buckets/status".
	api map[string]float64

	// sent are all requests that the provider sent to the API server, by method:
	// watches and renewals of its lease included.
	sent map[string]float64

	// reconciles of Buckets.
	reconciles float64
}

// count reads all counters.
func (r *rig) count(ctx context.Context) (counts, error) {
	c := counts{at: time.Now(), s3: map[string]float64{}}

	for operation, n := range r.proxy.Calls() {
		c.s3[operation] = float64(n)
	}

	var err error
	if c.cpu, err = proc.CPU(r.process.PID); err != nil {
		return c, err
	}

	own, err := r.ownMetrics(ctx)
	if err != nil {
		return c, err
	}

	c.sent = sum(own[metricSent], func(l labels) string { return l["method"] })
	c.reconciles = sum(own[metricReconciles], func(l labels) string { return l["controller"] })[bucketController]

	served, err := r.servedMetrics(ctx)
	if err != nil {
		return c, err
	}

	c.api = sum(served[metricServed], requestName)

	return c, nil
}

// requestName names requests for the provider's kinds and for events, and none else.
// Secrets are left out: others read them all the time.
func requestName(l labels) string {
	switch {
	case strings.HasSuffix(l["group"], ".my-operator.dev") && l["group"] != floorGroup:
	case l["group"] == "" && l["resource"] == "events":
	default:
		return ""
	}

	name := l["verb"] + " " + l["resource"]
	if s := l["subresource"]; s != "" {
		name += "/" + s
	}

	return name
}

// since is what was done between two counts of the same process.
func (c counts) since(before counts) counts {
	return counts{
		at:         c.at,
		cpu:        c.cpu - before.cpu,
		s3:         minus(c.s3, before.s3),
		api:        minus(c.api, before.api),
		sent:       minus(c.sent, before.sent),
		reconciles: c.reconciles - before.reconciles,
	}
}

// less takes off the requests that were ours.
func (c counts) less(request string, n int) {
	if c.api[request] -= float64(n); c.api[request] == 0 {
		delete(c.api, request)
	}
}

// calls returns how many calls of S3 there were, and how many of them were writes.
func (c counts) calls() (all, writes float64) {
	for operation, n := range c.s3 {
		all += n

		if s3proxy.Writes(operation) {
			writes += n
		}
	}

	return all, writes
}

// requests returns how many requests the provider sent to the API server.
func (c counts) requests() float64 {
	all := 0.0
	for _, n := range c.sent {
		all += n
	}

	return all
}

// writes returns how many writes the provider sent. PUTs are those to the kinds that it
// deals with, since it renews its lease by PUT; all else is as it counted itself, since
// others write events too, at any time.
func (c counts) writes() float64 {
	all := c.sent[http.MethodPost] + c.sent[http.MethodPatch] + c.sent[http.MethodDelete]

	for name, n := range c.api {
		if verb, _, _ := strings.Cut(name, " "); verb == http.MethodPut {
			all += n
		}
	}

	return all
}

// minus leaves out what is zero.
func minus(a, b map[string]float64) map[string]float64 {
	d := map[string]float64{}

	for k, v := range a {
		if v -= b[k]; v != 0 {
			d[k] = v
		}
	}

	return d
}

// ownMetrics are those of the provider.
func (r *rig) ownMetrics(ctx context.Context) (map[string]*dto.MetricFamily, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.process.MetricsURL, nil)
	if err != nil {
		return nil, errors.Wrap(err, "cannot ask for the provider's metrics")
	}

	rsp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, errors.Wrap(err, "cannot read the provider's metrics")
	}
	defer rsp.Body.Close() //nolint:errcheck // It is only read.

	return parse(rsp.Body, metricSent, metricReconciles)
}

// servedMetrics are those of the API server.
func (r *rig) servedMetrics(ctx context.Context) (map[string]*dto.MetricFamily, error) {
	hc, err := rest.HTTPClientFor(r.config)
	if err != nil {
		return nil, errors.Wrap(err, "cannot make an HTTP client")
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.config.Host+"/metrics", nil)
	if err != nil {
		return nil, errors.Wrap(err, "cannot ask for the API server's metrics")
	}

	rsp, err := hc.Do(req)
	if err != nil {
		return nil, errors.Wrap(err, "cannot read the API server's metrics")
	}
	defer rsp.Body.Close() //nolint:errcheck // It is only read.

	return parse(rsp.Body, metricServed)
}

// parse reads some metrics of many: an API server has megabytes of them.
func parse(r io.Reader, names ...string) (map[string]*dto.MetricFamily, error) {
	const longest = 1 << 20

	wanted := &bytes.Buffer{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)

	for lines.Scan() {
		for _, name := range names {
			if bytes.HasPrefix(lines.Bytes(), []byte(name+"{")) || bytes.HasPrefix(lines.Bytes(), []byte("# TYPE "+name+" ")) {
				wanted.Write(lines.Bytes())
				wanted.WriteByte('\n')
			}
		}
	}

	if err := lines.Err(); err != nil {
		return nil, errors.Wrap(err, "cannot read metrics")
	}

	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(wanted)

	return families, errors.Wrap(err, "cannot read metrics")
}

// labels of a metric.
type labels map[string]string

// sum adds up the values of a counter by a name for its labels; those without are
// left out.
func sum(f *dto.MetricFamily, name func(labels) string) map[string]float64 {
	sums := map[string]float64{}

	for _, m := range f.GetMetric() {
		l := labels{}
		for _, p := range m.GetLabel() {
			l[p.GetName()] = p.GetValue()
		}

		if n := name(l); n != "" {
			sums[n] += m.GetCounter().GetValue()
		}
	}

	return sums
}
