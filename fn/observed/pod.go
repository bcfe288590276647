package observed

import (
	"time"

	"my-operator.dev/echo/fn/wire"
)

// A Pod is what is read of a Pod.
type Pod struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   Metadata `json:"metadata"`
	// Spec is kept as it is: a Pod of an earlier template must be asked for
	// again exactly as it stands, for hardly any field of it may change.
	Spec   wire.Struct `json:"spec"`
	Status PodStatus   `json:"status"`

	whole wire.Struct
}

// PodStatus is what is read of a Pod's status.
type PodStatus struct {
	Phase                 string            `json:"phase"`
	Reason                string            `json:"reason"`
	Message               string            `json:"message"`
	Conditions            []Condition       `json:"conditions"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses"`
}

// ContainerStatus is what is read of the status of a container.
type ContainerStatus struct {
	Name         string         `json:"name"`
	Ready        bool           `json:"ready"`
	RestartCount int32          `json:"restartCount"`
	State        ContainerState `json:"state"`
	LastState    ContainerState `json:"lastState"`
}

// ContainerState is what is read of the state of a container.
type ContainerState struct {
	Waiting *struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"waiting"`
	Terminated *struct {
		Reason     string    `json:"reason"`
		Message    string    `json:"message"`
		ExitCode   int32     `json:"exitCode"`
		FinishedAt time.Time `json:"finishedAt"`
	} `json:"terminated"`
}

// ReadPod reads a Pod.
func ReadPod(s wire.Struct) (*Pod, error) {
	p := &Pod{whole: s}
	return p, wire.Unmarshal(s, p)
}

// Terminating is true of a Pod that is on its way out.
func (p *Pod) Terminating() bool { return p.Metadata.DeletionTimestamp != nil }

// Finished is true of a Pod that has ended for good. The kubelet restarts
// containers, but not a Pod that was evicted or whose node has gone.
func (p *Pod) Finished() bool {
	return p.Status.Phase == "Failed" || p.Status.Phase == "Succeeded"
}

// FinishedAt is when a finished Pod ended, as near as its status tells.
func (p *Pod) FinishedAt() time.Time {
	at := p.Metadata.CreationTimestamp

	for _, c := range p.Status.ContainerStatuses {
		if t := c.State.Terminated; t != nil && t.FinishedAt.After(at) {
			at = t.FinishedAt
		}
	}

	for _, c := range p.Status.Conditions {
		if c.LastTransitionTime.After(at) {
			at = c.LastTransitionTime
		}
	}

	return at
}

// Condition is the Pod's condition of the given type, the zero Condition if it
// has none.
func (p *Pod) Condition(t string) Condition { return condition(p.Status.Conditions, t) }
