package main

import "slices"

// checkReady: ready means that all replicas are there, ready and of the spec as it
// stands.
func (w *world) checkReady(c *call) {
	w.checkBucketsReady(c)

	pods := w.composedPods()

	if w.workload() == "Pods" {
		if len(pods) != w.replicas() || slices.ContainsFunc(pods, func(p *stored) bool { return !p.ready() || !w.matches(p.tree["spec"]) }) {
			w.fail("is ready too early: %s", w.summary())
		}

		return
	}

	d, ok := w.objects[objectID("Deployment", w.namespace, w.app)]
	if !ok || d.foreign != nil {
		w.fail("is ready without a Deployment")
	}

	// What was observed counts, not what was made of it since.
	seen := c.request.GetObserved().GetResources()["deployment"].GetResource().AsMap()
	for _, n := range []string{"replicas", "updatedReplicas", "availableReplicas"} {
		if number(seen, "status", n) != w.replicas() {
			w.fail("is ready with %s %d: %s", n, number(seen, "status", n), w.summary())
		}
	}

	switch {
	case number(seen, "status", "observedGeneration") != number(seen, "metadata", "generation"):
		w.fail("is ready before the Deployment has seen the latest spec: %s", w.summary())
	case text(seen, "metadata", "deletionTimestamp") != "":
		w.fail("is ready on a Deployment that is on its way out")
	case !w.matches(at(seen, "spec", "template", "spec")):
		w.fail("is ready on an earlier template: %s", w.summary())
	}
}

// checkCollected: what is deleted is the Echo's.
func (w *world) checkCollected(o *stored) {
	if o.foreign != nil {
		w.fail("deletes %s, which is not the Echo's", idOf(o.tree))
	}
}

// checkMounts: no ConfigMap goes before the Pods that need it.
func (w *world) checkMounts(c *call) {
	for _, o := range c.observed {
		id := idOf(o.tree)
		if text(o.tree, "kind") != "ConfigMap" || w.objects[id] != nil {
			continue
		}

		for _, p := range w.of("Pod") {
			if !w.leaving(p) && p.life.stage != ended && slices.Contains(configMaps(p.tree["spec"]), text(o.tree, "metadata", "name")) {
				w.fail("deletes %s, which %s still needs", id, text(p.tree, "metadata", "name"))
			}
		}
	}
}

// leaving is true of a Pod that is on its way out, or whose Deployment is.
func (w *world) leaving(p *stored) bool {
	d, ok := w.objects[objectID("Deployment", w.namespace, w.app)]

	return p.terminating() || ok && d.terminating() && controller(p.tree) == text(d.tree, "metadata", "uid")
}

// checkForeign: foreign objects are as they were made.
func (w *world) checkForeign() {
	for _, id := range sorted(w.objects) {
		if o := w.objects[id]; o.foreign != nil && !equal(o.foreign, o.tree) {
			w.fail("changes %s, which is not the Echo's", id)
		}
	}
}
