package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// A world is one Echo, and all that has to do with it.
type world struct {
	store

	t         *rapid.T
	now       time.Time
	jitter    float64
	namespace string
	app       string // The name that the tenant knows the Echo by.
	xr        tree
	input     tree
	mistakes  []string // Fields of the spec that are wrong.
	earlier   *fnv1.State
	monitored bool // PodMonitor is served.
	provided  bool // Bucket and BucketAccess are served.
	// broken are the objects that the provider of buckets cannot see to, and
	// issued the Secrets that there have been keys in.
	broken, issued map[string]bool
	// down: it can see to none.
	down      bool
	oldServer bool // The API server writes creationTimestamp: null in templates.
	quota     *stored
	calm      bool // No more disturbances.

	// What core knows.
	refs     []string
	required map[string]*fnv1.ResourceSelector
	dirty    bool
	breaker  breaker
	due      time.Time // When the TTL is over, zero if there is none.
	last     *call

	doomed bool // Every Pod ends.

	composes, writes, births int
	lastFacts, lastStatus    string
}

func newWorld(t *rapid.T) *world {
	w := &world{
		t: t, now: noon.Add(time.Duration(rapid.IntRange(0, 999).Draw(t, "milliseconds")) * time.Millisecond),
		namespace: "team-a", app: "shop", dirty: true, required: map[string]*fnv1.ResourceSelector{},
		jitter:    rapid.SampledFrom([]float64{0, -0.1, 0.1}).Draw(t, "jitter"),
		monitored: rapid.Bool().Draw(t, "monitored"),
		provided:  rapid.IntRange(0, 4).Draw(t, "provided") > 0,
		broken:    map[string]bool{}, issued: map[string]bool{},
		oldServer: rapid.Bool().Draw(t, "oldServer"),
		earlier:   &fnv1.State{},
	}
	w.store = store{objects: map[string]*stored{}, changed: w.notice}
	w.xr = tree{
		"apiVersion": "my-operator.dev/v1", "kind": "Echo",
		"metadata": tree{
			"name": w.app, "namespace": w.namespace, "uid": "11111111-2222-3333-4444-555555555555",
			"labels": tree{labelPrefix: w.app}, "creationTimestamp": stamp(noon),
		},
		"spec": tree{"crossplane": tree{"compositionRef": tree{"name": "echo"}}},
	}

	if rapid.Bool().Draw(t, "claim") {
		w.xr["kind"] = "XEcho"
		meta := child(w.xr, "metadata")
		delete(meta, "namespace")
		meta["name"] = w.app + "-x7k2p"
		meta["labels"] = tree{labelPrefix: w.app + "-x7k2p"}
		child(w.xr, "spec")["claimRef"] = tree{"apiVersion": "my-operator.dev/v1", "kind": "Echo", "namespace": w.namespace, "name": w.app}
	}

	w.drawInput()
	w.drawEarlier()

	return w
}

func (w *world) fail(format string, args ...any) { w.t.Fatalf(format, args...) }

func (w *world) log(format string, args ...any) {
	w.t.Logf("%s %s", w.now.Format("15:04:05.000"), fmt.Sprintf(format, args...))
}

// notice is core's watches: of what it composed, and of what was required.
func (w *world) notice(id string, o tree) {
	watched := slices.Contains(w.refs, id)
	for _, s := range w.required {
		watched = watched || w.selects(s, o)
	}

	switch {
	case !watched:
	case text(o, "metadata", "deletionTimestamp") != "": // These no breaker drops.
		w.dirty = true
	default:
		w.wake()
	}
}

func (w *world) spec() tree { return child(w.xr, "spec") }

func (w *world) replicas() int {
	if w.spec()["replicas"] == nil {
		return 1
	}

	return number(w.spec(), "replicas")
}

func (w *world) workload() string {
	for _, s := range []string{text(w.spec(), "workload"), text(w.input, "defaults", "workload")} {
		if s != "" {
			return s
		}
	}

	return "Pods"
}

// bounds are those of a rollout.
func (w *world) bounds() (surge, unavailable int) {
	r := maps.Clone(child(clone(w.spec()), "rollout"))
	fallback(r, tree{"maxSurge": "25%", "maxUnavailable": "25%"})

	surge, unavailable = scaledBy(r["maxSurge"], w.replicas(), true), scaledBy(r["maxUnavailable"], w.replicas(), false)
	if surge+unavailable == 0 {
		unavailable = 1
	}

	return surge, unavailable
}

// matches is true of a Pod's spec that is as the Echo's spec has it.
func (w *world) matches(pod any) bool {
	mark := ""
	if e := list(w.spec(), "env"); len(e) > 0 {
		mark = text(e[0], "value")
	}

	content := ""
	if f := list(w.spec(), "files"); len(f) > 0 {
		content = text(f[0], "content")
	}

	var gotMark, gotContent string

	for _, c := range list(pod, "containers") {
		for _, e := range list(c, "env") {
			gotMark = text(e, "value")
		}
	}

	for _, name := range configMaps(pod) {
		if o, ok := w.objects[objectID("ConfigMap", w.namespace, name)]; ok {
			gotContent = text(o.tree, "data", "file-0")
		}
	}

	return image(pod) == text(w.spec(), "image") && mark == gotMark && content == gotContent && w.bindsAll(pod)
}

// composedPods are the Pods that the composite itself controls and that are not
// on their way out.
func (w *world) composedPods() []*stored {
	return slices.DeleteFunc(w.of("Pod"), func(p *stored) bool { return controller(p.tree) != w.uid() || p.terminating() })
}

// tick lets everything but core do a step.
func (w *world) tick(pod func(*stored) bool) {
	w.bury()

	for _, p := range w.of("Pod") {
		if pod(p) {
			w.live(p)
		}
	}

	w.provide(pod)

	for _, s := range w.of("Service") {
		if s.foreign == nil && text(s.tree, "spec", "type") == "LoadBalancer" && at(s.tree, "status") == nil {
			s.tree["status"] = tree{"loadBalancer": tree{"ingress": []any{tree{"ip": "192.0.2.1"}}}}
			w.touch(s)
		}
	}

	for _, h := range w.of("HorizontalPodAutoscaler") {
		if s, _ := condition(h.tree, "ScalingActive"); h.foreign == nil && s == "" {
			setCondition(child(h.tree, "status"), w.now, "AbleToScale", "True", "SucceededGetScale", "")
			setCondition(child(h.tree, "status"), w.now, "ScalingActive", "True", "ValidMetricFound", "")
			w.touch(h)
		}
	}
}

// pass lets time pass, up to the next thing that has its time.
func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

// core lets core work for as long as it has something to do, or a number of
// times.
func (w *world) core(most int) int {
	n := 0

	for n < most && (w.dirty || !w.due.IsZero() && !w.now.Before(w.due)) {
		w.reconcile()
		n++
	}

	return n
}

func (w *world) drawFate() fate {
	if w.doomed {
		return fateEnds
	}

	if w.calm {
		return fateWell
	}

	return rapid.SampledFrom([]fate{
		fateWell, fateWell, fateWell, fateWell, fateWell, fateWell, fateUnready, fateCrash, fatePull, fateUnschedulable, fateEnds, fateEnds,
	}).Draw(w.t, "fate")
}

func (w *world) drawEnding() time.Duration {
	if w.doomed {
		return 2 * time.Second
	}

	if w.calm {
		return 20 * time.Second
	}

	return time.Duration(rapid.IntRange(0, 60).Draw(w.t, "ending")) * time.Second
}

// drawEarlier draws what a function earlier in the pipeline wants.
func (w *world) drawEarlier() {
	if !rapid.Bool().Draw(w.t, "earlier") {
		return
	}

	w.earlier = &fnv1.State{
		Composite: &fnv1.Resource{Resource: sure(structpb.NewStruct(tree{"status": tree{"theirs": "kept"}}))},
		Resources: map[string]*fnv1.Resource{"theirs": {
			Resource: sure(structpb.NewStruct(tree{
				"apiVersion": "v1", "kind": "ConfigMap", "metadata": tree{"name": "theirs", "namespace": w.namespace}, "data": tree{"a": "b"},
			})),
			Ready: fnv1.Ready_READY_TRUE,
		}},
	}
}

// summary says in a few words how things are.
func (w *world) summary() string {
	var b strings.Builder

	fmt.Fprintf(&b, "want %d %s; status %q;", w.replicas(), w.workload(), text(w.xr, "status", "message"))

	for _, p := range w.of("Pod") {
		fmt.Fprintf(&b, " %s(stage %d, %s, terminating %t, matches %t)", text(p.tree, "metadata", "annotations", annotationKey), p.life.stage, p.life.fate, p.terminating(), w.matches(p.tree["spec"]))
	}

	for _, d := range w.of("Deployment") {
		fmt.Fprintf(&b, " deployment%v", at(d.tree, "status"))
	}

	b.WriteString(w.summarizeBuckets())

	return b.String()
}
