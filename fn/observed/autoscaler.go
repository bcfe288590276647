package observed

import "my-operator.dev/echo/fn/wire"

// An Autoscaler is what is read of a HorizontalPodAutoscaler.
type Autoscaler struct {
	Status struct {
		CurrentReplicas int32       `json:"currentReplicas"`
		DesiredReplicas int32       `json:"desiredReplicas"`
		Conditions      []Condition `json:"conditions"`
	} `json:"status"`
}

// ReadAutoscaler reads a HorizontalPodAutoscaler.
func ReadAutoscaler(s wire.Struct) (*Autoscaler, error) {
	a := &Autoscaler{}
	return a, wire.Unmarshal(s, a)
}

// Condition is the autoscaler's condition of the given type, the zero Condition
// if it has none.
func (a *Autoscaler) Condition(t string) Condition { return condition(a.Status.Conditions, t) }
