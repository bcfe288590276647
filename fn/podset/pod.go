package podset

import (
	"time"
)

// State is how a Pod does, in the order in which Pods are let go when there are
// more than are wanted: the one that is missed least comes first.
type State int

// The states that a Pod can be in.
const (
	// Finished: the Pod has ended for good, such as by eviction.
	Finished State = iota
	// Unready: the Pod is starting, or not fit to serve.
	Unready
	// Ready: the Pod is fit to serve.
	Ready
)

// A Pod is one that was observed.
type Pod struct {
	// Slot names the Pod.
	Slot int
	// Template is the hash of the template that the Pod was made from.
	Template string
	// State is how it does.
	State State
	// Terminating Pods are on their way out, whatever their state.
	Terminating bool
	// Created is when it was made.
	Created time.Time
	// Finished is when it ended, if its State is Finished.
	Finished time.Time
	// Attempt counts the Pods before this one that ended early, one after the
	// other.
	Attempt int
}

// Back-off for Pods that end early. The figures are those of the kubelet for
// containers (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy):
// 10 seconds, doubled each time, five minutes at most, forgotten after ten
// minutes of running well.
const (
	backoffStart = 10 * time.Second
	backoffMost  = 5 * time.Minute
	backoffReset = 10 * time.Minute
)

// nextAttempt is the attempt of the Pod that replaces p, which is Finished.
func (p Pod) nextAttempt() int {
	if p.Finished.Sub(p.Created) >= backoffReset {
		return 1
	}

	return p.Attempt + 1
}

// replaceAt is when p, which is Finished, is due for replacement: the first one
// to end is replaced at once, each after it is left to lie for longer.
func (p Pod) replaceAt() time.Time {
	n := p.nextAttempt() - 1
	if n == 0 {
		return p.Finished
	}

	wait := backoffMost
	if n <= 5 { // 10 s doubled five times is over five minutes.
		wait = min(backoffMost, backoffStart<<(n-1))
	}

	return p.Finished.Add(wait)
}
