// Package drift counts what somebody else changed on a server, and was repaired.
package drift

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/prometheus/client_golang/prometheus"
)

var repaired = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "echo_drift_total",
	Help: "Differences that somebody else made and that were repaired, by kind of resource and field",
}, []string{"kind", "field"})

// Register makes the metric known to a registry. It can be repeated.
func Register(r prometheus.Registerer) error {
	if err := r.Register(repaired); err != nil && !errors.As(err, &prometheus.AlreadyRegisteredError{}) {
		return errors.Wrap(err, "cannot register the metric of drift")
	}

	return nil
}

// Repaired counts a repair. The field is one of forProvider, or what a resource is as
// a whole: "bucket".
func Repaired(kind, field string) { repaired.WithLabelValues(kind, field).Inc() }
