package main

import (
	"slices"

	"pgregory.net/rapid"
)

const imageMissing = "shop:missing"

// edits are ways to change an Echo's spec, by field. A nil takes the field out.
var edits = map[string][]any{
	"image":      {"shop:1", "shop:2", "shop:3", "shop:1", "shop:2", imageMissing},
	"replicas":   {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, nil},
	"workload":   {"Pods", "Deployment", "Deployment", nil},
	"env":        {nil, []any{tree{"name": "MARK", "value": "a"}}, []any{tree{"name": "MARK", "value": "b"}}},
	"files":      {nil, []any{tree{"path": "/etc/a", "content": "x"}}, []any{tree{"path": "/etc/a", "content": "y"}}},
	"ports":      {nil, []any{port}, []any{port, tree{"port": 53.0, "protocol": "UDP"}}},
	"service":    {nil, tree{"type": "LoadBalancer"}, tree{"annotations": tree{"a": "b"}}},
	"ingress":    {nil, tree{"host": "shop.example.com"}},
	"monitoring": {nil, tree{"port": "http"}},
	"rollout": {
		nil, tree{"maxSurge": 0.0, "maxUnavailable": 1.0}, tree{"maxSurge": 1.0, "maxUnavailable": 0.0},
		tree{"maxSurge": "50%", "maxUnavailable": "50%"}, tree{"maxSurge": 2.0},
	},
	"autoscaling":                   {nil, tree{"maxReplicas": 5.0}},
	"disruption":                    {nil, tree{"minAvailable": "50%"}},
	"volumes":                       {nil, []any{tree{"mountPath": "/tmp", "emptyDir": tree{}}}},
	"security":                      {nil, tree{"profile": "Restricted"}},
	"scheduling":                    {nil, tree{"spread": "None"}},
	"terminationGracePeriodSeconds": {nil, 0.0, 60.0},
	"buckets":                       bucketEdits,
}

var port = tree{"name": "http", "port": 8080.0, "servicePort": 80.0}

// often are the fields that change again and again in an Echo's life.
var often = []string{"image", "replicas", "workload", "env", "files", "buckets"}

// mistakes are ways to get a spec wrong, by the field that is to be named.
var mistakes = map[string]func(spec tree){
	"spec.image":                         func(s tree) { s["image"] = "" },
	"spec.replicas":                      func(s tree) { s["replicas"] = -1.0 },
	"spec.workload":                      func(s tree) { s["workload"] = "DaemonSet" },
	"spec.ports[0].port":                 func(s tree) { s["ports"] = []any{tree{"name": "http", "port": 0.0}} },
	"spec.autoscaling.maxReplicas":       func(s tree) { s["autoscaling"] = tree{"maxReplicas": 0.0} },
	"spec.rollout":                       func(s tree) { s["rollout"] = tree{"maxSurge": 0.0, "maxUnavailable": "0%"} },
	"spec.files[0]":                      func(s tree) { s["files"] = []any{tree{"path": "/etc/a"}} },
	"spec.volumes[0].mountPath":          func(s tree) { s["volumes"] = []any{tree{"mountPath": "tmp", "emptyDir": tree{}}} },
	"spec.security.runAsUser":            func(s tree) { s["security"] = tree{"profile": "Restricted", "runAsUser": 0.0} },
	"spec.scheduling.spread":             func(s tree) { s["scheduling"] = tree{"spread": "Even"} },
	"spec.disruption.minAvailable":       func(s tree) { s["disruption"] = tree{"minAvailable": "half"} },
	"spec.ingress.host":                  func(s tree) { s["ingress"] = tree{"host": ""} },
	"spec.buckets[0].name":               func(s tree) { s["buckets"] = []any{tree{"name": "Assets"}} },
	"spec.volumes[0].emptyDir.sizeLimit": func(s tree) { s["volumes"] = []any{tree{"mountPath": "/a", "emptyDir": tree{"sizeLimit": "much"}}} },
}

// ofWrongType are mistakes that keep a spec from being read at all.
var ofWrongType = map[string]func(spec tree){
	"spec.image":         func(s tree) { s["image"] = 1.0 },
	"spec.replicas":      func(s tree) { s["replicas"] = "three" },
	"spec.ports[0].port": func(s tree) { s["ports"] = []any{tree{"port": 1.5}} },
	"spec.env":           func(s tree) { s["env"] = tree{"A": "b"} },
}

func (w *world) edit(field string) {
	s, v := w.spec(), clone(rapid.SampledFrom(edits[field]).Draw(w.t, field))
	buckets := s["buckets"]
	w.log("tenant sets %s to %v", field, v)

	if v == nil {
		delete(s, field)
	} else {
		s[field] = v
	}

	// What admission would not let pass.
	w.admitBuckets(buckets)

	if len(list(s, "ports")) == 0 {
		delete(s, "ingress")
		delete(s, "monitoring")
	}

	if s["image"] == nil {
		s["image"] = "shop:1"
	}

	w.wake()
}

func (w *world) drawSpec() {
	for _, field := range sorted(edits) {
		w.edit(field)
	}
}

// blunder gives the Echo a spec with one or several mistakes for one compose.
func (w *world) blunder() {
	kinds := rapid.SampledFrom([]map[string]func(tree){mistakes, ofWrongType}).Draw(w.t, "kinds")
	fields := rapid.SliceOfNDistinct(rapid.SampledFrom(sorted(kinds)), 1, 3, rapid.ID[string]).Draw(w.t, "mistakes")
	good := clone(w.spec())

	for _, f := range fields {
		// The second of two mistakes in one field would undo the first.
		if f == "spec.volumes[0].mountPath" && slices.Contains(fields, "spec.volumes[0].emptyDir.sizeLimit") {
			fields = slices.DeleteFunc(fields, func(x string) bool { return x == f })
			break
		}
	}

	for _, f := range fields {
		kinds[f](w.spec())
	}

	w.log("tenant gets wrong %v", fields)
	w.mistakes = fields
	w.reconcile()
	w.mistakes = nil

	good["crossplane"] = w.spec()["crossplane"]
	w.xr["spec"] = good
	w.wake()
}

// drawInput draws the platform's policy.
func (w *world) drawInput() {
	w.input = rapid.SampledFrom([]tree{
		nil,
		{"apiVersion": "echo.fn.my-operator.dev/v1beta1", "kind": "Input"},
		{"defaults": tree{"workload": "Deployment", "labels": tree{"team": "a"}}},
		{"defaults": tree{"securityProfile": "Restricted", "resources": tree{"limits": tree{"memory": "64Mi"}}}, "limits": tree{"maxReplicas": 5.0, "maxBuckets": 2.0}, "providerConfigs": tree{"buckets": tree{"name": "minio"}}},
	}).Draw(w.t, "input")
}
