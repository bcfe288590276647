package echo

import "time"

// While Crossplane's circuit breaker for a composite is open, events of what it is
// made of are dropped, but for one in 30 seconds. What the last of them told would
// not be seen until something else happens, so the Echo has itself looked at. The
// condition Responsive tells of an open breaker, see TypeResponsive in Crossplane's
// apis/apiextensions/v1.
//
// It stays open until the first event after five minutes (--circuit-breaker-cooldown),
// and for an Echo that is at rest that may be long. By then hardly anything can have
// been missed, so the waits grow.
const (
	conditionResponsive = "Responsive"

	lookUnready = 10 * time.Second
	lookReady   = 30 * time.Second
	lookAtLeast = 10 * time.Minute
	cooldown    = 5 * time.Minute
)

// lookAgain asks to be called again while Crossplane does not tell of every change.
func (c *composer) lookAgain() {
	responsive, _ := c.previous(conditionResponsive)
	if responsive.Status != "False" {
		return
	}

	look := lookReady
	if c.unready() {
		look = lookUnready
	}

	open := c.now.Sub(responsive.LastTransitionTime)
	c.requeue(min(max(look, open/(cooldown/look)), lookAtLeast))
}

// unready is true of an answer in which something is still waited for.
func (c *composer) unready() bool {
	for _, r := range c.rsp.Resources {
		if !r.Ready {
			return true
		}
	}

	return c.rsp.NotReady
}

// requeue asks to be called again after a while, or sooner if something else asked
// for that.
func (c *composer) requeue(wait time.Duration) {
	if c.rsp.Requeue == 0 || wait < c.rsp.Requeue {
		c.rsp.Requeue = wait
	}
}
