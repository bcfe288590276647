package observed

import (
	"slices"

	"my-operator.dev/echo/fn/wire"
)

// A binder is a container, by what it has in its environment.
type binder struct {
	EnvFrom []struct {
		SecretRef struct {
			Name string `json:"name"`
		} `json:"secretRef"`
	} `json:"envFrom"`
}

// ReadBindings reads the names of the Secrets that containers have in their
// environment as a whole: those of a Pod, or of the Pods that a Deployment makes.
func ReadBindings(s wire.Struct) ([]string, error) {
	var o struct {
		Spec struct {
			Containers []binder `json:"containers"`
			Template   struct {
				Spec struct {
					Containers []binder `json:"containers"`
				} `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}

	if err := wire.Unmarshal(s, &o); err != nil {
		return nil, err
	}

	var names []string

	for _, c := range slices.Concat(o.Spec.Containers, o.Spec.Template.Spec.Containers) {
		for _, e := range c.EnvFrom {
			if e.SecretRef.Name != "" {
				names = append(names, e.SecretRef.Name)
			}
		}
	}

	return names, nil
}
