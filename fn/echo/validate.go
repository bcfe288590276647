package echo

import (
	"cmp"
	"fmt"
	"regexp"

	corev1 "k8s.io/api/core/v1"

	inputv1beta1 "my-operator.dev/echo/apis/fn/v1beta1"
	echov1 "my-operator.dev/echo/apis/my-operator/v1"
	"my-operator.dev/echo/fn/wire"
)

// Admission refuses most of what is refused here, and earlier. It is refused
// here too because not every request passed an API server with the schema of
// this version: a local render does not, nor does a composite that is older than
// a rule.

// mistakes collects what is wrong with a spec.
type mistakes wire.FieldErrors

func (m *mistakes) add(path, problem string, args ...any) {
	*m = append(*m, wire.FieldError{Path: path, Problem: fmt.Sprintf(problem, args...)})
}

// serviceName is what may name a Service: a DNS label that starts with a letter
// (RFC 1035).
var serviceName = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

func validateInput(in *inputv1beta1.Input) wire.FieldErrors {
	var m mistakes

	m.workload("input.defaults.workload", in.Defaults.Workload)

	if n := in.Limits.MaxReplicas; n != nil && *n < 0 {
		m.add("input.limits.maxReplicas", "must not be negative, got %d", *n)
	}

	return wire.FieldErrors(m)
}

func validate(xr *composite, in *inputv1beta1.Input) wire.FieldErrors {
	var m mistakes

	s := xr.Spec.EchoSpec

	name := xr.Metadata.Name

	switch c := xr.Spec.ClaimRef; {
	case c != nil:
		name = c.Name

		if c.Namespace == "" || c.Name == "" {
			m.add("spec.claimRef", "needs a namespace and a name")
		}
	case name == "":
		m.add("metadata.name", "must not be empty")
	case xr.Metadata.Namespace == "":
		m.add("metadata.namespace", "must not be empty: there is no claim either that would say where to compose")
	}

	if s.Image == "" {
		m.add("spec.image", "must not be empty")
	}

	if n := s.Replicas; n != nil && (*n < 0 || *n > 1000) {
		m.add("spec.replicas", "must be between 0 and 1000, got %d", *n)
	} else if most := in.Limits.MaxReplicas; n != nil && most != nil && *n > *most {
		m.add("spec.replicas", "must be at most %d, which is the platform's limit, got %d", *most, *n)
	}

	m.workload("spec.workload", s.Workload)
	m.ports(s.Ports)

	if len(s.Ports) > 0 && name != "" && !serviceName.MatchString(name) {
		m.add("metadata.name", "an Echo with ports needs a name that a Service may have, which %q is not: lower-case letters, digits and hyphens, a letter first", name)
	}

	return wire.FieldErrors(m)
}

func (m *mistakes) workload(path string, w echov1.Workload) {
	switch w {
	case "", echov1.WorkloadPods, echov1.WorkloadDeployment:
	default:
		m.add(path, "must be %q or %q, got %q", echov1.WorkloadPods, echov1.WorkloadDeployment, string(w))
	}
}

func (m *mistakes) ports(ports []echov1.Port) {
	type number struct {
		protocol corev1.Protocol
		port     int32
	}

	names, containers, services := map[string]bool{}, map[number]bool{}, map[number]bool{}

	for i, p := range ports {
		path := fmt.Sprintf("spec.ports[%d]", i)
		protocol := cmp.Or(p.Protocol, corev1.ProtocolTCP)

		switch protocol {
		case corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP:
		default:
			m.add(path+".protocol", "must be TCP, UDP or SCTP, got %q", string(p.Protocol))
		}

		servicePort := p.Port
		m.port(path+".port", p.Port)

		if p.ServicePort != nil {
			servicePort = *p.ServicePort
			m.port(path+".servicePort", servicePort)
		}

		name := portName(p)
		if names[name] {
			m.add(path+".name", "duplicate %q", name)
		}

		if c := (number{protocol, p.Port}); containers[c] {
			m.add(path+".port", "duplicate %d/%s", p.Port, protocol)
		} else if services[number{protocol, servicePort}] {
			m.add(path+".servicePort", "duplicate %d/%s", servicePort, protocol)
		}

		names[name] = true
		containers[number{protocol, p.Port}] = true
		services[number{protocol, servicePort}] = true
	}
}

func (m *mistakes) port(path string, n int32) {
	if n < 1 || n > 65535 {
		m.add(path, "must be between 1 and 65535, got %d", n)
	}
}
