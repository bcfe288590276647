package network

import (
	"fmt"

	"my-operator.dev/echo/fn/app"
)

// A Service is a rendered Service.
type Service struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	Spec       ServiceSpec  `json:"spec"`
}

// ServiceSpec is the spec of a rendered Service.
type ServiceSpec struct {
	Type     app.ServiceType   `json:"type,omitempty"`
	Selector map[string]string `json:"selector"`
	Ports    []ServicePort     `json:"ports"`
}

// A ServicePort is a port of a rendered Service. It aims at the container's port
// by name, so that while the number of a named port changes, Pods of both numbers
// can serve.
type ServicePort struct {
	Name        string  `json:"name"`
	Protocol    string  `json:"protocol"`
	Port        int32   `json:"port"`
	TargetPort  string  `json:"targetPort"`
	AppProtocol *string `json:"appProtocol,omitempty"`
}

// NewService renders the Service of an App, which must have ports.
func NewService(a *app.App) *Service {
	s := &Service{
		APIVersion: "v1",
		Kind:       "Service",
		Metadata:   a.Named(),
		Spec:       ServiceSpec{Type: a.Spec.Service.Type, Selector: a.Selector()},
	}
	s.Metadata.Annotations = a.Spec.Service.Annotations

	for _, p := range a.Spec.Ports {
		s.Spec.Ports = append(s.Spec.Ports, ServicePort{
			Name:        p.Name,
			Protocol:    p.Protocol,
			Port:        *p.ServicePort,
			TargetPort:  p.Name,
			AppProtocol: p.AppProtocol,
		})
	}

	return s
}

// Address is where other Pods of the cluster reach the App, as host and first
// port of its Service.
func Address(a *app.App) string {
	return fmt.Sprintf("%s.%s.svc:%d", a.Name, a.Namespace, *a.Spec.Ports[0].ServicePort)
}
