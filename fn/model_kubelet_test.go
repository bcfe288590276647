package main

import (
	"time"
)

// Stages of a Pod's life.
const (
	unscheduled = iota
	pulling
	starting
	serving
	ended
)

// A fate is what becomes of a Pod.
type fate string

const (
	fateWell          fate = "well"
	fateUnschedulable fate = "unschedulable"
	fatePull          fate = "pull"    // Its image cannot be pulled.
	fateCrash         fate = "crash"   // Its container ends over and over.
	fateUnready       fate = "unready" // Its readiness probe never succeeds.
	fateEnds          fate = "ends"    // It is evicted once it runs.
)

// life is what the model's kubelet knows of a Pod.
type life struct {
	stage    int
	fate     fate
	restarts int
	ending   time.Duration // How long it takes to end.
	stuck    bool          // Its status says that it will not get ready by itself.
}

// born begins the life of a Pod that was just created.
func (w *world) born(o *stored) {
	w.births++
	o.life = &life{fate: w.drawFate(), ending: w.drawEnding()}
	fallback(child(o.tree, "spec"), tree{
		"serviceAccountName": "default", "serviceAccount": "default", "priority": 0.0, "preemptionPolicy": "PreemptLowerPriority",
		"enableServiceLinks": true,
		"tolerations":        []any{tree{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300.0}},
	})
	child(o.tree, "status")["phase"] = "Pending"
	w.touch(o)
}

// image is the image of a Pod or of a Pod template.
func image(spec any) string {
	for _, c := range list(spec, "containers") {
		return text(c, "image")
	}

	return ""
}

// live takes a Pod one stage further, or as far as its fate lets it.
func (w *world) live(o *stored) {
	l := o.life

	switch {
	case l.stage == ended:
		return
	case o.terminating():
		if l.stage == serving {
			l.stage = starting
		}
	case l.stage == unscheduled && l.fate != fateUnschedulable,
		l.stage == pulling && l.fate != fatePull && image(o.tree["spec"]) != imageMissing && w.mountable(o),
		l.stage == starting && (l.fate == fateWell || l.fate == fateEnds):
		l.stage++
	case l.stage == serving && l.fate == fateEnds:
		l.stage = ended
	case l.stage == starting && l.fate == fateCrash:
		l.restarts++
	}

	w.report(o)
}

// mountable is true of a Pod whose ConfigMaps and Secrets exist.
func (w *world) mountable(o *stored) bool {
	for _, name := range configMaps(o.tree["spec"]) {
		if _, ok := w.objects[objectID("ConfigMap", w.namespace, name)]; !ok {
			return false
		}
	}

	return w.hasKeys(o)
}

func configMaps(spec any) []string {
	var names []string

	for _, v := range list(spec, "volumes") {
		if n := text(v, "configMap", "name"); n != "" {
			names = append(names, n)
		}
	}

	return names
}

// report writes a Pod's status.
func (w *world) report(o *stored) {
	l, before := o.life, clone(child(o.tree, "status"))
	status := child(o.tree, "status")

	set := func(kind string, ok bool, reason, message string) {
		value := "False"
		if ok {
			value, reason, message = "True", "", ""
		}

		setCondition(status, w.now, kind, value, reason, message)
	}

	if l.stage > unscheduled && at(o.tree, "spec", "nodeName") == nil {
		child(o.tree, "spec")["nodeName"] = "node-1"
	}

	if l.stage == unscheduled && l.fate == fateUnschedulable || l.stage > unscheduled {
		set("PodScheduled", l.stage > unscheduled, "Unschedulable", "0/3 nodes are available")
	}

	if l.stage > unscheduled {
		set("Ready", l.stage == serving, "ContainersNotReady", "containers with unready status: [echo]")
	}

	status["phase"] = []string{"Pending", "Pending", "Running", "Running", "Failed"}[l.stage]
	if l.stage == ended {
		status["reason"], status["message"] = "Evicted", "The node was low on resource: memory."
	}

	if l.stage > unscheduled {
		status["containerStatuses"] = []any{w.container(l, image(o.tree["spec"]))}
	}

	l.stuck = l.isStuck(image(o.tree["spec"]))

	if !equal(before, status) {
		w.touch(o)
	}
}

// container is the status of a Pod's container. One that cannot be pulled or that
// crashes changes its state at every look.
func (w *world) container(l *life, image string) tree {
	c := tree{"name": "echo", "image": image, "ready": l.stage == serving, "restartCount": float64(l.restarts), "state": tree{}, "lastState": tree{}}
	dead := tree{"terminated": tree{"exitCode": 1.0, "reason": "Error", "finishedAt": stamp(w.now)}}

	switch {
	case l.stage == pulling && (l.fate == fatePull || image == imageMissing):
		l.restarts++
		reason := []string{"ErrImagePull", "ImagePullBackOff"}[l.restarts%2]
		c["restartCount"] = 0.0
		c["state"] = tree{"waiting": tree{"reason": reason, "message": "Back-off pulling image " + w.now.String()}}
	case l.stage == pulling:
		c["state"] = tree{"waiting": tree{"reason": "ContainerCreating"}}
	case l.stage == ended:
		c["state"] = tree{"terminated": tree{"exitCode": 137.0, "reason": "Error", "finishedAt": stamp(w.now)}}
	case l.fate == fateCrash && l.restarts > 0:
		c["lastState"] = dead

		switch l.restarts % 3 {
		case 0:
			c["state"] = tree{"running": tree{"startedAt": stamp(w.now)}}
		case 1:
			c["state"] = dead
		case 2:
			c["state"] = tree{"waiting": tree{"reason": "CrashLoopBackOff", "message": "back-off 20s " + w.now.String()}}
		}
	default:
		c["state"] = tree{"running": tree{"startedAt": text(w.xr, "metadata", "creationTimestamp")}}
	}

	return c
}

func (l *life) isStuck(image string) bool {
	switch l.stage {
	case unscheduled:
		return l.fate == fateUnschedulable
	case pulling:
		return l.fate == fatePull || image == imageMissing
	case starting:
		return l.fate == fateCrash && l.restarts > 0
	}

	return l.stage == ended
}

// bury removes what has ended.
func (w *world) bury() {
	for _, o := range w.of("Pod") {
		if o.terminating() && !w.now.Before(o.gone) {
			w.remove(o)
		}
	}
}

func (o *stored) ready() bool {
	s, _ := condition(o.tree, "Ready")
	return s == "True" && !o.terminating()
}
