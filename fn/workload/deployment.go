package workload

import "my-operator.dev/echo/fn/wire"

// A Deployment is a rendered Deployment.
type Deployment struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   Metadata       `json:"metadata"`
	Spec       DeploymentSpec `json:"spec"`
}

// DeploymentSpec is the spec of a rendered Deployment.
type DeploymentSpec struct {
	Replicas int           `json:"replicas"`
	Selector LabelSelector `json:"selector"`
	Template PodTemplate   `json:"template"`
}

// LabelSelector selects objects by their labels.
type LabelSelector struct {
	MatchLabels map[string]string `json:"matchLabels"`
}

// PodTemplate is what a Deployment makes Pods from.
type PodTemplate struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec wire.Struct `json:"spec"`
}

// NewDeployment renders the Deployment of an App.
func NewDeployment(a *App, t Template) *Deployment {
	d := &Deployment{
		APIVersion: "apps/v1",
		Kind:       "Deployment",
		Metadata:   a.Named(),
		Spec: DeploymentSpec{
			Replicas: a.Replicas(),
			Selector: LabelSelector{MatchLabels: a.Selector()},
			Template: PodTemplate{Spec: t.Spec},
		},
	}
	d.Spec.Template.Metadata.Labels = a.Labels()

	return d
}
