package echo

import (
	"cmp"
	"strings"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/readiness"
)

// await says of an App that is held up which bucket it waits for.
func (c *composer) await(f *facts) {
	var waiting []string

	stuck := false

	for i := range c.buckets {
		if b := &c.buckets[i]; b.held {
			culprit, v := b.verdict()
			waiting = append(waiting, culprit+": "+cmp.Or(v.Message, v.Reason))
			stuck = stuck || v.Stuck
		}
	}

	if len(waiting) == 0 {
		return
	}

	f.waiting = "waiting for " + strings.Join(waiting, "; ")

	// A Pod that is in trouble of its own is what to look at first.
	if !f.verdict.Stuck {
		f.culprit = ""
		f.verdict = readiness.Verdict{Reason: ReasonWaitingForBuckets, Stuck: stuck}
	}
}

// bucketsReady is the condition of the App's buckets, in the words of their
// provider.
func (c *composer) bucketsReady() composition.Condition {
	var notes, missing []string

	reason := ""

	for i := range c.buckets {
		culprit, v := c.buckets[i].verdict()
		text := culprit + ": " + cmp.Or(v.Message, v.Reason)

		switch {
		case !v.Ready:
			missing = append(missing, text)
			reason = cmp.Or(reason, v.Reason)
		case v.Message != "":
			notes = append(notes, text)
		}
	}

	if len(missing) > 0 {
		return composition.Condition{Type: ConditionBucketsReady, Reason: reason, Message: strings.Join(missing, "; ")}
	}

	return composition.Condition{Type: ConditionBucketsReady, Status: true, Reason: readiness.ReasonReady, Message: strings.Join(notes, "; ")}
}

// bucketStatus is what is observed of the App's buckets.
func (c *composer) bucketStatus() []app.BucketStatus {
	var status []app.BucketStatus

	for i := range c.buckets {
		b := &c.buckets[i]
		_, v := b.verdict()
		s := app.BucketStatus{Name: b.Name, Ready: v.Ready}

		if b.bucket != nil {
			s.BucketName = b.bucket.Metadata.Annotations.ExternalName
		}

		if b.access != nil && b.access.Issued() {
			s.Secret = b.secret
		}

		status = append(status, s)
	}

	return status
}
