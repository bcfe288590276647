package workload

import (
	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// container is the name of an App's container.
const container = "echo"

// A PodSpec is the spec of a rendered Pod.
type PodSpec struct {
	AutomountServiceAccountToken  bool               `json:"automountServiceAccountToken"`
	ServiceAccountName            string             `json:"serviceAccountName,omitempty"`
	ImagePullSecrets              []wire.Struct      `json:"imagePullSecrets,omitempty"`
	TerminationGracePeriodSeconds *int64             `json:"terminationGracePeriodSeconds,omitempty"`
	SecurityContext               PodSecurity        `json:"securityContext"`
	NodeSelector                  map[string]string  `json:"nodeSelector,omitempty"`
	Tolerations                   []wire.Struct      `json:"tolerations,omitempty"`
	TopologySpreadConstraints     []SpreadConstraint `json:"topologySpreadConstraints,omitempty"`
	Containers                    []Container        `json:"containers"`
	Volumes                       []Volume           `json:"volumes,omitempty"`
}

// A Container is that of a rendered Pod.
type Container struct {
	Name            string            `json:"name"`
	Image           string            `json:"image"`
	Command         []string          `json:"command,omitempty"`
	Args            []string          `json:"args,omitempty"`
	Env             []wire.Struct     `json:"env,omitempty"`
	EnvFrom         []wire.Struct     `json:"envFrom,omitempty"`
	Ports           []ContainerPort   `json:"ports,omitempty"`
	Resources       *app.Resources    `json:"resources,omitempty"`
	SecurityContext ContainerSecurity `json:"securityContext"`
	LivenessProbe   wire.Struct       `json:"livenessProbe,omitempty"`
	ReadinessProbe  wire.Struct       `json:"readinessProbe,omitempty"`
	StartupProbe    wire.Struct       `json:"startupProbe,omitempty"`
	VolumeMounts    []VolumeMount     `json:"volumeMounts,omitempty"`
}

// A ContainerPort is one that a container listens on.
type ContainerPort struct {
	Name          string `json:"name"`
	ContainerPort int32  `json:"containerPort"`
	Protocol      string `json:"protocol"`
}

func podSpec(a *app.App) (*PodSpec, error) {
	volumes, mounts := volumes(a)

	sources, err := envFrom(a)
	if err != nil {
		return nil, err
	}

	s := &PodSpec{
		// An app that does not talk to the API server needs no key to it.
		AutomountServiceAccountToken:  false,
		ServiceAccountName:            a.Spec.ServiceAccountName,
		ImagePullSecrets:              a.Spec.ImagePullSecrets,
		TerminationGracePeriodSeconds: a.Spec.TerminationGracePeriodSeconds,
		SecurityContext:               podSecurity(a.Spec.Security),
		TopologySpreadConstraints:     spread(a),
		Containers: []Container{{
			Name:            container,
			Image:           a.Spec.Image,
			Command:         a.Spec.Command,
			Args:            a.Spec.Args,
			Env:             a.Spec.Env,
			EnvFrom:         sources,
			Ports:           containerPorts(a),
			Resources:       resources(a),
			SecurityContext: containerSecurity(a.Spec.Security),
			LivenessProbe:   a.Spec.Probes.Liveness,
			ReadinessProbe:  a.Spec.Probes.Readiness,
			StartupProbe:    a.Spec.Probes.Startup,
			VolumeMounts:    mounts,
		}},
		Volumes: volumes,
	}

	if sc := a.Spec.Scheduling; sc != nil {
		s.NodeSelector, s.Tolerations = sc.NodeSelector, sc.Tolerations
	}

	return s, nil
}

// resources are the container's; nil if it is to have none.
func resources(a *app.App) *app.Resources {
	if r := a.Spec.Resources; len(r.Requests)+len(r.Limits)+len(r.Claims) > 0 {
		return r
	}

	return nil
}

func containerPorts(a *app.App) []ContainerPort {
	ports := make([]ContainerPort, 0, len(a.Spec.Ports))
	for _, p := range a.Spec.Ports {
		ports = append(ports, ContainerPort{Name: p.Name, ContainerPort: p.Port, Protocol: p.Protocol})
	}

	return ports
}
