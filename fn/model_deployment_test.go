package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// controlDeployments does what the Deployment controller does, a step at a time,
// with its ReplicaSets left out: a Pod of an earlier template is told by its
// annotation.
func (w *world) controlDeployments() {
	for _, d := range w.of("Deployment") {
		if d.foreign != nil {
			continue
		}

		pods := w.podsOf(d)

		if d.terminating() {
			for _, p := range pods {
				w.delete(p)
			}

			if len(w.allPodsOf(d)) == 0 {
				w.remove(d)
				continue
			}
		}

		failure := ""
		if !d.terminating() {
			failure = w.roll(d, pods)
		}

		w.deploymentStatus(d, failure)
	}
}

const annotationTemplate = "model/template"

func templateOf(d *stored) string { return fmt.Sprint(at(d.tree, "spec", "template")) }

func (w *world) allPodsOf(d *stored) []*stored {
	return slices.DeleteFunc(w.of("Pod"), func(p *stored) bool { return controller(p.tree) != text(d.tree, "metadata", "uid") })
}

// podsOf are the Pods of a Deployment that count: those that end are replaced, and
// collected, by its ReplicaSet.
func (w *world) podsOf(d *stored) []*stored {
	var out []*stored

	for _, p := range w.allPodsOf(d) {
		switch {
		case p.life.stage == ended && !p.terminating():
			w.remove(p)
		case !p.terminating():
			out = append(out, p)
		}
	}

	return out
}

func scaledBy(v any, n int, up bool) int {
	s, ok := v.(string)
	if !ok {
		f, _ := v.(float64)
		return int(f)
	}

	b := intstr.FromString(s)

	return sure(intstr.GetScaledValueFromIntOrPercent(&b, n, up))
}

// roll takes a Deployment's Pods one step further, and tells why it cannot.
func (w *world) roll(d *stored, pods []*stored) string {
	want := number(d.tree, "spec", "replicas")
	surge := scaledBy(at(d.tree, "spec", "strategy", "rollingUpdate", "maxSurge"), want, true)
	unavailable := scaledBy(at(d.tree, "spec", "strategy", "rollingUpdate", "maxUnavailable"), want, false)

	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}

	isNew := func(p *stored) bool {
		return text(p.tree, "metadata", "annotations", annotationTemplate) == templateOf(d)
	}
	slices.SortFunc(pods, func(a, b *stored) int { return a.life.stage - b.life.stage })

	updated, ready, brokenNew := 0, 0, 0

	for _, p := range pods {
		if p.ready() {
			ready++
		}

		if isNew(p) {
			updated++

			if !p.ready() {
				brokenNew++
			}
		}
	}

	for range min(want-updated, want+surge-len(pods)) {
		if !w.consume() {
			return "exceeded quota: team"
		}

		w.deploy(d)
	}

	surplus := updated - want
	budget := len(pods) - (want - unavailable) - brokenNew

	for _, p := range pods {
		switch {
		case isNew(p) && surplus > 0:
			surplus--
			w.delete(p)
		case !isNew(p) && budget > 0 && (!p.ready() || ready > want-unavailable):
			budget--

			if p.ready() {
				ready--
			}

			w.delete(p)
		}
	}

	return ""
}

// deploy makes a Pod of a Deployment.
func (w *world) deploy(d *stored) {
	t, _ := clone(at(d.tree, "spec", "template")).(tree)
	meta := child(t, "metadata")
	meta["name"] = fmt.Sprintf("%s-%d", text(d.tree, "metadata", "name"), w.serial)
	meta["namespace"] = w.namespace
	meta["annotations"] = tree{annotationTemplate: templateOf(d)}
	meta["ownerReferences"] = []any{tree{
		"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": text(d.tree, "metadata", "uid"), "controller": true,
	}}
	t["apiVersion"], t["kind"] = "v1", "Pod"
	w.born(w.create(t, w.now))
}

func (w *world) deploymentStatus(d *stored, failure string) {
	before := clone(child(d.tree, "status"))
	status := child(d.tree, "status")
	count := map[string]int{"replicas": 0, "readyReplicas": 0, "availableReplicas": 0, "updatedReplicas": 0}

	for _, p := range w.podsOf(d) {
		count["replicas"]++

		if p.ready() {
			count["readyReplicas"]++
			count["availableReplicas"]++
		}

		if text(p.tree, "metadata", "annotations", annotationTemplate) == templateOf(d) {
			count["updatedReplicas"]++
		}
	}

	for k, n := range count {
		status[k] = float64(n)
	}

	status["observedGeneration"] = at(d.tree, "metadata", "generation")

	if failure != "" {
		setCondition(status, w.now, "ReplicaFailure", "True", "FailedCreate", failure)
	} else {
		setCondition(status, w.now, "ReplicaFailure", "False", "", "")
	}

	if !equal(before, status) {
		d.progressed = w.now
	}

	want := number(d.tree, "spec", "replicas")

	switch {
	case count["updatedReplicas"] == want && count["readyReplicas"] == want && count["replicas"] == want:
		setCondition(status, w.now, "Progressing", "True", "NewReplicaSetAvailable", "")
	case w.now.Sub(d.progressed) > 10*time.Minute:
		setCondition(status, w.now, "Progressing", "False", "ProgressDeadlineExceeded", "it has timed out progressing")
	default:
		if s, _ := condition(d.tree, "Progressing"); s != "False" {
			setCondition(status, w.now, "Progressing", "True", "ReplicaSetUpdated", "")
		}
	}

	if !equal(before, status) {
		w.touch(d)
	}
}

// consume takes room for a Pod from the quota, if there is any. As in the API
// server it goes by the quota's status.
func (w *world) consume() bool {
	if w.quota == nil {
		return true
	}

	used := pods(w.quota, "used")
	if used >= pods(w.quota, "hard") {
		return false
	}

	child(w.quota.tree, "status", "used")["pods"] = strconv.Itoa(used + 1)
	w.touch(w.quota)

	return true
}

func pods(quota *stored, which string) int {
	return sure(strconv.Atoi(text(quota.tree, "status", which, "pods")))
}

// controlQuotas counts Pods anew: those that have ended do not count.
func (w *world) controlQuotas() {
	if w.quota == nil {
		return
	}

	used := 0

	for _, p := range w.of("Pod") {
		if p.life.stage != ended {
			used++
		}
	}

	status := child(w.quota.tree, "status")
	before := clone(status)
	child(status, "used")["pods"] = strconv.Itoa(used)
	child(status, "hard")["pods"] = text(w.quota.tree, "spec", "hard", "pods")

	if !equal(before, status) {
		w.touch(w.quota)
	}
}
