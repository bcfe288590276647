package app

// A Status is that of an Echo. Zero counts are facts too, so they are written.
type Status struct {
	CurrentReplicas int            `json:"currentReplicas"`
	ReadyReplicas   int            `json:"readyReplicas"`
	UpdatedReplicas int            `json:"updatedReplicas"`
	IsReady         bool           `json:"isReady"`
	LabelSelector   string         `json:"labelSelector,omitempty"`
	Phase           Phase          `json:"phase,omitempty"`
	Message         string         `json:"message,omitempty"`
	Address         string         `json:"address,omitempty"`
	Buckets         []BucketStatus `json:"buckets,omitempty"`
}

// A BucketStatus is one of an App's buckets as it was last seen.
type BucketStatus struct {
	Name       string `json:"name"`
	BucketName string `json:"bucketName,omitempty"`
	Ready      bool   `json:"ready"`
	Secret     string `json:"secret,omitempty"`
}

// Phase says in a word how an App does.
type Phase string

// The phases there are.
const (
	PhasePending     Phase = "Pending"
	PhaseProgressing Phase = "Progressing"
	PhaseRunning     Phase = "Running"
	PhaseDegraded    Phase = "Degraded"
	PhaseStopped     Phase = "Stopped"
)
