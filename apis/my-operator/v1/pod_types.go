package v1

import corev1 "k8s.io/api/core/v1"

// Probes tell the kubelet how to find out whether a container is well.
type Probes struct {
	// Liveness: a container that fails it is restarted.
	// +optional
	Liveness *corev1.Probe `json:"liveness,omitempty"`

	// Readiness: a Pod that fails it gets no requests.
	// +optional
	Readiness *corev1.Probe `json:"readiness,omitempty"`

	// Startup: the other two wait until it succeeds.
	// +optional
	Startup *corev1.Probe `json:"startup,omitempty"`
}

// A File is put into the container. It comes from one of three places.
//
// +kubebuilder:validation:XValidation:rule="[has(self.content), has(self.configMap), has(self.secret)].filter(x, x).size() == 1",message="needs exactly one of content, configMap and secret"
type File struct {
	// Path of the file in the container: "/etc/app/settings.yaml".
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^/[^:]*[^:/]$`
	Path string `json:"path"`

	// Content of the file.
	// +kubebuilder:validation:MaxLength=65536
	// +optional
	Content *string `json:"content,omitempty"`

	// ConfigMap and key that hold the file's content.
	// +optional
	ConfigMap *KeyReference `json:"configMap,omitempty"`

	// Secret and key that hold the file's content.
	// +optional
	Secret *KeyReference `json:"secret,omitempty"`
}

// A KeyReference names a key of a ConfigMap or Secret of the same namespace.
type KeyReference struct {
	// Name of the ConfigMap or Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Key in it.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key"`
}

// A Volume is mounted into the container. It is of one of four kinds; none of
// them reaches the node's own file system.
//
// +kubebuilder:validation:XValidation:rule="[has(self.emptyDir), has(self.persistentVolumeClaim), has(self.configMap), has(self.secret)].filter(x, x).size() == 1",message="needs exactly one of emptyDir, persistentVolumeClaim, configMap and secret"
type Volume struct {
	// MountPath is where the volume appears in the container.
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:Pattern=`^/[^:]*$`
	MountPath string `json:"mountPath"`

	// ReadOnly keeps the container from writing to it.
	// +optional
	ReadOnly bool `json:"readOnly,omitempty"`

	// SubPath mounts only this part of the volume.
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	SubPath string `json:"subPath,omitempty"`

	// EmptyDir is a volume that begins empty and goes with the Pod.
	// +optional
	EmptyDir *EmptyDir `json:"emptyDir,omitempty"`

	// PersistentVolumeClaim is the name of a claim in the same namespace. All
	// Pods mount the same one.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	PersistentVolumeClaim string `json:"persistentVolumeClaim,omitempty"`

	// ConfigMap is the name of a ConfigMap in the same namespace; each key is
	// a file.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	ConfigMap string `json:"configMap,omitempty"`

	// Secret is the name of a Secret in the same namespace; each key is a
	// file.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	Secret string `json:"secret,omitempty"`
}

// An EmptyDir is a volume that begins empty and goes with the Pod.
type EmptyDir struct {
	// Medium is "Memory" for one that is kept in memory.
	// +kubebuilder:validation:Enum=Memory
	// +optional
	Medium corev1.StorageMedium `json:"medium,omitempty"`

	// SizeLimit evicts the Pod when the volume grows beyond it: "64Mi".
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?([KMGTPE]i?|k|m)?$`
	// +optional
	SizeLimit string `json:"sizeLimit,omitempty"`
}

// Scheduling says where Pods may run.
type Scheduling struct {
	// NodeSelector holds labels that a node must have.
	// +kubebuilder:validation:MaxProperties=64
	// +optional
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// Tolerations of the Pods.
	// +kubebuilder:validation:MaxItems=64
	// +listType=atomic
	// +optional
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`

	// Spread of the Pods over hosts and zones: "Soft" as far as possible,
	// "Hard" over hosts or not at all, and over zones as far as possible,
	// "None" as it happens to come.
	// +kubebuilder:default=Soft
	// +optional
	Spread Spread `json:"spread,omitempty"`
}

// Spread says how strictly Pods are spread over hosts and zones.
// +kubebuilder:validation:Enum=Soft;Hard;None
type Spread string

// The ways to spread Pods.
const (
	SpreadSoft Spread = "Soft"
	SpreadHard Spread = "Hard"
	SpreadNone Spread = "None"
)

// Security says what the container may do. Under either profile it runs without
// a service account token, with the runtime's default seccomp profile, and
// cannot gain privileges.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.profile) && self.profile == 'Restricted' && has(self.runAsUser) && self.runAsUser == 0)",message="the Restricted profile does not run as root",fieldPath=".runAsUser"
type Security struct {
	// Profile: "Baseline" runs stock images as they come. "Restricted" meets
	// Kubernetes' Pod Security Standard of that name: not as root, and with no
	// capabilities. Without it the platform's default holds, and without that
	// "Baseline".
	// +optional
	Profile Profile `json:"profile,omitempty"`

	// RunAsUser is the user to run as; the image's without it.
	// +kubebuilder:validation:Minimum=0
	// +optional
	RunAsUser *int64 `json:"runAsUser,omitempty"`

	// RunAsGroup is the group to run as; the image's without it.
	// +kubebuilder:validation:Minimum=0
	// +optional
	RunAsGroup *int64 `json:"runAsGroup,omitempty"`

	// FSGroup is the group that volumes belong to.
	// +kubebuilder:validation:Minimum=0
	// +optional
	FSGroup *int64 `json:"fsGroup,omitempty"`

	// ReadOnlyRootFilesystem keeps the container from writing to its own file
	// system. Volumes stay writable.
	// +optional
	ReadOnlyRootFilesystem bool `json:"readOnlyRootFilesystem,omitempty"`
}

// Profile names a set of rules for what a container may do.
// +kubebuilder:validation:Enum=Baseline;Restricted
type Profile string

// The profiles there are.
const (
	ProfileBaseline   Profile = "Baseline"
	ProfileRestricted Profile = "Restricted"
)
