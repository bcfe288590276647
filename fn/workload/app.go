package workload

import (
	"maps"

	echov1 "my-operator.dev/echo/apis/my-operator/v1"
)

// Labels and annotations that this function sets.
const (
	// LabelEcho holds the name of the Echo, and is what selects its Pods.
	LabelEcho = echov1.Group + "/echo"
	// LabelTemplate holds the hash of the template a Pod was made from.
	LabelTemplate = echov1.Group + "/template"
	// AnnotationAttempt counts the Pods before this one that ended early.
	AnnotationAttempt = echov1.Group + "/attempt"

	// The recommended labels, see
	// https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/.
	labelName      = "app.kubernetes.io/name"
	labelManagedBy = "app.kubernetes.io/managed-by"

	managedBy = "function-echo"
)

// An App is an Echo to render: its spec with all defaults filled in, under the
// name that its tenant knows it by.
type App struct {
	Namespace string
	Name      string
	Spec      echov1.EchoSpec
}

// Selector is what selects the App's Pods, and no other's in its namespace.
func (a *App) Selector() map[string]string { return map[string]string{LabelEcho: a.Name} }

// Labels are what every object of the App carries.
func (a *App) Labels() map[string]string {
	l := a.Selector()
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

// with adds a label to labels.
func with(labels map[string]string, key, value string) map[string]string {
	l := maps.Clone(labels)
	l[key] = value

	return l
}
