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
//
// +kubebuilder:validation:XValidation:rule="!has(self.ingress) || has(self.ports)",message="an ingress needs a port to lead to",fieldPath=".ingress"
// +kubebuilder:validation:XValidation:rule="!has(self.monitoring) || has(self.ports) && self.ports.exists(p, has(p.name) && p.name == self.monitoring.port)",message="monitoring.port must be the name of one of the ports",fieldPath=".monitoring.port"
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

	// Service says how the Service offers the ports.
	// +optional
	Service *Service `json:"service,omitempty"`

	// Ingress leads from outside the cluster to the first port.
	// +optional
	Ingress *Ingress `json:"ingress,omitempty"`

	// Probes tell the kubelet how to find out whether the container is well.
	// +optional
	Probes *Probes `json:"probes,omitempty"`

	// TerminationGracePeriodSeconds is how long the container has to end when
	// it is asked to, in seconds; 30 without it.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=86400
	// +optional
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`

	// Autoscaling sets replicas by load: a HorizontalPodAutoscaler of the
	// Echo's own name scales the Echo, whatever its workload. Leave replicas
	// out of what you apply then.
	// +optional
	Autoscaling *Autoscaling `json:"autoscaling,omitempty"`

	// Rollout bounds how a change of the spec reaches the Pods.
	// +optional
	Rollout *Rollout `json:"rollout,omitempty"`

	// Disruption bounds how many Pods may be evicted at a time, such as when
	// nodes are drained. Without it one may, if there are several replicas.
	// +optional
	Disruption *Disruption `json:"disruption,omitempty"`

	// Files are put into the container one by one. A change of a content
	// reaches the Pods as any other change does: by a rollout.
	// +kubebuilder:validation:MaxItems=32
	// +listType=map
	// +listMapKey=path
	// +optional
	Files []File `json:"files,omitempty"`

	// Volumes are mounted into the container.
	// +kubebuilder:validation:MaxItems=32
	// +listType=map
	// +listMapKey=mountPath
	// +optional
	Volumes []Volume `json:"volumes,omitempty"`

	// Scheduling says where the Pods may run.
	// +optional
	Scheduling *Scheduling `json:"scheduling,omitempty"`

	// Security says what the container may do.
	// +optional
	Security *Security `json:"security,omitempty"`

	// ServiceAccountName is the service account that the Pods run as, by
	// which others know them. They get no token of it.
	// +kubebuilder:validation:MaxLength=253
	// +optional
	ServiceAccountName string `json:"serviceAccountName,omitempty"`

	// ImagePullSecrets are the Secrets to pull the image with. Without them
	// the platform's default holds.
	// +kubebuilder:validation:MaxItems=16
	// +listType=map
	// +listMapKey=name
	// +optional
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`

	// Monitoring has Prometheus scrape the Pods: a PodMonitor of the Echo's
	// own name, where the cluster serves that kind.
	// +optional
	Monitoring *Monitoring `json:"monitoring,omitempty"`

	// Buckets are S3 buckets of the Echo's own, with keys to them in the
	// container's environment. No Pod starts before its keys are there. A key
	// that EnvFrom sets too is taken from the bucket.
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:XValidation:rule="self.all(x, self.exists_one(y, (has(y.envPrefix) ? y.envPrefix : '') == (has(x.envPrefix) ? x.envPrefix : '')))",message="of several buckets, each needs an envPrefix of its own"
	// +listType=map
	// +listMapKey=name
	// +optional
	Buckets []Bucket `json:"buckets,omitempty"`
}

// Workload names what runs an Echo's Pods.
// +kubebuilder:validation:Enum=Pods;Deployment
type Workload string

// The workloads there are.
const (
	WorkloadPods       Workload = "Pods"
	WorkloadDeployment Workload = "Deployment"
)
