package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Group and Version of this API, and the kinds under which an Echo comes.
const (
	Group      = "my-operator.dev"
	Version    = "v1"
	APIVersion = Group + "/" + Version

	// KindEcho is what a tenant applies: a namespaced composite, or a claim.
	KindEcho = "Echo"
	// KindXEcho is the cluster-scoped composite behind a claim.
	KindXEcho = "XEcho"
)

// An Echo is an app: an image that runs in some number of replicas, with a
// Service in front of it when it has ports.
//
// +echo:composite:claims=true
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=echoes,singular=echo,shortName=ec,categories=apps,scope=Namespaced
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.currentReplicas,selectorpath=.status.labelSelector
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Current",type=integer,JSONPath=`.status.currentReplicas`
// +kubebuilder:printcolumn:name="Available",type=integer,JSONPath=`.status.readyReplicas`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.image`
// +kubebuilder:printcolumn:name="Message",type=string,JSONPath=`.status.message`,priority=1
type Echo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   EchoSpec   `json:"spec"`
	Status EchoStatus `json:"status,omitempty"`
}

// EchoSpec is what a tenant asks for. Only the image is required.
type EchoSpec struct {
	// Image is the container image to run, as in a Pod: "nginx:1.21".
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^\S+$`
	Image string `json:"image"`

	// Replicas is how many Pods to run. Zero stops the app and keeps the rest.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// Workload is what runs the Pods: "Pods" manages each one on its own,
	// "Deployment" leaves them to Kubernetes' Deployment controller. Without
	// it the platform's default holds, and without that "Pods".
	// +optional
	Workload Workload `json:"workload,omitempty"`

	// Command replaces the image's entrypoint.
	// +kubebuilder:validation:MaxItems=256
	// +listType=atomic
	// +optional
	Command []string `json:"command,omitempty"`

	// Args are the arguments to the entrypoint; they replace the image's own.
	// +kubebuilder:validation:MaxItems=256
	// +listType=atomic
	// +optional
	Args []string `json:"args,omitempty"`

	// Env sets environment variables, as in a container.
	// +kubebuilder:validation:MaxItems=256
	// +listType=map
	// +listMapKey=name
	// +optional
	Env []corev1.EnvVar `json:"env,omitempty"`

	// EnvFrom sets an environment variable for each key of a ConfigMap or a
	// Secret, as in a container. A key that Env sets too is taken from Env.
	// +kubebuilder:validation:MaxItems=64
	// +listType=atomic
	// +optional
	EnvFrom []corev1.EnvFromSource `json:"envFrom,omitempty"`

	// Resources are the container's requests and limits. Without them the
	// platform's default holds, and without that requests of 100m CPU and
	// 128Mi memory.
	// +optional
	Resources *corev1.ResourceRequirements `json:"resources,omitempty"`

	// Ports that the container listens on. The Echo has a Service of its own
	// name when there are any.
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:XValidation:rule="self.all(x, self.exists_one(y, y.port == x.port && y.protocol == x.protocol))",message="two ports have the same port and protocol"
	// +kubebuilder:validation:XValidation:rule="self.all(x, !has(x.name) || self.exists_one(y, has(y.name) && y.name == x.name))",message="two ports have the same name"
	// +kubebuilder:validation:XValidation:rule="self.all(x, self.exists_one(y, (has(y.servicePort) ? y.servicePort : y.port) == (has(x.servicePort) ? x.servicePort : x.port) && y.protocol == x.protocol))",message="two ports have the same servicePort and protocol"
	// +listType=atomic
	// +optional
	Ports []Port `json:"ports,omitempty"`
}

// Workload names what runs an Echo's Pods.
// +kubebuilder:validation:Enum=Pods;Deployment
type Workload string

// The workloads there are.
const (
	WorkloadPods       Workload = "Pods"
	WorkloadDeployment Workload = "Deployment"
)

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
