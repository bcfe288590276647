package readiness

import (
	"cmp"
	"fmt"
	"slices"

	"my-operator.dev/echo/fn/observed"
)

// Pod judges a Pod.
func Pod(p *observed.Pod) Verdict {
	switch {
	case p.Terminating():
		return Verdict{Reason: ReasonTerminating}
	case p.Status.Phase == "Succeeded":
		return Verdict{Reason: ReasonCompleted, Message: "its container has ended, and is meant to keep running", Stuck: true}
	case p.Finished():
		return Verdict{Reason: cmp.Or(p.Status.Reason, ReasonFailed), Message: p.Status.Message, Stuck: true}
	case p.Condition("Ready").Status == "True":
		return Verdict{Ready: true, Reason: ReasonReady}
	}

	if c := p.Condition("PodScheduled"); c.Status == "False" && c.Reason == "Unschedulable" {
		return Verdict{Reason: ReasonUnschedulable, Message: c.Message, Stuck: true}
	}

	// Init containers run first, so what ails them is what holds up the rest.
	for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		if v, ok := container(c); ok {
			return v
		}
	}

	if p.Status.Phase == "Running" {
		return Verdict{Reason: ReasonNotReady, Message: p.Condition("Ready").Message}
	}

	return Verdict{Reason: ReasonStarting}
}

// container judges a container that is in the way of its Pod's readiness. It
// finds nothing wrong with one that is merely on its way.
func container(c observed.ContainerStatus) (Verdict, bool) {
	if w := c.State.Waiting; w != nil {
		switch w.Reason {
		case "ErrImagePull", "ImagePullBackOff":
			// The kubelet goes back and forth between the two.
			return Verdict{Reason: ReasonImagePullBackOff, Message: fmt.Sprintf("container %s: cannot pull its image", c.Name), Stuck: true}, true
		case "RegistryUnavailable", "SignatureValidationFailed":
			// Nor does it stay with these: it backs off in between.
			return Verdict{Reason: ReasonImagePullBackOff, Message: fmt.Sprintf("container %s: cannot pull its image", c.Name), Stuck: true}, true
		case "CrashLoopBackOff":
			if c.LastState.Terminated == nil {
				return Verdict{Reason: ReasonCrashLoopBackOff, Message: "container " + c.Name, Stuck: true}, true
			}
		case "RunContainerError":
			if c.LastState.Terminated == nil {
				return Verdict{Reason: w.Reason, Message: fmt.Sprintf("container %s: %s", c.Name, w.Message), Stuck: true}, true
			}
		case "", "ContainerCreating", "PodInitializing":
		default: // CreateContainerConfigError, InvalidImageName, ...
			return Verdict{Reason: w.Reason, Message: fmt.Sprintf("container %s: %s", c.Name, w.Message), Stuck: true}, true
		}
	}

	// A crashing container is waiting, running or terminated by turns.
	ended := c.LastState.Terminated
	if t := c.State.Terminated; t != nil && t.ExitCode != 0 {
		ended = t
	}

	if ended == nil || c.Ready {
		return Verdict{}, false
	}

	return Verdict{
		Reason:  ReasonCrashLoopBackOff,
		Message: fmt.Sprintf("container %s: ended with exit code %d (%s)", c.Name, ended.ExitCode, cmp.Or(ended.Reason, "Error")),
		Stuck:   true,
	}, true
}
