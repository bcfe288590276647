package workload

import "my-operator.dev/echo/fn/app"

// Topology keys that Pods are spread over, see
// https://kubernetes.io/docs/reference/labels-annotations-taints/.
const (
	topologyHost = "kubernetes.io/hostname"
	topologyZone = "topology.kubernetes.io/zone"
)

// A SpreadConstraint tells the scheduler to spread Pods.
type SpreadConstraint struct {
	MaxSkew           int               `json:"maxSkew"`
	TopologyKey       string            `json:"topologyKey"`
	WhenUnsatisfiable string            `json:"whenUnsatisfiable"`
	LabelSelector     app.LabelSelector `json:"labelSelector"`
}

// Whether a Pod may run where it would be spread badly.
const (
	anyway = "ScheduleAnyway"
	never  = "DoNotSchedule"
)

// spread spreads an App's Pods over hosts and zones. A soft spread tells the
// scheduler what to prefer, and so never keeps a Pod from running. A hard one is
// hard over hosts alone: not every cluster has zones, and where nodes have none
// no Pod could run.
func spread(a *app.App) []SpreadConstraint {
	hosts := anyway

	if s := a.Spec.Scheduling; s != nil {
		switch s.Spread {
		case app.SpreadNone:
			return nil
		case app.SpreadHard:
			hosts = never
		case app.SpreadSoft:
		}
	}

	over := func(key, when string) SpreadConstraint {
		return SpreadConstraint{
			MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: when,
			LabelSelector: app.LabelSelector{MatchLabels: a.Selector()},
		}
	}

	return []SpreadConstraint{over(topologyHost, hosts), over(topologyZone, anyway)}
}
