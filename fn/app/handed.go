package app

import (
	"errors"
	"fmt"

	"my-operator.dev/echo/fn/wire"
)

// Settle brings what is handed on into one form, such that equal specs are equal
// bytes. Without it the same spec would give another Pod template at each call,
// for protobuf encodes maps in any order.
func (s *Spec) Settle() error {
	var m settler

	m.list("env", s.Env)
	m.list("envFrom", s.EnvFrom)
	m.list("imagePullSecrets", s.ImagePullSecrets)
	m.object("probes.liveness", &s.Probes.Liveness)
	m.object("probes.readiness", &s.Probes.Readiness)
	m.object("probes.startup", &s.Probes.Startup)

	if s.Resources != nil {
		m.list("resources.claims", s.Resources.Claims)
	}

	if s.Scheduling != nil {
		m.list("scheduling.tolerations", s.Scheduling.Tolerations)
	}

	return m.err()
}

// Settle does for the platform's defaults what Spec.Settle does for a spec.
func (d *Defaults) Settle() error {
	var m settler

	m.list("imagePullSecrets", d.ImagePullSecrets)

	if d.Resources != nil {
		m.list("resources.claims", d.Resources.Claims)
	}

	return m.err()
}

// A settler collects what does not decode.
type settler struct {
	mistakes wire.FieldErrors
}

func (m *settler) err() error {
	if len(m.mistakes) == 0 {
		return nil
	}

	return m.mistakes
}

func (m *settler) list(path string, objects []wire.Struct) {
	for i := range objects {
		m.object(fmt.Sprintf("%s[%d]", path, i), &objects[i])
	}
}

func (m *settler) object(path string, o *wire.Struct) {
	if len(*o) == 0 {
		return
	}

	c, err := o.Canonical()
	if err == nil {
		*o = c
		return
	}

	var fields wire.FieldErrors
	if !errors.As(err, &fields) {
		fields = wire.FieldErrors{{Problem: err.Error()}}
	}

	for _, f := range fields {
		f.Path = path + "." + f.Path
		m.mistakes = append(m.mistakes, f)
	}
}
