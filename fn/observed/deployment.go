package observed

import "my-operator.dev/echo/fn/wire"

// A Deployment is what is read of a Deployment.
type Deployment struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Metadata   Metadata         `json:"metadata"`
	Spec       DeploymentSpec   `json:"spec"`
	Status     DeploymentStatus `json:"status"`
}

// DeploymentSpec is what is read of a Deployment's spec.
type DeploymentSpec struct {
	Replicas int32 `json:"replicas"`
	Paused   bool  `json:"paused"`
	Template struct {
		Metadata struct {
			Labels struct {
				Template string `json:"my-operator.dev/template"`
			} `json:"labels"`
		} `json:"metadata"`
	} `json:"template"`
}

// DeploymentStatus is what is read of a Deployment's status.
type DeploymentStatus struct {
	ObservedGeneration int64       `json:"observedGeneration"`
	Replicas           int32       `json:"replicas"`
	UpdatedReplicas    int32       `json:"updatedReplicas"`
	ReadyReplicas      int32       `json:"readyReplicas"`
	AvailableReplicas  int32       `json:"availableReplicas"`
	Conditions         []Condition `json:"conditions"`
}

// ReadDeployment reads a Deployment.
func ReadDeployment(s wire.Struct) (*Deployment, error) {
	d := &Deployment{}
	return d, wire.Unmarshal(s, d)
}

// Condition is the Deployment's condition of the given type, the zero Condition
// if it has none.
func (d *Deployment) Condition(t string) Condition { return condition(d.Status.Conditions, t) }
