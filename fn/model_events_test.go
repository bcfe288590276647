package main

import (
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// rollBack takes the image, environment and files back to what a Pod has.
func (w *world) rollBack() {
	w.edit("image")
	w.core(1)
	w.tick(func(*stored) bool { return true })
	w.core(2)
	w.edit("image")
}

// deleteOne has somebody delete an object of the Echo by hand.
func (w *world) deleteOne() {
	ids := slices.DeleteFunc(slices.Clone(w.refs), func(id string) bool { return w.objects[id] == nil })
	if len(ids) == 0 {
		return
	}

	id := rapid.SampledFrom(ids).Draw(w.t, "delete")
	w.log("somebody deletes %s", id)
	w.delete(w.objects[id])
}

// befall changes the fate of a Pod.
func (w *world) befall() {
	pods := w.of("Pod")
	if len(pods) == 0 {
		return
	}

	p := pods[rapid.IntRange(0, len(pods)-1).Draw(w.t, "pod")]
	p.life.fate = w.drawFate()
	w.log("fate of %s: %s", text(p.tree, "metadata", "name"), p.life.fate)

	if p.life.stage == serving && !slices.Contains([]fate{fateWell, fateEnds}, p.life.fate) {
		p.life.stage = starting
		w.report(p)
	}
}

// intrude makes an object that is not the Echo's under a name that it might want,
// or takes it away.
func (w *world) intrude() {
	kind, name := rapid.SampledFrom([]string{
		"Service", "Deployment", "PodDisruptionBudget", "HorizontalPodAutoscaler", "Ingress", "PodMonitor", "Bucket", "BucketAccess",
	}).Draw(w.t, "kind"), w.app
	if strings.HasPrefix(kind, "Bucket") {
		name += "-assets"
	}

	id := objectID(kind, w.namespace, name)

	if o, ok := w.objects[id]; ok {
		if o.foreign != nil {
			w.log("somebody deletes their %s", id)
			w.remove(o)
		}

		return
	}

	// An object without a controller in a place that the composite refers to
	// makes core fail before it calls any function.
	if slices.Contains(w.refs, id) {
		return
	}

	o := tree{"apiVersion": "v1", "kind": kind, "metadata": tree{"name": name, "namespace": w.namespace}, "spec": tree{"theirs": true}}
	if rapid.Bool().Draw(w.t, "controlled") {
		child(o, "metadata")["ownerReferences"] = []any{tree{"apiVersion": "v1", "kind": "Other", "name": "other", "uid": "other", "controller": true}}
	}

	w.log("somebody makes %s", id)
	st := w.create(o, w.now)
	st.foreign = clone(st.tree)
}

// drawQuota sets, changes or lifts the quota of the namespace.
func (w *world) drawQuota() {
	hard := rapid.IntRange(0, 8).Draw(w.t, "quota")
	w.log("the platform sets a quota of %d Pods", hard)

	if w.quota == nil {
		w.quota = w.create(tree{
			"apiVersion": "v1", "kind": "ResourceQuota", "metadata": tree{"name": "team", "namespace": w.namespace}, "spec": tree{},
			"status": tree{"hard": tree{"pods": "0"}, "used": tree{"pods": "0"}},
		}, w.now)
	}

	child(w.quota.tree, "spec", "hard")["pods"] = strconv.Itoa(hard)
	w.controlQuotas()
}

// heal mends all that is wrong.
func (w *world) heal() {
	for _, id := range sorted(w.objects) {
		o := w.objects[id]

		if o.foreign != nil {
			w.remove(o)
		}

		if o.life != nil {
			o.life.fate = fateWell
		}
	}

	if w.quota != nil {
		child(w.quota.tree, "spec", "hard")["pods"] = "100"
		w.controlQuotas()
	}

	if text(w.spec(), "image") == imageMissing {
		w.spec()["image"] = "shop:1"
	}

	w.healBuckets()
	w.dirty = true
}
