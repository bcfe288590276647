package main

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// bucketEdits are lists of buckets that an Echo may ask for.
var bucketEdits = []any{
	nil, nil, nil,
	[]any{tree{"name": "assets"}},
	[]any{tree{"name": "assets", "access": "ReadOnly", "versioning": "Enabled", "deletion": "Orphan", "region": "eu-1"}},
	[]any{tree{"name": "assets", "envPrefix": "A_", "region": "us-1"}, tree{"name": "logs", "envPrefix": "B_", "deletion": "Force"}},
	[]any{tree{"name": "logs"}},
	[]any{tree{"name": "access-logs"}, tree{"name": "logs", "envPrefix": "B_"}},
}

// admitBuckets keeps a bucket in its region, which admission would not let the
// tenant change.
func (w *world) admitBuckets(before any) {
	for _, now := range list(w.spec(), "buckets") {
		for _, b := range list(before) {
			if text(now, "name") == text(b, "name") {
				setRegion(now.(tree), at(b, "region"))
			}
		}
	}
}

func setRegion(bucket tree, region any) {
	delete(bucket, "region")

	if region != nil {
		bucket["region"] = region
	}
}

func (w *world) declared() []string {
	var names []string
	for _, b := range list(w.spec(), "buckets") {
		names = append(names, text(b, "name"))
	}

	return names
}

// composed is what the Echo has of one of its buckets, nil if it has none.
func (w *world) composed(kind, bucket string) *stored {
	o := w.objects[objectID(kind, w.namespace, w.app+"-"+bucket)]
	if o == nil || controller(o.tree) != w.uid() {
		return nil
	}

	return o
}

// secretOf is the name of the Secret of a BucketAccess.
func secretOf(access any) string { return text(access, "spec", "writeConnectionSecretToRef", "name") }

// bindings are the Secrets that a Pod's spec has in its environment.
func bindings(spec any) []string {
	var names []string

	for _, c := range list(spec, "containers") {
		for _, e := range list(c, "envFrom") {
			if n := text(e, "secretRef", "name"); n != "" {
				names = append(names, n)
			}
		}
	}

	return names
}

// bindsAll is true of a Pod's spec that has the keys to just the buckets that the
// Echo asks for.
func (w *world) bindsAll(pod any) bool {
	var want []string

	for _, name := range w.declared() {
		if a := w.composed("BucketAccess", name); a != nil {
			want = append(want, secretOf(a.tree))
		} else {
			want = append(want, "?")
		}
	}

	return slices.Equal(want, bindings(pod))
}

// hasKeys is true of a Pod whose Secrets exist.
func (w *world) hasKeys(pod *stored) bool {
	return !slices.ContainsFunc(bindings(pod.tree["spec"]), func(name string) bool {
		return w.objects[objectID("Secret", w.namespace, name)] == nil
	})
}

// waitsForKeys is true of an Echo with a bucket that there have never been keys
// to, and so perhaps no workload yet.
func (w *world) waitsForKeys() bool {
	return slices.ContainsFunc(w.declared(), func(name string) bool {
		a := w.composed("BucketAccess", name)
		return a == nil || !w.issued[secretOf(a.tree)] || at(a.tree, "status", "atProvider") == nil
	})
}

// provide lets the provider of buckets do a step.
func (w *world) provide(moves func(*stored) bool) {
	w.provided = w.provided || w.calm

	for _, kind := range []string{"Bucket", "BucketAccess"} {
		for _, o := range w.of(kind) {
			if o.foreign == nil && moves(o) {
				w.provideOne(kind, o)
			}
		}
	}
}

func (w *world) provideOne(kind string, o *stored) {
	id := idOf(o.tree)
	if _, known := w.broken[id]; !known {
		w.broken[id] = !w.calm && rapid.IntRange(0, 3).Draw(w.t, "broken") == 0
	}

	broken := w.broken[id] || w.down

	if o.terminating() && (!broken || w.calm) {
		if s := w.objects[objectID("Secret", w.namespace, secretOf(o.tree))]; s != nil {
			w.remove(s)
		}

		w.remove(o)

		return
	}

	before := clone(o.tree)
	status := child(o.tree, "status")

	switch waits := kind == "BucketAccess" && !w.bucketReady(text(o.tree, "spec", "forProvider", "bucketRef", "name")); {
	case broken:
		setCondition(status, w.now, "Synced", "False", "ReconcileError", "the server cannot be reached")
		w.unready(o)
	case waits:
		setCondition(status, w.now, "Synced", "True", "ReconcileSuccess", "")
		w.unready(o)
	default:
		setCondition(status, w.now, "Synced", "True", "ReconcileSuccess", "")
		setCondition(status, w.now, "Ready", "True", "Available", "")
		w.provided1(kind, o)
	}

	if !equal(before, o.tree) {
		w.touch(o)
	}
}

// provided1 writes what comes of a Bucket or BucketAccess that there is.
func (w *world) provided1(kind string, o *stored) {
	if kind == "Bucket" {
		child(o.tree, "metadata", "annotations")["crossplane.io/external-name"] = "x-" + text(o.tree, "metadata", "uid")
		return
	}

	child(o.tree, "status", "atProvider")["accessKeyID"] = "K-" + text(o.tree, "metadata", "uid")
	name := secretOf(o.tree)
	w.issued[name] = true

	if w.objects[objectID("Secret", w.namespace, name)] == nil {
		w.create(tree{"apiVersion": "v1", "kind": "Secret", "metadata": tree{"name": name, "namespace": w.namespace}}, w.now)
	}
}

func (w *world) unready(o *stored) {
	reason := "Creating"
	if s, r := condition(o.tree, "Ready"); s == "True" || r == "Unavailable" {
		reason = "Unavailable"
	}

	setCondition(child(o.tree, "status"), w.now, "Ready", "False", reason, "")
}

func (w *world) bucketReady(name string) bool {
	o := w.objects[objectID("Bucket", w.namespace, name)]
	if w.down || o == nil || o.foreign != nil || o.terminating() {
		return false
	}

	s, _ := condition(o.tree, "Ready")

	return s == "True"
}

// addBuckets has the tenant add buckets to what runs, and scale it, while there is
// no server to make them on.
func (w *world) addBuckets() {
	delete(w.spec(), "buckets")
	w.wake()

	for range 4 {
		w.core(2)
		w.tick(func(*stored) bool { return true })
		w.controlDeployments()
	}

	w.down = true
	w.log("the server of buckets is down")
	w.edit("buckets")
	w.core(1)
	w.edit("replicas")
}

// upset breaks or mends something of a bucket.
func (w *world) upset() {
	w.down = false

	all := slices.Concat(w.of("Bucket"), w.of("BucketAccess"))
	if len(all) == 0 {
		return
	}

	id := idOf(all[rapid.IntRange(0, len(all)-1).Draw(w.t, "bucket")].tree)
	w.broken[id] = !w.broken[id]
	w.log("%s is broken: %t", id, w.broken[id])
}

// healBuckets mends all that is wrong with buckets. A bucket that was taken out and
// put back in another region while it was still there stays where it is.
func (w *world) healBuckets() {
	w.down = false
	clear(w.broken)

	for _, b := range list(w.spec(), "buckets") {
		if o := w.composed("Bucket", text(b, "name")); o != nil && !o.terminating() {
			setRegion(b.(tree), at(o.tree, "spec", "forProvider", "region"))
		}
	}
}

// checkBound: nothing is made that binds keys which have never been there.
func (w *world) checkBound(c *call) {
	for key, r := range c.response.GetDesired().GetResources() {
		o := r.GetResource().AsMap()
		spec := o["spec"]

		switch {
		case text(o, "kind") == "Deployment":
			spec = at(o, "spec", "template", "spec")
		case text(o, "kind") != "Pod" || c.observed[key] != nil:
			continue
		}

		for _, name := range bindings(spec) {
			if !w.issued[name] {
				w.fail("%s binds the Secret %s, and there have never been keys in it", key, name)
			}
		}
	}
}

// checkKept: nothing of a bucket goes before the Pods that have the keys to it.
func (w *world) checkKept(o *stored) {
	kind := text(o.tree, "kind")
	if kind != "Bucket" && kind != "BucketAccess" {
		return
	}

	a := w.objects[objectID("BucketAccess", w.namespace, text(o.tree, "metadata", "name"))]
	if a == nil {
		return
	}

	for _, p := range w.of("Pod") {
		if p.life.stage != ended && slices.Contains(bindings(p.tree["spec"]), secretOf(a.tree)) {
			w.fail("deletes %s, and %s (terminating: %t) has the keys to it", idOf(o.tree), text(p.tree, "metadata", "name"), p.terminating())
		}
	}
}

// checkStays: a bucket is no cause to have fewer Pods, or not to replace them.
func (w *world) checkStays(c *call) {
	if len(w.declared()) == 0 || c.observed["deployment"] != nil || w.quota != nil {
		return
	}

	live := slices.ContainsFunc(sorted(c.observed), func(key string) bool {
		o := c.observed[key]
		return text(o.tree, "kind") == "Pod" && !o.terminating()
	})
	wanted := 0

	for key := range c.response.GetDesired().GetResources() {
		if o := c.observed[key]; strings.HasPrefix(key, "pod-") && (o == nil || !o.terminating()) {
			wanted++
		}
	}

	_, unavailable := w.bounds()
	if deployment := c.response.GetDesired().GetResources()["deployment"]; live && deployment == nil && wanted < w.replicas()-unavailable {
		w.fail("wants %d of %d Pods: %s", wanted, w.replicas(), w.summary())
	}
}

// checkBucketsReady: ready means that all buckets are, and the keys to them.
func (w *world) checkBucketsReady(c *call) {
	for _, name := range w.declared() {
		for _, key := range []string{"bucket-" + name, "bucketaccess-" + name} {
			o := c.request.GetObserved().GetResources()[key].GetResource().AsMap()
			if s, _ := condition(o, "Ready"); s != "True" {
				w.fail("is ready before its %s", key)
			}
		}
	}

	if s, _ := condition(w.xr, "BucketsReady"); len(w.declared()) > 0 && s != "True" {
		w.fail("is ready, and BucketsReady is %q", s)
	}
}

// checkBucketsWanted: there are the buckets that the spec asks for, and no others
// but those that Pods still have the keys to. It is the kind of an object that is
// in the place of one, "" if there is none.
func (w *world) checkBucketsWanted() (taken string) {
	for _, kind := range []string{"Bucket", "BucketAccess"} {
		for _, name := range w.declared() {
			o := w.objects[objectID(kind, w.namespace, w.app+"-"+name)]

			switch {
			case o != nil && o.foreign != nil:
				taken = kind
			case o == nil && taken == "":
				w.fail("has no %s %s", kind, name)
			}
		}

		for _, o := range w.of(kind) {
			name := strings.TrimPrefix(text(o.tree, "metadata", "name"), w.app+"-")
			if o.foreign != nil || slices.Contains(w.declared(), name) {
				continue
			}

			if !w.inUse(name) {
				w.fail("still has a %s %s", kind, name)
			}
		}
	}

	if message, held := text(w.xr, "status", "message"), w.waitsForKeys(); held && w.replicas() > 0 && len(w.of("Pod")) == 0 && !strings.Contains(message, "waiting for ") {
		w.fail("%q does not say that it waits for a bucket", message)
	}

	return taken
}

// inUse is true of a bucket whose keys a Pod, or a Deployment's template, binds.
func (w *world) inUse(bucket string) bool {
	ours := func(secret string) bool { return strings.HasPrefix(secret, w.app+"-"+bucket+"-") }
	bound := func(path ...string) func(*stored) bool {
		return func(o *stored) bool { return slices.ContainsFunc(bindings(at(o.tree, path...)), ours) }
	}

	return slices.ContainsFunc(w.of("Pod"), bound("spec")) || slices.ContainsFunc(w.of("Deployment"), bound("spec", "template", "spec"))
}

// summarizeBuckets says in a few words how buckets are.
func (w *world) summarizeBuckets() string {
	var b strings.Builder

	for _, o := range slices.Concat(w.of("Bucket"), w.of("BucketAccess")) {
		ready, reason := condition(o.tree, "Ready")
		fmt.Fprintf(&b, " %s(ready %q %s, broken %t, terminating %t)", idOf(o.tree), ready, reason, w.broken[idOf(o.tree)], o.terminating())
	}

	return b.String()
}
