package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/wire"
)

// A Template is what an App's Pods are made from.
type Template struct {
	// Spec of the Pods, encoded once for all of them.
	Spec wire.Struct
	// Pod is a whole Pod, likewise: one that follows upon none that ended
	// early, as nearly all do.
	Pod wire.Struct
	// Hash of the spec. The encoding is canonical, so the hash changes when
	// the spec does and at no other time.
	Hash string
}

// NewTemplate renders the Pod template of an App.
func NewTemplate(a *app.App) (Template, error) {
	s, err := podSpec(a)
	if err != nil {
		return Template{}, err
	}

	spec, err := wire.Marshal(s)
	if err != nil {
		return Template{}, fmt.Errorf("cannot encode the Pod template: %w", err)
	}

	return newTemplate(a, hash(spec), spec)
}

// TemplateOf is the earlier template that a Pod was made from.
func TemplateOf(a *app.App, p *observed.Pod, hash string) (Template, error) {
	spec, err := p.Applied()
	if err != nil {
		return Template{}, fmt.Errorf("cannot copy Pod %q: %w", p.Metadata.Name, err)
	}

	return newTemplate(a, hash, spec)
}

func newTemplate(a *app.App, hash string, spec wire.Struct) (Template, error) {
	t := Template{Spec: spec, Hash: hash}

	var err error

	t.Pod, err = wire.Marshal(pod(a, t.Hash, 0, t.Spec))
	if err != nil {
		return Template{}, fmt.Errorf("cannot encode the Pod: %w", err)
	}

	return t, nil
}

// hash tells apart the handful of templates or files that an App has at a time,
// for which forty bits are plenty.
func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:5])
}
