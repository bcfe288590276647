package echo

import (
	"regexp"
	"strings"
	"time"

	"my-operator.dev/echo/fn/readiness"
)

// retryRefused is how long to wait before asking again for what the API server
// has refused. What it takes for it to be allowed, a label of a namespace or a
// rule of a webhook, nobody is told of.
const retryRefused = 30 * time.Second

// Reasons of conditions about what the API server has refused.
const (
	ReasonFailedCreate = "FailedCreate"
	ReasonRefused      = "Refused"
)

// refusal is Crossplane's word for an object that the API server has refused, as
// it stands in the message of the condition Synced.
var refusal = regexp.MustCompile(`cannot apply composed resource "([^"]+)": (.*)`)

// subject is how the API server begins: with the object, whose name is another
// each time that Crossplane tries.
var subject = regexp.MustCompile(`^\S+ "[^"]*" is `)

// refused is what the API server has refused to create: the key of the resource,
// and why.
type refused struct {
	key, why string
	wait     time.Duration
}

// refusedBefore finds out whether something was refused lately. Crossplane stops
// at a refusal, before it writes any status: so the Echo would fall silent unless
// what was refused is left out for a while. That it was is read off the
// conditions: off Synced right after, and from then on off this function's own,
// which has been there since.
func (c *composer) refusedBefore() refused {
	synced, _ := c.previous("Synced")

	if m := refusal.FindStringSubmatch(synced.Message); synced.Status == "False" && m != nil {
		if c.edited(synced.ObservedGeneration) {
			return refused{}
		}

		return refused{key: m[1], why: subject.ReplaceAllString(m[2], ""), wait: retryRefused}
	}

	for _, t := range []string{ConditionWorkloadReady, ConditionAccepted} {
		own, _ := c.previous(t)

		key, why, ok := strings.Cut(own.Message, separator(own.Reason))
		if !ok || own.Status != "False" || c.edited(synced.ObservedGeneration) {
			continue
		}

		since := synced.LastTransitionTime
		if own.LastTransitionTime.After(since) {
			since = own.LastTransitionTime
		}

		if wait := since.Add(retryRefused).Sub(c.now); wait > 0 && wait <= retryRefused {
			if own.Reason != ReasonRefused {
				key = keyPodPrefix
			}

			return refused{key: key, why: why, wait: wait}
		}
	}

	return refused{}
}

// Words before the reason of a refusal, in messages of conditions.
const (
	podsRefused = ": " + ReasonFailedCreate + ": "
	partRefused = " is refused: "
)

// separator is what stands before a refusal in the message of a condition with
// the given reason. No message holds the one for other reasons.
func separator(reason string) string {
	switch reason {
	case ReasonFailedCreate:
		return podsRefused
	case ReasonRefused:
		return partRefused
	default:
		return "\x00"
	}
}

// edited is true of a composite that has been changed since the given generation
// of it.
func (c *composer) edited(since int64) bool { return since < c.xr.Metadata.Generation }

// withhold leaves out of the answer what was refused lately, and says so.
func (c *composer) withhold(f *facts) {
	r := c.refusedBefore()
	if r.key == "" {
		return
	}

	pods := strings.HasPrefix(r.key, keyPodPrefix)
	withheld := false

	for key := range c.rsp.Resources {
		if (key == r.key || pods && strings.HasPrefix(key, keyPodPrefix)) && !c.exists(key) {
			delete(c.rsp.Resources, key)

			withheld = true
		}
	}

	if !withheld {
		return
	}

	c.rsp.NotReady = true
	c.requeue(r.wait)

	if !pods {
		c.refused = append(c.refused, r.key+partRefused+r.why)
		return
	}

	f.culprit = "its Pods are refused"
	f.verdict = readiness.Verdict{Reason: ReasonFailedCreate, Message: r.why, Stuck: true}
}
