package app

import (
	"errors"

	"my-operator.dev/echo/fn/wire"
)

// Settle brings what is handed on into one form, such that equal specs are equal
// bytes, and leaves out what is empty. Without it the same spec would give
// another Pod template at each call, for protobuf encodes maps in any order.
func (s *Spec) Settle() error {
	handed := []handed{
		{"command", &s.Command}, {"args", &s.Args}, {"env", &s.Env}, {"envFrom", &s.EnvFrom},
		{"imagePullSecrets", &s.ImagePullSecrets},
		{"probes.liveness", &s.Probes.Liveness}, {"probes.readiness", &s.Probes.Readiness}, {"probes.startup", &s.Probes.Startup},
	}

	if s.Resources != nil {
		handed = append(handed, resourceClaims(s.Resources))
	}

	if s.Scheduling != nil {
		handed = append(handed, tolerations(s.Scheduling))
	}

	return settle(handed)
}

// Settle does for the platform's defaults what Spec.Settle does for a spec.
func (d *Defaults) Settle() error {
	handed := []handed{{"imagePullSecrets", &d.ImagePullSecrets}}

	if d.Resources != nil {
		handed = append(handed, resourceClaims(d.Resources))
	}

	return settle(handed)
}

// A handed value is one that is handed on, and the path of its field.
type handed struct {
	path  string
	value *wire.Value
}

func resourceClaims(r *Resources) handed { return handed{"resources.claims", &r.Claims} }
func tolerations(s *Scheduling) handed   { return handed{"scheduling.tolerations", &s.Tolerations} }

func settle(all []handed) error {
	var mistakes wire.FieldErrors

	for _, h := range all {
		v, err := h.value.Canonical()
		if err != nil {
			var f wire.FieldErrors
			if !errors.As(err, &f) {
				f = wire.FieldErrors{{Problem: err.Error()}}
			}

			for _, e := range f {
				mistakes = append(mistakes, wire.FieldError{Path: h.path + e.Path, Problem: e.Problem})
			}

			continue
		}

		*h.value = v
	}

	if len(mistakes) > 0 {
		return mistakes
	}

	return nil
}
