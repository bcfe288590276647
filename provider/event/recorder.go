// Package event records Kubernetes events of managed resources.
package event

import (
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// OnTransitions returns a recorder that leaves out a warning which the resource's
// condition Synced says already. The managed reconciler warns at each try; what was
// wrong before and still is wrong is no event. Nor is that somebody else was faster
// to write the resource: that passes at the next try.
//
// It is not an event.FilterFn, since recorders with annotations, which the managed
// reconciler uses, lose those.
func OnTransitions(to event.Recorder) event.Recorder { return transitions{to} }

// conflict is what the API server says of a write that was based on an older version.
const conflict = "the object has been modified; please apply your changes to the latest version"

type transitions struct{ to event.Recorder }

// Event records an event, unless it is a warning that the resource's condition repeats.
func (t transitions) Event(o runtime.Object, e event.Event) {
	if e.Type == event.TypeWarning && (said(o, e.Message) || strings.Contains(e.Message, conflict)) {
		return
	}

	t.to.Event(o, e)
}

// WithAnnotations returns a recorder of the same kind whose events are annotated.
func (t transitions) WithAnnotations(keysAndValues ...string) event.Recorder {
	return transitions{t.to.WithAnnotations(keysAndValues...)}
}

// said tells whether the condition Synced is False with a message that ends in this
// one: the reconciler puts what it could not do before it.
func said(o runtime.Object, message string) bool {
	c, ok := o.(resource.Conditioned)
	if !ok {
		return false
	}

	synced := c.GetCondition(xpv2.TypeSynced)

	return synced.Status == corev1.ConditionFalse && strings.HasSuffix(synced.Message, message)
}
