package e2e

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A status is that of an Echo.
type status struct {
	CurrentReplicas int         `json:"currentReplicas"`
	ReadyReplicas   int         `json:"readyReplicas"`
	UpdatedReplicas int         `json:"updatedReplicas"`
	IsReady         bool        `json:"isReady"`
	LabelSelector   string      `json:"labelSelector"`
	Phase           string      `json:"phase"`
	Message         string      `json:"message"`
	Address         string      `json:"address"`
	Conditions      []condition `json:"conditions"`
}

type condition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (s status) condition(t string) condition {
	for _, c := range s.Conditions {
		if c.Type == t {
			return c
		}
	}

	return condition{}
}

// running is what an Echo's status should say once all of its replicas run. Crossplane
// writes conditions after all else, so that these may be of a moment before.
func (s status) running(replicas int) bool {
	return s.IsReady && s.CurrentReplicas == replicas && s.ReadyReplicas == replicas && s.UpdatedReplicas == replicas &&
		s.condition("WorkloadReady").Status == "True" && s.condition("Ready").Status == "True" && s.Message == fmt.Sprintf("%d/%d replicas ready", replicas, replicas)
}

// at is the value at a path of an object.
func at(o map[string]any, path ...string) (any, bool) {
	v, ok, err := unstructured.NestedFieldNoCopy(o, path...)
	return v, ok && err == nil
}

// isUnready tells whether a Pod is not ready.
func isUnready(pod map[string]any) bool {
	all, _ := at(pod, "status", "conditions")
	conditions, _ := all.([]any)

	return !slices.ContainsFunc(conditions, func(c any) bool {
		m, _ := c.(map[string]any)
		return m["type"] == "Ready" && m["status"] == "True"
	})
}

func name(o map[string]any) string {
	n, _ := at(o, "metadata", "name")
	s, _ := n.(string)

	return s
}

func uids(objects []map[string]any) map[string]bool {
	set := map[string]bool{}

	for _, o := range objects {
		uid, _ := at(o, "metadata", "uid")
		set[fmt.Sprint(uid)] = true
	}

	return set
}

func uid(o map[string]any) any {
	v, _ := at(o, "metadata", "uid")
	return v
}
