package workload

import (
	"strconv"

	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/wire"
)

// A Pod is a rendered Pod. Crossplane names it, after the Echo and its key, so
// that its name is stable and belongs to no object of anybody else.
type Pod struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Metadata   Metadata    `json:"metadata"`
	Spec       wire.Struct `json:"spec"`
}

// NewPod renders a Pod of an App from its template.
func NewPod(a *App, t Template, attempt int) *Pod {
	return pod(a, t.Hash, attempt, t.Spec)
}

// KeepPod renders a Pod that exists and was made from an earlier template: with
// the spec that it has, because next to none of a Pod's fields may change, and
// leaving one out is a change too.
func KeepPod(a *App, p *observed.Pod, attempt int) *Pod {
	return pod(a, p.Metadata.Labels[LabelTemplate], attempt, p.Spec)
}

func pod(a *App, hash string, attempt int, spec wire.Struct) *Pod {
	p := &Pod{
		APIVersion: "v1",
		Kind:       "Pod",
		Metadata:   Metadata{Namespace: a.Namespace, Labels: with(a.Labels(), LabelTemplate, hash)},
		Spec:       spec,
	}

	if attempt > 0 {
		p.Metadata.Annotations = map[string]string{AnnotationAttempt: strconv.Itoa(attempt)}
	}

	return p
}
