package workload

import (
	"fmt"
	"strconv"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/wire"
)

// A Pod is a rendered Pod. Crossplane names it, after the Echo and its key, so
// that its name is stable and belongs to no object of anybody else.
type Pod struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	Spec       wire.Struct  `json:"spec"`
}

// NewPod renders a Pod of an App from its template: a Pod, or the wire.Struct of
// one.
func NewPod(a *app.App, t Template, attempt int) any {
	if attempt == 0 {
		return t.Pod
	}

	return pod(a, t.Hash, attempt, t.Spec)
}

// KeepPod renders a Pod that exists and was made from an earlier template: with
// just what was asked for then. Next to none of a Pod's fields may change, and
// asking for less is a change too; asking for more would be one later, when this
// function stops asking for it.
func KeepPod(a *app.App, p *observed.Pod, template string, attempt int) (*Pod, error) {
	spec, err := p.Applied()
	if err != nil {
		return nil, fmt.Errorf("cannot keep Pod %q: %w", p.Metadata.Name, err)
	}

	return pod(a, template, attempt, spec), nil
}

func pod(a *app.App, hash string, attempt int, spec wire.Struct) *Pod {
	p := &Pod{
		APIVersion: "v1",
		Kind:       "Pod",
		Metadata:   app.Metadata{Namespace: a.Namespace, Labels: a.Labels()},
		Spec:       spec,
	}
	p.Metadata.Labels[app.LabelTemplate] = hash

	if attempt > 0 {
		p.Metadata.Annotations = map[string]string{app.AnnotationAttempt: strconv.Itoa(attempt)}
	}

	return p
}
