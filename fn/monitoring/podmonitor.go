// Package monitoring renders what has an Echo's Pods monitored.
package monitoring

import "my-operator.dev/echo/fn/app"

// A PodMonitor is a rendered PodMonitor of the Prometheus operator. It, and not
// a ServiceMonitor, because an Echo's Pods are all alike and each counts, whether
// its Service leads to it or not.
type PodMonitor struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   app.Metadata   `json:"metadata"`
	Spec       PodMonitorSpec `json:"spec"`
}

// PodMonitorSpec is the spec of a rendered PodMonitor.
type PodMonitorSpec struct {
	Selector            app.LabelSelector `json:"selector"`
	PodMetricsEndpoints []Endpoint        `json:"podMetricsEndpoints"`
}

// An Endpoint is what to scrape of each Pod.
type Endpoint struct {
	Port     string `json:"port"`
	Path     string `json:"path"`
	Interval string `json:"interval,omitempty"`
}

// APIVersion and Kind of a PodMonitor.
const (
	APIVersion = "monitoring.coreos.com/v1"
	Kind       = "PodMonitor"
)

// NewPodMonitor renders the PodMonitor of an App.
func NewPodMonitor(a *app.App) *PodMonitor {
	m := a.Spec.Monitoring

	return &PodMonitor{
		APIVersion: APIVersion,
		Kind:       Kind,
		Metadata:   a.Named(),
		Spec: PodMonitorSpec{
			Selector:            app.LabelSelector{MatchLabels: a.Selector()},
			PodMetricsEndpoints: []Endpoint{{Port: m.Port, Path: m.Path, Interval: m.Interval}},
		},
	}
}
