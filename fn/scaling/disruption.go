package scaling

import "my-operator.dev/echo/fn/app"

// A Budget is a rendered PodDisruptionBudget.
type Budget struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	Spec       BudgetSpec   `json:"spec"`
}

// BudgetSpec is the spec of a rendered PodDisruptionBudget.
type BudgetSpec struct {
	Selector app.LabelSelector `json:"selector"`
	// MinAvailable is a number. For a percentage, or for maxUnavailable,
	// Kubernetes has to know how many Pods there should be, by the scale of
	// what controls them. It looks for that in the Pods' namespace, where the
	// composite behind a claim is not, and then allows no eviction at all.
	MinAvailable int `json:"minAvailable"`
	// UnhealthyPodEvictionPolicy: unready Pods may always be evicted. They
	// serve nobody, and one that never gets ready would keep its node from
	// being drained for ever.
	UnhealthyPodEvictionPolicy string `json:"unhealthyPodEvictionPolicy"`
}

// WantsBudget is true of an App that should have a disruption budget: one that
// asks for it, or that has several replicas. With a single replica a budget of
// ours would only keep its node from being drained.
func WantsBudget(a *app.App) bool { return a.Spec.Disruption != nil || a.Replicas() > 1 }

// NewBudget renders the disruption budget of an App: all of its Pods but one
// should be available, unless it says otherwise.
func NewBudget(a *app.App) *Budget {
	available := max(0, a.Replicas()-1)
	if d := a.Spec.Disruption; d != nil {
		available = d.MinAvailable.Of(a.Replicas(), true)
	}

	return &Budget{
		APIVersion: "policy/v1",
		Kind:       "PodDisruptionBudget",
		Metadata:   a.Named(),
		Spec: BudgetSpec{
			Selector:                   app.LabelSelector{MatchLabels: a.Selector()},
			MinAvailable:               available,
			UnhealthyPodEvictionPolicy: "AlwaysAllow",
		},
	}
}
