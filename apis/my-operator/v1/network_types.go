package v1

import corev1 "k8s.io/api/core/v1"

// A Port is one that the container listens on, and how the Service offers it.
type Port struct {
	// Name of the port, by which others refer to it. Without it the name is
	// made of protocol and port: "tcp-8080".
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=15
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	// +kubebuilder:validation:XValidation:rule="self.matches('[a-z]') && !self.contains('--')",message="needs at least one letter and no two hyphens in a row"
	// +optional
	Name string `json:"name,omitempty"`

	// Port that the container listens on.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port"`

	// ServicePort is the port of the Service; the container's port without it.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	// +optional
	ServicePort *int32 `json:"servicePort,omitempty"`

	// Protocol of the port.
	// +kubebuilder:default=TCP
	// +kubebuilder:validation:Enum=TCP;UDP;SCTP
	// +optional
	Protocol corev1.Protocol `json:"protocol,omitempty"`

	// AppProtocol tells proxies and meshes what is spoken on the port, such
	// as "http" or "kubernetes.io/h2c".
	// +kubebuilder:validation:MaxLength=253
	// +optional
	AppProtocol *string `json:"appProtocol,omitempty"`
}

// A Service says how an Echo's Service offers its ports.
type Service struct {
	// Type of the Service. Without it the platform's default holds, and
	// without that "ClusterIP".
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	// +optional
	Type corev1.ServiceType `json:"type,omitempty"`

	// Annotations of the Service, such as a cloud's load balancer reads.
	// +kubebuilder:validation:MaxProperties=64
	// +optional
	Annotations map[string]string `json:"annotations,omitempty"`
}

// An Ingress leads from outside the cluster to an Echo.
type Ingress struct {
	// Host that the Ingress answers to: "shop.example.com".
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`
	Host string `json:"host"`

	// Path below which requests are led to the Echo; all of them without it.
	// +kubebuilder:default=/
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^/`
	// +optional
	Path string `json:"path,omitempty"`

	// ClassName of the Ingress; the cluster's default class without it.
	// +kubebuilder:validation:MaxLength=253
	// +optional
	ClassName *string `json:"className,omitempty"`

	// TLSSecretName is the Secret with the host's certificate.
	// +kubebuilder:validation:MaxLength=253
	// +optional
	TLSSecretName string `json:"tlsSecretName,omitempty"`

	// Annotations of the Ingress, such as its controller reads.
	// +kubebuilder:validation:MaxProperties=64
	// +optional
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Monitoring has Prometheus scrape an Echo's Pods.
type Monitoring struct {
	// Port to scrape, by name.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=15
	Port string `json:"port"`

	// Path to scrape.
	// +kubebuilder:default=/metrics
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^/`
	// +optional
	Path string `json:"path,omitempty"`

	// Interval between two scrapes, such as "30s"; Prometheus' own without it.
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^([0-9]+(ms|s|m|h))+$`
	// +optional
	Interval string `json:"interval,omitempty"`
}
