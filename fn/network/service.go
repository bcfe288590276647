package network

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"my-operator.dev/echo/fn/workload"
)

// A Service is a rendered Service.
type Service struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   workload.Metadata `json:"metadata"`
	Spec       ServiceSpec       `json:"spec"`
}

// ServiceSpec is the spec of a rendered Service.
type ServiceSpec struct {
	Selector map[string]string `json:"selector"`
	Ports    []ServicePort     `json:"ports"`
}

// A ServicePort is a port of a rendered Service. It aims at the container's port
// by name, so that Pods of two templates can serve one Service while the number
// changes.
type ServicePort struct {
	Name        string          `json:"name"`
	Protocol    corev1.Protocol `json:"protocol"`
	Port        int32           `json:"port"`
	TargetPort  string          `json:"targetPort"`
	AppProtocol *string         `json:"appProtocol,omitempty"`
}

// NewService renders the Service of an App, which must have ports.
func NewService(a *workload.App) *Service {
	ports := make([]ServicePort, 0, len(a.Spec.Ports))
	for _, p := range a.Spec.Ports {
		ports = append(ports, ServicePort{
			Name:        p.Name,
			Protocol:    p.Protocol,
			Port:        *p.ServicePort,
			TargetPort:  p.Name,
			AppProtocol: p.AppProtocol,
		})
	}

	return &Service{
		APIVersion: "v1",
		Kind:       "Service",
		Metadata:   a.Named(),
		Spec:       ServiceSpec{Selector: a.Selector(), Ports: ports},
	}
}

// Address is where other Pods of the cluster reach the App, as host and first
// port of its Service.
func Address(a *workload.App) string {
	return fmt.Sprintf("%s.%s.svc:%d", a.Name, a.Namespace, *a.Spec.Ports[0].ServicePort)
}
