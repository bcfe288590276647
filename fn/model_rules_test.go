package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/protocol"
)

// checkCall checks an answer by itself, and against what was observed.
func (w *world) checkCall(c *call) {
	if c.size > protocol.MaxResponse {
		w.fail("an answer of %d bytes", c.size)
	}

	w.checkPassedOn(c)

	if c.fatal != "" {
		w.checkFatal(c)
		return
	}

	if len(w.mistakes) > 0 {
		w.fail("accepts a spec with mistakes in %v", w.mistakes)
	}

	for key, r := range c.response.GetDesired().GetResources() {
		if w.earlier.GetResources()[key] == nil {
			w.checkObject(key, r.GetResource().AsMap())
		}
	}

	w.checkEvents(c)
	w.checkTTL(c)
	w.checkStatus(c)
	w.checkPods(c)
	w.checkBound(c)
	w.checkStays(c)
	w.checkSteady(c)
}

// checkPassedOn: what earlier functions want is passed on, and nothing that an
// auto-ready function would judge by itself is left open.
func (w *world) checkPassedOn(c *call) {
	if got, want := c.response.GetMeta().GetTag(), c.request.GetMeta().GetTag(); got != want {
		w.fail("tag %q, want %q", got, want)
	}

	if !proto.Equal(c.response.GetContext(), c.request.GetContext()) {
		w.fail("context is not passed on")
	}

	for key, r := range w.earlier.GetResources() {
		if !proto.Equal(r, c.response.GetDesired().GetResources()[key]) {
			w.fail("resource %q of an earlier function is not passed on", key)
		}
	}

	if s := w.earlier.GetComposite().GetResource(); s != nil && text(c.response.GetDesired().GetComposite().GetResource().AsMap(), "status", "theirs") != "kept" {
		w.fail("status of an earlier function is not passed on")
	}

	for key, r := range c.response.GetDesired().GetResources() {
		if r.GetReady() == fnv1.Ready_READY_UNSPECIFIED {
			w.fail("%s: readiness is left open", key)
		}
	}
}

// checkFatal: one fatal result with all mistakes, and no word of resources.
func (w *world) checkFatal(c *call) {
	if len(w.mistakes) == 0 {
		w.fail("fatal without a mistake: %s", c.fatal)
	}

	for _, m := range w.mistakes {
		if !strings.Contains(c.fatal, m) {
			w.fail("%q does not name %s", c.fatal, m)
		}
	}

	if n := len(c.response.GetResults()); n != 1 {
		w.fail("%d results beside a fatal one", n-1)
	}

	if !proto.Equal(c.response.GetDesired(), c.request.GetDesired()) && w.earlier.GetResources() != nil {
		w.fail("a fatal answer changes what is desired")
	}
}

// checkObject: minimal server-side apply, inside the tenant's namespace.
func (w *world) checkObject(key string, o tree) {
	if ns := text(o, "metadata", "namespace"); ns != w.namespace {
		w.fail("%s is composed in namespace %q", key, ns)
	}

	if _, ok := o["status"]; ok {
		w.fail("%s has a status", key)
	}

	// What is kept as it was observed has what the API server has put there.
	kept := text(o, "spec", "dnsPolicy") != "" || text(o, "spec", "template", "spec", "dnsPolicy") != ""

	var walk func(v any, path string)

	walk = func(v any, path string) {
		switch v := v.(type) {
		case nil:
			w.fail("%s: null at %s", key, path)
		case tree:
			if len(v) == 0 && !kept && !strings.HasSuffix(path, ".emptyDir") {
				w.fail("%s: {} at %s", key, path)
			}

			for k, e := range v {
				if k == "creationTimestamp" {
					w.fail("%s: %s at %s", key, k, path)
				}

				walk(e, path+"."+k)
			}
		case []any:
			if len(v) == 0 && !kept {
				w.fail("%s: [] at %s", key, path)
			}

			for _, e := range v {
				walk(e, path+"[]")
			}
		}
	}

	walk(o, "")
}

// checkEvents: an event only where a condition has turned.
func (w *world) checkEvents(c *call) {
	for _, e := range c.response.GetResults() {
		turned := slices.ContainsFunc(c.response.GetConditions(), func(x *fnv1.Condition) bool {
			status, reason := condition(c.before, x.GetType())
			return x.GetReason() == e.GetReason() && (reason != e.GetReason() || status == "Unknown")
		})
		if !turned {
			w.fail("event %s (%s) without a turn", e.GetReason(), e.GetMessage())
		}
	}
}

// checkTTL: called again after a time if, and only if, a Pod that has ended waits
// for it, or core does not tell of every change.
func (w *world) checkTTL(c *call) {
	waiting := ""

	for key, s := range c.observed {
		o := s.tree
		if _, kept := c.response.GetDesired().GetResources()[key]; kept && text(o, "kind") == "Pod" && text(o, "status", "phase") == "Failed" && !s.terminating() {
			waiting = key
		}
	}

	ttl := c.response.GetMeta().GetTtl().AsDuration()

	if len(w.declared()) > 0 && !w.provided {
		waiting = cmp.Or(waiting, "a bucket")
	}

	if status, _ := condition(w.xr, "Responsive"); status == "False" {
		if ttl == 0 || ttl > 10*time.Minute {
			w.fail("wants to be called again after %s, and core drops events", ttl)
		}

		return
	}

	if ttl > 0 && waiting == "" {
		w.fail("wants to be called again after %s, and nothing waits", ttl)
	}

	if ttl == 0 && waiting != "" && w.workload() == "Pods" {
		w.fail("%s has ended and waits, and nobody will call again", waiting)
	}
}

// checkStatus: the numbers are those observed, and what is stuck is named.
func (w *world) checkStatus(c *call) {
	status := at(c.response.GetDesired().GetComposite().GetResource().AsMap(), "status")
	message := text(status, "message")
	runs := w.runs(c, strings.Contains(message, "waiting for "))
	current, ready := 0, 0

	var stuck []string

	for key, s := range c.observed {
		o := s.tree

		switch {
		case text(o, "kind") == "Deployment" && (runs == "Deployment" || c.response.GetDesired().GetResources()[key] != nil):
			current += number(o, "status", "replicas")
			ready += number(o, "status", "readyReplicas")
		case text(o, "kind") != "Pod" || s.terminating():
		default:
			if s.life.stage != ended && (runs == "Pods" || c.response.GetDesired().GetResources()[key] != nil) {
				current++

				if s.ready() {
					ready++
				}
			}

			if s.life.stuck && runs == "Pods" {
				stuck = append(stuck, text(o, "metadata", "name"))
			}
		}
	}

	if got := number(status, "currentReplicas"); got != current {
		w.fail("currentReplicas is %d, observed are %d: %s", got, current, w.summary())
	}

	if got := number(status, "readyReplicas"); got != ready {
		w.fail("readyReplicas is %d, observed are %d: %s", got, ready, w.summary())
	}

	named := slices.ContainsFunc(stuck, func(name string) bool { return strings.Contains(message, name) })

	if len(stuck) > 0 && !named && !strings.Contains(message, "quota") {
		w.fail("%q names none of %v, which are stuck", message, stuck)
	}

	if text(status, "phase") == "Degraded" && !strings.Contains(message, ": ") {
		w.fail("%q names no culprit of phase Degraded", message)
	}
}

// runs is what runs the Pods: what the spec asks for, unless that waits for the keys
// to a bucket, and the other alone is there.
func (w *world) runs(c *call, waits bool) string {
	if !waits {
		return w.workload()
	}

	there := map[string]bool{}
	for _, s := range c.observed {
		there[text(s.tree, "kind")] = true
	}

	switch {
	case there["Pod"] && !there["Deployment"]:
		return "Pods"
	case there["Deployment"] && !there["Pod"]:
		return "Deployment"
	default:
		return w.workload()
	}
}

// checkSteady: status changes only when facts do.
func (w *world) checkSteady(c *call) {
	facts := w.facts(c)
	status := fmt.Sprint(c.response.GetDesired().GetComposite().GetResource().AsMap(), c.response.GetConditions())

	if w.lastFacts == facts && w.lastStatus != status {
		w.fail("status changes from\n%s\nto\n%s\nand no fact has", w.lastStatus, status)
	}

	w.lastFacts, w.lastStatus = facts, status
}

// facts is all that status may depend on, as text.
func (w *world) facts(c *call) string {
	var b strings.Builder

	spec := clone(w.spec())
	delete(spec, "crossplane")
	fmt.Fprint(&b, spec, w.now, w.monitored, w.provided)

	if c.response.GetMeta().GetTtl().AsDuration() == 0 {
		b.Reset() // The time counts only where something waits for it.
		fmt.Fprint(&b, spec, w.monitored, w.provided)
	}

	for _, id := range sorted(w.objects) {
		o := w.objects[id]
		fmt.Fprint(&b, id, o.terminating(), o.foreign != nil, slices.Contains(w.refs, id), at(o.tree, "metadata", "labels"))

		if o.life != nil {
			fmt.Fprint(&b, o.life.stage, o.life.fate, o.life.stuck, at(o.tree, "status", "phase"))
			fmt.Fprint(&b, o.ready())
		} else {
			fmt.Fprint(&b, at(o.tree, "status"), at(o.tree, "metadata", "generation"))
		}
	}

	return b.String()
}
