package workload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"my-operator.dev/echo/fn/wire"
)

// container is the name of an App's container.
const container = "echo"

// A Template is what an App's Pods are made from.
type Template struct {
	// Spec of the Pods, encoded once for all of them.
	Spec wire.Struct
	// Hash of the spec. The encoding is canonical, so the hash changes when
	// the spec does and at no other time.
	Hash string
}

// NewTemplate renders the Pod template of an App.
func NewTemplate(a *App) (Template, error) {
	spec, err := wire.Marshal(podSpec(a))
	if err != nil {
		return Template{}, fmt.Errorf("cannot encode the Pod template: %w", err)
	}

	sum := sha256.Sum256(spec)

	// Forty bits tell apart the handful of templates an App has at a time.
	return Template{Spec: spec, Hash: hex.EncodeToString(sum[:5])}, nil
}

func podSpec(a *App) *corev1.PodSpec {
	no := false

	return &corev1.PodSpec{
		// An app that does not talk to the API server needs no key to it.
		AutomountServiceAccountToken: &no,
		SecurityContext: &corev1.PodSecurityContext{
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{{
			Name:            container,
			Image:           a.Spec.Image,
			Command:         a.Spec.Command,
			Args:            a.Spec.Args,
			Env:             a.Spec.Env,
			EnvFrom:         a.Spec.EnvFrom,
			Ports:           containerPorts(a),
			Resources:       *a.Spec.Resources,
			SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: &no},
		}},
	}
}

func containerPorts(a *App) []corev1.ContainerPort {
	ports := make([]corev1.ContainerPort, 0, len(a.Spec.Ports))
	for _, p := range a.Spec.Ports {
		ports = append(ports, corev1.ContainerPort{Name: p.Name, ContainerPort: p.Port, Protocol: p.Protocol})
	}

	return ports
}
