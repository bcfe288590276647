package workload

import "my-operator.dev/echo/fn/app"

// PodSecurity is the part of a security profile that holds for a Pod.
type PodSecurity struct {
	RunAsNonRoot   bool           `json:"runAsNonRoot,omitempty"`
	RunAsUser      *int64         `json:"runAsUser,omitempty"`
	RunAsGroup     *int64         `json:"runAsGroup,omitempty"`
	FSGroup        *int64         `json:"fsGroup,omitempty"`
	SeccompProfile SeccompProfile `json:"seccompProfile"`
}

// A SeccompProfile says which system calls are left to a container.
type SeccompProfile struct {
	Type string `json:"type"`
}

// ContainerSecurity is the part of a security profile that holds for a container.
type ContainerSecurity struct {
	AllowPrivilegeEscalation *bool         `json:"allowPrivilegeEscalation"`
	ReadOnlyRootFilesystem   bool          `json:"readOnlyRootFilesystem,omitempty"`
	Capabilities             *Capabilities `json:"capabilities,omitempty"`
}

// Capabilities of a container.
type Capabilities struct {
	Drop []string `json:"drop"`
}

func podSecurity(s *app.Security) PodSecurity {
	return PodSecurity{
		RunAsNonRoot:   s.Profile == app.ProfileRestricted,
		RunAsUser:      s.RunAsUser,
		RunAsGroup:     s.RunAsGroup,
		FSGroup:        s.FSGroup,
		SeccompProfile: SeccompProfile{Type: "RuntimeDefault"},
	}
}

// containerSecurity follows, for the profile Restricted, the Pod Security
// Standard of that name, see
// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted.
func containerSecurity(s *app.Security) ContainerSecurity {
	c := ContainerSecurity{AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: s.ReadOnlyRootFilesystem}

	if s.Profile == app.ProfileRestricted {
		c.Capabilities = &Capabilities{Drop: []string{"ALL"}}
	}

	return c
}
