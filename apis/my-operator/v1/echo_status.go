package v1

// EchoStatus is observed fact: each field is read off what runs, never off what
// was asked for.
type EchoStatus struct {
	// CurrentReplicas is the number of Pods that exist and are neither
	// finished nor on their way out.
	// +optional
	CurrentReplicas int32 `json:"currentReplicas"`

	// ReadyReplicas is the number of Pods that are ready to serve.
	// +optional
	ReadyReplicas int32 `json:"readyReplicas"`

	// UpdatedReplicas is the number of Pods that run the spec as it stands.
	// +optional
	UpdatedReplicas int32 `json:"updatedReplicas"`

	// IsReady is true when exactly the replicas that the spec asks for exist,
	// run the spec as it stands, and are ready.
	// +optional
	IsReady bool `json:"isReady"`

	// LabelSelector selects the Echo's Pods, in the string form that the
	// scale sub-resource needs: "my-operator.dev/echo=shop".
	// +optional
	LabelSelector string `json:"labelSelector,omitempty"`

	// Phase says in a word how the Echo does.
	// +optional
	Phase Phase `json:"phase,omitempty"`

	// Message says in numbers how the Echo does, and what is in the way:
	// "2/3 replicas ready: pod shop-1c7f9a2b3d4e: ImagePullBackOff".
	// +optional
	Message string `json:"message,omitempty"`

	// Address is where other Pods of the cluster reach the Echo, as host and
	// first port of its Service: "shop.team-a.svc:80".
	// +optional
	Address string `json:"address,omitempty"`

	// Buckets are those that the spec asks for.
	// +listType=map
	// +listMapKey=name
	// +optional
	Buckets []BucketStatus `json:"buckets,omitempty"`
}

// Phase says in a word how an Echo does.
// +kubebuilder:validation:Enum=Pending;Progressing;Running;Degraded;Stopped
type Phase string

// The phases there are.
const (
	// PhasePending: replicas are wanted and none is ready yet.
	PhasePending Phase = "Pending"
	// PhaseProgressing: some replicas are ready, others are on their way.
	PhaseProgressing Phase = "Progressing"
	// PhaseRunning: all that the spec asks for is there and ready.
	PhaseRunning Phase = "Running"
	// PhaseDegraded: a replica is in trouble that it will not leave unaided,
	// such as an image that cannot be pulled.
	PhaseDegraded Phase = "Degraded"
	// PhaseStopped: no replicas are wanted, and none is left.
	PhaseStopped Phase = "Stopped"
)
