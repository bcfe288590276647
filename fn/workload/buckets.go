package workload

import (
	"fmt"
	"slices"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// An EnvFromSource makes environment variables of the keys of a Secret.
type EnvFromSource struct {
	Prefix    string          `json:"prefix,omitempty"`
	SecretRef SecretReference `json:"secretRef"`
}

// A SecretReference names a Secret.
type SecretReference struct {
	Name string `json:"name"`
}

// envFrom is the container's: what the tenant wrote, and then the keys to each of
// the App's buckets, so that those hold where the two have a variable in common.
func envFrom(a *app.App) ([]wire.Struct, error) {
	if len(a.Spec.Buckets) == 0 {
		return a.Spec.EnvFrom, nil
	}

	sources := slices.Clone(a.Spec.EnvFrom)

	for i, b := range a.Spec.Buckets {
		s, err := wire.Marshal(EnvFromSource{Prefix: b.EnvPrefix, SecretRef: SecretReference{Name: a.BucketSecret(b.Name)}})
		if err != nil {
			return nil, fmt.Errorf("cannot bind spec.buckets[%d]: %w", i, err)
		}

		sources = append(sources, s)
	}

	return sources, nil
}
