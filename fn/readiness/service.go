package readiness

import "my-operator.dev/echo/fn/observed"

// Service judges a Service: ready once it exists, or for one of type
// LoadBalancer once it has an address.
func Service(s *observed.Service) Verdict {
	if s.Spec.Type == "LoadBalancer" && len(s.Status.LoadBalancer.Ingress) == 0 {
		return Verdict{Reason: ReasonProgressing, Message: "it has no address of a load balancer yet"}
	}

	return Verdict{Ready: true, Reason: ReasonReady}
}
