package echo

import (
	"fmt"

	"my-operator.dev/echo/fn/app"

	"my-operator.dev/echo/fn/network"
)

// report sets status and conditions.
func (c *composer) report(f facts, done bool) {
	want := c.app.Replicas()

	status := app.Status{
		CurrentReplicas: f.current,
		ReadyReplicas:   f.ready,
		UpdatedReplicas: f.updated,
		IsReady:         done,
		LabelSelector:   app.LabelEcho + "=" + c.app.Name,
		Phase:           phase(f, want, done),
		Message:         message(f, want),
		Buckets:         c.bucketStatus(),
	}

	if len(c.app.Spec.Ports) > 0 && c.exists(keyService) {
		status.Address = network.Address(c.app)
	}

	c.rsp.Status = status
	c.rsp.NotReady = c.rsp.NotReady || !done
	c.conditions(f, want, done, status.Message)
}

func phase(f facts, want int, done bool) app.Phase {
	switch {
	case done && want == 0:
		return app.PhaseStopped
	case done:
		return app.PhaseRunning
	case f.verdict.Stuck:
		return app.PhaseDegraded
	case f.ready == 0 && want > 0:
		return app.PhasePending
	default:
		return app.PhaseProgressing
	}
}

// message says how many of the replicas are ready, how many are of the latest
// spec if not all are, and what holds things up.
func message(f facts, want int) string {
	s := fmt.Sprintf("%d/%d replicas ready", f.ready, want)

	if f.updated < f.current {
		s += fmt.Sprintf(", %d updated", f.updated)
	}

	if f.culprit != "" && !f.verdict.Ready {
		s += ": " + f.culprit + ": " + f.verdict.String()
	}

	if f.waiting != "" {
		s += ": " + f.waiting
	}

	return s
}
