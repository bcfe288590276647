package app

import "maps"

// The API that an Echo is of, and the kinds under which it comes.
const (
	Group      = "my-operator.dev"
	APIVersion = Group + "/v1"

	// KindEcho is what a tenant applies: a namespaced composite, or a claim.
	KindEcho = "Echo"
	// KindXEcho is the cluster-scoped composite behind a claim.
	KindXEcho = "XEcho"
)

// Labels and annotations that this function sets.
const (
	// LabelEcho holds the name of the Echo, and is what selects its Pods.
	LabelEcho = Group + "/echo"
	// LabelTemplate holds the hash of the template a Pod was made from.
	LabelTemplate = Group + "/template"
	// AnnotationAttempt counts the Pods before this one that ended early.
	AnnotationAttempt = Group + "/attempt"

	// The recommended labels, see
	// https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/.
	labelName      = "app.kubernetes.io/name"
	labelManagedBy = "app.kubernetes.io/managed-by"

	managedBy = "function-echo"
)

// An App is an Echo to render.
type App struct {
	Namespace string
	Name      string
	Spec      Spec
	// ExtraLabels are what the platform adds to every object.
	ExtraLabels map[string]string
	// BucketConfig is the provider's config that buckets are made with; nil for
	// the provider's own default.
	BucketConfig *ProviderConfigReference
}

// Selector is what selects the App's Pods, and no other's in its namespace.
func (a *App) Selector() map[string]string { return map[string]string{LabelEcho: a.Name} }

// Labels are what every object of the App carries.
func (a *App) Labels() map[string]string {
	l := make(map[string]string, len(a.ExtraLabels)+4)
	maps.Copy(l, a.ExtraLabels)

	l[LabelEcho] = a.Name
	l[labelName] = a.Name
	l[labelManagedBy] = managedBy

	return l
}

// Replicas is the number of Pods asked for.
func (a *App) Replicas() int { return int(*a.Spec.Replicas) }

// Metadata is what is rendered of an object's metadata.
type Metadata struct {
	Name        string            `json:"name,omitempty"`
	Namespace   string            `json:"namespace"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Named is the metadata of an object that the tenant knows by the App's name.
func (a *App) Named() Metadata {
	return Metadata{Name: a.Name, Namespace: a.Namespace, Labels: a.Labels()}
}

// LabelSelector selects objects by their labels.
type LabelSelector struct {
	MatchLabels map[string]string `json:"matchLabels"`
}
