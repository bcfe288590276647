package scaling

import (
	"my-operator.dev/echo/fn/app"
)

// defaultUtilization is the CPU that an App's Pods should use on average if its
// spec names no target, in percent of what they request. It is what Kubernetes
// takes in the same case.
const defaultUtilization = 80

// An Autoscaler is a rendered HorizontalPodAutoscaler.
type Autoscaler struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   app.Metadata   `json:"metadata"`
	Spec       AutoscalerSpec `json:"spec"`
}

// AutoscalerSpec is the spec of a rendered HorizontalPodAutoscaler.
type AutoscalerSpec struct {
	ScaleTargetRef Reference `json:"scaleTargetRef"`
	MinReplicas    *int32    `json:"minReplicas,omitempty"`
	MaxReplicas    int32     `json:"maxReplicas"`
	Metrics        []Metric  `json:"metrics"`
}

// A Reference names an object of the same namespace.
type Reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// A Metric is what an autoscaler goes by: the use of a resource.
type Metric struct {
	Type     string         `json:"type"`
	Resource ResourceMetric `json:"resource"`
}

// A ResourceMetric is how much of a resource Pods should use on average.
type ResourceMetric struct {
	Name   string `json:"name"`
	Target Target `json:"target"`
}

// A Target is in percent of what Pods request.
type Target struct {
	Type               string `json:"type"`
	AverageUtilization int32  `json:"averageUtilization"`
}

// NewAutoscaler renders the autoscaler of an App. It scales the Echo and not what
// the Echo is made of, so it does not matter what that is. Behind a claim it has
// to be the claim: Crossplane makes the composite's spec like the claim's.
func NewAutoscaler(a *app.App) *Autoscaler {
	s := a.Spec.Autoscaling

	var metrics []Metric
	if s.TargetCPUUtilization != nil {
		metrics = append(metrics, metric("cpu", *s.TargetCPUUtilization))
	}

	if s.TargetMemoryUtilization != nil {
		metrics = append(metrics, metric("memory", *s.TargetMemoryUtilization))
	}

	if len(metrics) == 0 {
		metrics = append(metrics, metric("cpu", defaultUtilization))
	}

	return &Autoscaler{
		APIVersion: "autoscaling/v2",
		Kind:       "HorizontalPodAutoscaler",
		Metadata:   a.Named(),
		Spec: AutoscalerSpec{
			ScaleTargetRef: Reference{APIVersion: app.APIVersion, Kind: app.KindEcho, Name: a.Name},
			MinReplicas:    s.MinReplicas,
			MaxReplicas:    s.MaxReplicas,
			Metrics:        metrics,
		},
	}
}

func metric(name string, utilization int32) Metric {
	return Metric{Type: "Resource", Resource: ResourceMetric{
		Name: name, Target: Target{Type: "Utilization", AverageUtilization: utilization},
	}}
}
