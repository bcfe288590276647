package network

import "my-operator.dev/echo/fn/app"

// An Ingress is a rendered Ingress.
type Ingress struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Metadata   app.Metadata `json:"metadata"`
	Spec       IngressSpec  `json:"spec"`
}

// IngressSpec is the spec of a rendered Ingress.
type IngressSpec struct {
	IngressClassName *string       `json:"ingressClassName,omitempty"`
	Rules            []IngressRule `json:"rules"`
	TLS              []IngressTLS  `json:"tls,omitempty"`
}

// An IngressRule leads requests for a host to the App.
type IngressRule struct {
	Host string      `json:"host"`
	HTTP IngressHTTP `json:"http"`
}

// IngressHTTP holds the paths of a rule.
type IngressHTTP struct {
	Paths []IngressPath `json:"paths"`
}

// An IngressPath leads requests below a path to a Service.
type IngressPath struct {
	Path     string         `json:"path"`
	PathType string         `json:"pathType"`
	Backend  IngressBackend `json:"backend"`
}

// An IngressBackend is a port of a Service.
type IngressBackend struct {
	Service struct {
		Name string `json:"name"`
		Port struct {
			Name string `json:"name"`
		} `json:"port"`
	} `json:"service"`
}

// IngressTLS names the Secret with a host's certificate.
type IngressTLS struct {
	Hosts      []string `json:"hosts"`
	SecretName string   `json:"secretName"`
}

// NewIngress renders the Ingress of an App, which must have one and ports. It
// leads to the first port.
func NewIngress(a *app.App) *Ingress {
	s := a.Spec.Ingress

	path := IngressPath{Path: s.Path, PathType: "Prefix"}
	path.Backend.Service.Name = a.Name
	path.Backend.Service.Port.Name = a.Spec.Ports[0].Name

	i := &Ingress{
		APIVersion: "networking.k8s.io/v1",
		Kind:       "Ingress",
		Metadata:   a.Named(),
		Spec: IngressSpec{
			IngressClassName: s.ClassName,
			Rules:            []IngressRule{{Host: s.Host, HTTP: IngressHTTP{Paths: []IngressPath{path}}}},
		},
	}
	i.Metadata.Annotations = s.Annotations

	if s.TLSSecretName != "" {
		i.Spec.TLS = []IngressTLS{{Hosts: []string{s.Host}, SecretName: s.TLSSecretName}}
	}

	return i
}
