package provider

import (
	"net/http"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// drift is how many repairs of a field of Buckets the provider has counted.
func drift(t *team, field string) float64 {
	t.Helper()

	return metric(t, "echo_drift_total", map[string]string{"kind": "Bucket", "field": field})
}

// metric reads a counter of the provider's.
func metric(t *team, name string, labels map[string]string) float64 {
	t.Helper()

	process, err := cp.ProviderProcess(providerName)
	if err != nil {
		t.Fatal(err)
	}
	rsp, err := http.Get(process.MetricsURL)
	if err != nil {
		t.Fatal(err)
	}
	defer rsp.Body.Close()

	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(rsp.Body)
	if err != nil {
		t.Fatal(err)
	}

	sum := 0.0
	for _, m := range families[name].GetMetric() {
		fits := 0
		for _, l := range m.GetLabel() {
			if labels[l.GetName()] == l.GetValue() {
				fits++
			}
		}
		if fits == len(labels) {
			sum += m.GetCounter().GetValue()
		}
	}

	return sum
}
