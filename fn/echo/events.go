package echo

import (
	"slices"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/readiness"
)

// passing are the reasons of an Echo that is merely on its way. They come and go
// by the second, and are no news.
var passing = []string{
	readiness.ReasonProgressing, readiness.ReasonStarting, readiness.ReasonNotReady, readiness.ReasonTerminating, ReasonCreating,
	ReasonWaitingForBuckets, // What it waits for is told of the buckets.
	readiness.ReasonWaitingForBucket,
}

// announce records an event for each condition that has turned: to good, or to a
// reason that somebody should do something about. What the conditions were is
// read off the composite, so nothing is said twice.
func (c *composer) announce() {
	for _, now := range c.rsp.Conditions {
		before, known := c.previous(now.Type)
		good := before.Status == "True"

		switch {
		case now.Status && known && !good:
			c.rsp.Events = append(c.rsp.Events, composition.Event{Reason: now.Reason, Message: text(now)})
		case !now.Status && before.Reason != now.Reason && now.Reason != ReasonNotRequested && !slices.Contains(passing, now.Reason):
			c.rsp.Events = append(c.rsp.Events, composition.Event{Warning: true, Reason: now.Reason, Message: text(now)})
		}
	}
}

func text(c composition.Condition) string {
	if c.Message == "" {
		return c.Type + " is " + c.Reason
	}

	return c.Message
}
