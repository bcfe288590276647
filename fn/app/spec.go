package app

import "my-operator.dev/echo/fn/wire"

// A Spec is that of an Echo. What is a wire.Struct is handed on as it is.
type Spec struct {
	Image                         string        `json:"image"`
	Replicas                      *int32        `json:"replicas"`
	Workload                      Workload      `json:"workload"`
	Command                       []string      `json:"command"`
	Args                          []string      `json:"args"`
	Env                           []wire.Struct `json:"env"`
	EnvFrom                       []wire.Struct `json:"envFrom"`
	Resources                     *Resources    `json:"resources"`
	Ports                         []Port        `json:"ports"`
	Service                       *Service      `json:"service"`
	Ingress                       *Ingress      `json:"ingress"`
	Probes                        Probes        `json:"probes"`
	TerminationGracePeriodSeconds *int64        `json:"terminationGracePeriodSeconds"`
	Autoscaling                   *Autoscaling  `json:"autoscaling"`
	Rollout                       *Rollout      `json:"rollout"`
	Disruption                    *Disruption   `json:"disruption"`
	Files                         []File        `json:"files"`
	Volumes                       []Volume      `json:"volumes"`
	Scheduling                    *Scheduling   `json:"scheduling"`
	Security                      *Security     `json:"security"`
	ServiceAccountName            string        `json:"serviceAccountName"`
	ImagePullSecrets              []wire.Struct `json:"imagePullSecrets"`
	Monitoring                    *Monitoring   `json:"monitoring"`
	Buckets                       []Bucket      `json:"buckets"`
}

// Workload names what runs an App's Pods.
type Workload string

// The workloads there are.
const (
	WorkloadPods       Workload = "Pods"
	WorkloadDeployment Workload = "Deployment"
)

// Resources are those of a container: amounts by the name of the resource.
type Resources struct {
	Requests map[string]Amount `json:"requests,omitempty"`
	Limits   map[string]Amount `json:"limits,omitempty"`
	Claims   []wire.Struct     `json:"claims,omitempty"`
}

// Probes of a container.
type Probes struct {
	Liveness  wire.Struct `json:"liveness"`
	Readiness wire.Struct `json:"readiness"`
	Startup   wire.Struct `json:"startup"`
}

// A Port that the container listens on, and how the Service offers it.
type Port struct {
	Name        string  `json:"name"`
	Port        int32   `json:"port"`
	ServicePort *int32  `json:"servicePort"`
	Protocol    string  `json:"protocol"`
	AppProtocol *string `json:"appProtocol"`
}

// Protocols of ports.
const (
	ProtocolTCP  = "TCP"
	ProtocolUDP  = "UDP"
	ProtocolSCTP = "SCTP"
)

// A Service says how an App's Service offers its ports.
type Service struct {
	Type        ServiceType       `json:"type"`
	Annotations map[string]string `json:"annotations"`
}

// ServiceType is how far a Service reaches.
type ServiceType string

// The types of Services there are.
const (
	ServiceClusterIP    ServiceType = "ClusterIP"
	ServiceNodePort     ServiceType = "NodePort"
	ServiceLoadBalancer ServiceType = "LoadBalancer"
)

// An Ingress leads from outside the cluster to an App.
type Ingress struct {
	Host          string            `json:"host"`
	Path          string            `json:"path"`
	ClassName     *string           `json:"className"`
	TLSSecretName string            `json:"tlsSecretName"`
	Annotations   map[string]string `json:"annotations"`
}

// Monitoring has Prometheus scrape an App's Pods.
type Monitoring struct {
	Port     string `json:"port"`
	Path     string `json:"path"`
	Interval string `json:"interval"`
}

// Autoscaling sets an App's replicas by load.
type Autoscaling struct {
	MinReplicas             *int32 `json:"minReplicas"`
	MaxReplicas             int32  `json:"maxReplicas"`
	TargetCPUUtilization    *int32 `json:"targetCPUUtilization"`
	TargetMemoryUtilization *int32 `json:"targetMemoryUtilization"`
}

// Rollout bounds how a change of the spec reaches the Pods.
type Rollout struct {
	MaxSurge       *Bound `json:"maxSurge"`
	MaxUnavailable *Bound `json:"maxUnavailable"`
}

// Disruption bounds how many Pods may be evicted at a time.
type Disruption struct {
	MinAvailable Bound `json:"minAvailable"`
}

// A File is put into the container.
type File struct {
	Path      string        `json:"path"`
	Content   *string       `json:"content"`
	ConfigMap *KeyReference `json:"configMap"`
	Secret    *KeyReference `json:"secret"`
}

// A KeyReference names a key of a ConfigMap or Secret.
type KeyReference struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

// A Volume is mounted into the container.
type Volume struct {
	MountPath             string    `json:"mountPath"`
	ReadOnly              bool      `json:"readOnly"`
	SubPath               string    `json:"subPath"`
	EmptyDir              *EmptyDir `json:"emptyDir"`
	PersistentVolumeClaim string    `json:"persistentVolumeClaim"`
	ConfigMap             string    `json:"configMap"`
	Secret                string    `json:"secret"`
}

// An EmptyDir is a volume that begins empty and goes with the Pod.
type EmptyDir struct {
	Medium    string `json:"medium,omitempty"`
	SizeLimit string `json:"sizeLimit,omitempty"`
}

// Scheduling says where Pods may run.
type Scheduling struct {
	NodeSelector map[string]string `json:"nodeSelector"`
	Tolerations  []wire.Struct     `json:"tolerations"`
	Spread       Spread            `json:"spread"`
}

// Spread says how strictly Pods are spread over hosts and zones.
type Spread string

// The ways to spread Pods.
const (
	SpreadSoft Spread = "Soft"
	SpreadHard Spread = "Hard"
	SpreadNone Spread = "None"
)

// Security says what the container may do.
type Security struct {
	Profile                Profile `json:"profile"`
	RunAsUser              *int64  `json:"runAsUser"`
	RunAsGroup             *int64  `json:"runAsGroup"`
	FSGroup                *int64  `json:"fsGroup"`
	ReadOnlyRootFilesystem bool    `json:"readOnlyRootFilesystem"`
}

// Profile names a set of rules for what a container may do.
type Profile string

// The profiles there are.
const (
	ProfileBaseline   Profile = "Baseline"
	ProfileRestricted Profile = "Restricted"
)
