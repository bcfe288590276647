package main

import (
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// compose makes the world like a response wants it: first it deletes what is no
// longer desired, then it applies what is, then it sets status.
func (w *world) compose(c *call) {
	observed, desired := c.observed, c.response.GetDesired()

	for _, key := range sorted(observed) {
		o := observed[key]
		if _, ok := desired.GetResources()[key]; !ok && controller(o.tree) == w.uid() {
			w.collect(key, o)
		}
	}

	w.checkMounts(c)

	w.refs = nil
	ids, configs := map[string]string{}, map[string]tree{}

	for _, key := range sorted(desired.GetResources()) {
		config := desired.GetResources()[key].GetResource().AsMap()
		w.render(key, config, observed[key])
		ids[key], configs[key] = idOf(config), config
		w.refs = append(w.refs, ids[key])
	}

	slices.Sort(w.refs)

	w.required = c.response.GetRequirements().GetResources()

	for _, key := range w.order(sorted(configs)) {
		if !w.apply(c, key, configs[key], desired.GetResources()[key]) {
			return // Core stops here, and sets no status.
		}
	}

	w.setStatus(c)
	w.setReady(c)
}

// order is the order in which core applies: any.
func (w *world) order(keys []string) []string {
	if w.composes%2 == 0 {
		slices.Reverse(keys)
	}

	return keys
}

// collect deletes a composed resource.
func (w *world) collect(key string, o *stored) {
	w.log("core deletes %s (%s)", key, idOf(o.tree))
	w.checkCollected(o)
	w.checkKept(o)
	w.delete(o)
}

// delete deletes an object as the API server does: a Pod ends first, a
// Deployment's Pods go first, all else goes at once.
func (w *world) delete(o *stored) {
	if o.terminating() {
		return
	}

	w.writes++

	switch text(o.tree, "kind") {
	case "Pod":
		grace := time.Duration(number(o.tree, "spec", "terminationGracePeriodSeconds")) * time.Second
		if o.life.stage == unscheduled {
			grace = 0
		}

		child(o.tree, "metadata")["deletionTimestamp"] = stamp(w.now.Add(grace))
		o.gone = w.now.Add(min(grace, o.life.ending))
		w.touch(o)
	case "Deployment":
		child(o.tree, "metadata")["deletionTimestamp"] = stamp(w.now)
		w.touch(o)
	case "Bucket", "BucketAccess":
		child(o.tree, "metadata")["deletionTimestamp"] = stamp(w.now)
		w.touch(o)
	default:
		w.remove(o)
	}
}

// render adds to a composed resource what core does.
func (w *world) render(key string, config tree, existing *stored) {
	meta := child(config, "metadata")

	if existing != nil {
		meta["name"], meta["namespace"] = at(existing.tree, "metadata", "name"), at(existing.tree, "metadata", "namespace")
	}

	if text(meta, "name") == "" {
		meta["name"] = w.childName(key)
	}

	child(meta, "annotations")[annotationKey] = key
	child(meta, "labels")[labelPrefix] = w.xrName()
	meta["ownerReferences"] = []any{tree{
		"apiVersion": at(w.xr, "apiVersion"), "kind": at(w.xr, "kind"), "name": w.xrName(), "uid": w.uid(),
		"controller": true, "blockOwnerDeletion": true,
	}}
}

// apply applies a composed resource. It is false where core would stop.
func (w *world) apply(c *call, key string, config tree, desired *fnv1.Resource) bool {
	o, exists := w.objects[idOf(config)]
	if !exists {
		return w.admit(c, key, config)
	}

	switch {
	case controller(o.tree) == "":
		w.fail("takes over %s, which nobody controls", idOf(config))
	case controller(o.tree) != w.uid():
		w.fail("applies %s, which another controls", idOf(config))
	case o.applied != nil && proto.Equal(o.applied, desired.GetResource()):
		return true // Nothing changed on either side.
	}

	after, owned := applied(o.tree, config, o.owned)
	if why := invalid(o.tree, after); why != "" {
		w.fail("is refused (422) %s (%s, terminating: %t): %s", key, idOf(config), o.terminating(), why)
	}

	changed := !equal(o.tree, after)
	if changed && text(after, "kind") == "Deployment" && !equal(o.tree["spec"], after["spec"]) {
		child(after, "metadata")["generation"] = float64(number(after, "metadata", "generation") + 1)
		o.progressed = w.now
	}

	o.tree, o.owned = after, owned

	if changed {
		w.log("core updates %s (%s)", key, idOf(config))
		w.writes++
		w.touch(o)
	}

	o.applied = desired.GetResource()

	return true
}

// admit creates a composed resource if quotas allow it.
func (w *world) admit(c *call, key string, config tree) bool {
	if text(config, "kind") == "Pod" && !w.consume() {
		w.fail("asks for %s, and the quota has no room for it", key)
	}

	w.log("core creates %s (%s)", key, idOf(config))
	w.writes++

	after, owned := applied(tree{}, config, nil)
	o := w.create(after, w.now)
	o.owned = owned

	if text(config, "kind") == "Pod" {
		w.born(o)
	}

	o.applied = c.response.GetDesired().GetResources()[key].GetResource()

	return true
}

// setStatus applies the composite's status: what core does not send any more
// goes.
func (w *world) setStatus(c *call) {
	status := tree{}
	if s := at(w.xr, "status", "conditions"); s != nil {
		status["conditions"] = s
	}

	x := c.response.GetDesired().GetComposite().GetResource().AsMap()
	for k := range x {
		if k != "status" {
			w.fail("sets %s of the composite, of which only status is its own", k)
		}
	}

	if s, ok := x["status"].(tree); ok {
		maps.Copy(status, s)
	}

	w.xr["status"] = status
	w.conditions(c)
}

// setReady sets core's own conditions and the references, and the time at which
// core looks again.
func (w *world) setReady(c *call) {
	var unready []string

	for _, key := range sorted(c.response.GetDesired().GetResources()) {
		if c.response.GetDesired().GetResources()[key].GetReady() != fnv1.Ready_READY_TRUE {
			unready = append(unready, key)
		}
	}

	ready := len(unready) == 0
	if r := c.response.GetDesired().GetComposite().GetReady(); r != fnv1.Ready_READY_UNSPECIFIED {
		ready, unready = r == fnv1.Ready_READY_TRUE, nil
	}

	status := child(w.xr, "status")
	setCondition(status, w.now, "Synced", "True", "ReconcileSuccess", "")

	if ready {
		setCondition(status, w.now, "Ready", "True", "Available", "")
		w.checkReady(c)
	} else {
		setCondition(status, w.now, "Ready", "False", "Creating", "Unready resources: "+strings.Join(unready, ", "))
	}

	refs := make([]any, 0, len(w.refs))
	for _, id := range w.refs {
		refs = append(refs, tree{"id": id})
	}

	child(w.xr, "spec", "crossplane")["resourceRefs"] = refs

	if ttl := c.response.GetMeta().GetTtl().AsDuration(); ttl > 0 {
		w.due = w.now.Add(ttl + time.Duration(float64(ttl)*w.jitter)) // As core's jitter: a tenth either way.
	}
}
