package readiness

import (
	"cmp"

	"my-operator.dev/echo/fn/observed"
)

// A managed resource is one that a provider sees to.
type managed interface {
	Condition(t string) observed.Condition
	Terminating() bool
}

// Bucket judges a Bucket: ready when its provider says so.
func Bucket(b *observed.Bucket) Verdict { return provided(b) }

// BucketAccess judges a BucketAccess: ready when its provider says so. One whose
// provider has yet to see the Bucket get ready is not stuck.
func BucketAccess(a *observed.BucketAccess) Verdict {
	v := provided(a)
	if v.Stuck && a.Condition("Ready").Reason == ReasonWaitingForBucket {
		v.Reason, v.Stuck = ReasonWaitingForBucket, false
	}

	return v
}

// provided judges a resource by the conditions that all providers set. What keeps
// a provider from doing its job is on Synced, what it waits for on Ready.
func provided(r managed) Verdict {
	ready, synced := r.Condition("Ready"), r.Condition("Synced")

	switch {
	case r.Terminating():
		return Verdict{Reason: ReasonTerminating, Message: cmp.Or(refusal(synced), ready.Message)}
	case ready.Status == "True":
		// Part of what is asked for may be more than the server can do.
		if c := r.Condition("Supported"); c.Status == "False" {
			return Verdict{Ready: true, Reason: ReasonReady, Message: c.Message}
		}

		return Verdict{Ready: true, Reason: ReasonReady}
	case synced.Status == "False":
		return Verdict{Reason: cmp.Or(synced.Reason, ReasonFailed), Message: synced.Message, Stuck: true}
	case ready.Status == "False":
		return Verdict{Reason: cmp.Or(ready.Reason, ReasonNotReady), Message: ready.Message}
	}

	return Verdict{Reason: ReasonStarting}
}

// refusal is what a condition that is not true says.
func refusal(c observed.Condition) string {
	if c.Status != "False" {
		return ""
	}

	return c.Message
}
