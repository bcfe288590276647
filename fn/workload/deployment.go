package workload

import (
	"fmt"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// A Deployment is a rendered Deployment.
type Deployment struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	// Spec is a DeploymentSpec, or the wire.Struct of one that is kept.
	Spec any `json:"spec"`
}

// DeploymentSpec is the spec of a rendered Deployment.
type DeploymentSpec struct {
	Replicas int               `json:"replicas"`
	Selector app.LabelSelector `json:"selector"`
	Strategy *Strategy         `json:"strategy,omitempty"`
	Template PodTemplate       `json:"template"`
}

// A Strategy says how a Deployment rolls out.
type Strategy struct {
	Type          string         `json:"type"`
	RollingUpdate *RollingUpdate `json:"rollingUpdate"`
}

// RollingUpdate bounds a rollout.
type RollingUpdate struct {
	MaxSurge       *app.Bound `json:"maxSurge,omitempty"`
	MaxUnavailable *app.Bound `json:"maxUnavailable,omitempty"`
}

// PodTemplate is what a Deployment makes Pods from.
type PodTemplate struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec wire.Struct `json:"spec"`
}

// NewDeployment renders the Deployment of an App.
func NewDeployment(a *app.App, t Template) *Deployment {
	s := DeploymentSpec{
		Replicas: a.Replicas(),
		Selector: app.LabelSelector{MatchLabels: a.Selector()},
		Template: PodTemplate{Spec: t.Spec},
	}
	s.Template.Metadata.Labels = a.Labels()
	s.Template.Metadata.Labels[app.LabelTemplate] = t.Hash

	if r := a.Spec.Rollout; r != nil && (r.MaxSurge != nil || r.MaxUnavailable != nil) {
		s.Strategy = &Strategy{
			Type:          "RollingUpdate",
			RollingUpdate: &RollingUpdate{MaxSurge: r.MaxSurge, MaxUnavailable: r.MaxUnavailable},
		}
	}

	return deployment(a, s)
}

// KeepDeployment renders a Deployment that exists and is to stay as it is until
// something else has taken over from it.
func KeepDeployment(a *app.App, spec wire.Struct) *Deployment { return deployment(a, spec) }

// HoldDeployment renders a Deployment that exists and is to keep its template, and
// nothing else, until what a later one needs is there: it still scales.
func HoldDeployment(a *app.App, spec wire.Struct) (*Deployment, error) {
	held := map[string]any{}
	if err := wire.Unmarshal(spec, &held); err != nil {
		return nil, fmt.Errorf("cannot read the spec of Deployment %q: %w", a.Name, err)
	}

	held["replicas"] = a.Replicas()

	return deployment(a, held), nil
}

func deployment(a *app.App, spec any) *Deployment {
	return &Deployment{APIVersion: "apps/v1", Kind: "Deployment", Metadata: a.Named(), Spec: spec}
}
