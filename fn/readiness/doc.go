// Package readiness judges whether a resource does its job, and if not says why
// in words that its owner can act on. It has a file per kind.
//
// Messages hold still while the facts do: what the kubelet counts or words anew
// at each try ("back-off 20s ...") is left out, because every change of a message
// is a write.
package readiness

// A Verdict is what came of judging a resource.
type Verdict struct {
	// Ready: the resource does its job.
	Ready bool
	// Reason in one CamelCase word why it does not.
	Reason string
	// Message says more, if there is more to say.
	Message string
	// Stuck: it will not get ready unless somebody does something.
	Stuck bool
}

// String is the verdict as part of a sentence: "ImagePullBackOff: no such image".
func (v Verdict) String() string {
	if v.Message == "" {
		return v.Reason
	}

	return v.Reason + ": " + v.Message
}

// Reasons that a tenant can act on.
const (
	ReasonReady                    = "Ready"
	ReasonProgressing              = "Progressing"
	ReasonTerminating              = "Terminating"
	ReasonStarting                 = "Starting"
	ReasonNotReady                 = "NotReady"
	ReasonFailed                   = "Failed"
	ReasonCompleted                = "Completed"
	ReasonUnschedulable            = "Unschedulable"
	ReasonImagePullBackOff         = "ImagePullBackOff"
	ReasonCrashLoopBackOff         = "CrashLoopBackOff"
	ReasonQuotaExceeded            = "QuotaExceeded"
	ReasonPaused                   = "Paused"
	ReasonProgressDeadlineExceeded = "ProgressDeadlineExceeded"
	ReasonWaitingForBucket         = "WaitingForBucket"
)
