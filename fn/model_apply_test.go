package main

import (
	"fmt"
	"slices"
	"strings"
)

// listKeys names the fields by which the elements of a list are told apart under
// server-side apply. A list that is not here is replaced as a whole.
var listKeys = map[string][]string{
	"containers": {"name"}, "env": {"name"}, "volumes": {"name"}, "imagePullSecrets": {"name"},
	"volumeMounts": {"mountPath"}, "ports": {"containerPort", "port", "protocol"},
	"topologySpreadConstraints": {"topologyKey", "whenUnsatisfiable"},
}

// element is the path of an element of a list, "" in a list that is replaced as a
// whole.
func element(path string, e any) string {
	m, ok := e.(tree)
	if !ok {
		return ""
	}

	keys := listKeys[path[strings.LastIndexByte(path, '.')+1:]]
	if len(keys) == 0 {
		return ""
	}

	var b strings.Builder

	b.WriteString(path)

	for _, k := range keys {
		fmt.Fprintf(&b, "[%v]", m[k])
	}

	return b.String()
}

// own adds the fields of a value to a set of fields.
func own(set map[string]bool, v any, path string) {
	switch v := v.(type) {
	case tree:
		if len(v) == 0 {
			set[path] = true
		}

		for k, e := range v {
			own(set, e, path+"."+k)
		}
	case []any:
		for _, e := range v {
			p := element(path, e)
			if p == "" {
				set[path] = true
				return
			}

			set[p] = true
			own(set, e, p)
		}
	default:
		set[path] = true
	}
}

// without takes fields out of a value, and what gets empty by that.
func without(v any, path string, gone map[string]bool) any {
	switch v := v.(type) {
	case tree:
		for k, e := range v {
			p, size := path+"."+k, length(e)
			if e = without(e, p, gone); gone[p] || size > 0 && length(e) == 0 {
				delete(v, k)
			} else {
				v[k] = e
			}
		}
	case []any:
		return slices.DeleteFunc(v, func(e any) bool {
			p := element(path, e)
			if p == "" || gone[p] {
				return p != ""
			}

			without(e, p, gone)

			return false
		})
	}

	return v
}

func length(v any) int {
	switch v := v.(type) {
	case tree:
		return len(v)
	case []any:
		return len(v)
	}

	return 0
}

// merge puts the fields of a configuration into an object.
func merge(live, config any, path string) any {
	switch config := config.(type) {
	case tree:
		l, ok := live.(tree)
		if !ok {
			l = tree{}
		}

		for k, e := range config {
			l[k] = merge(l[k], e, path+"."+k)
		}

		return l
	case []any:
		l, _ := live.([]any)

		for _, e := range config {
			p := element(path, e)
			if p == "" {
				return clone(config)
			}

			i := slices.IndexFunc(l, func(x any) bool { return element(path, x) == p })
			if i < 0 {
				l = append(l, clone(e))
			} else {
				l[i] = merge(l[i], e, p)
			}
		}

		return l
	}

	return config
}

// applied is an object after a server-side apply with force under a manager that
// owns the given fields, and the fields that it owns then.
func applied(live, config tree, owned map[string]bool) (tree, map[string]bool) {
	now := map[string]bool{}
	own(now, config, "")

	gone := map[string]bool{}

	for p := range owned {
		if !now[p] {
			gone[p] = true
		}
	}

	out := clone(live)
	if len(gone) > 0 {
		out, _ = without(out, "", gone).(tree)
	}

	out, _ = merge(out, config, "").(tree)
	defaults(out)

	return out, now
}

// defaults sets what the API server does where a field is left out.
func defaults(o tree) {
	switch text(o, "kind") {
	case "Pod":
		podDefaults(child(o, "spec"))
	case "Deployment":
		s := child(o, "spec")
		podDefaults(child(s, "template", "spec"))
		fallback(s, tree{"progressDeadlineSeconds": 600.0, "revisionHistoryLimit": 10.0})
		fallback(child(s, "strategy"), tree{"type": "RollingUpdate"})
		fallback(child(s, "strategy", "rollingUpdate"), tree{"maxSurge": "25%", "maxUnavailable": "25%"})
	case "Service":
		fallback(child(o, "spec"), tree{"type": "ClusterIP", "clusterIP": "10.96.0.7", "sessionAffinity": "None"})
	case "Bucket", "BucketAccess":
		fallback(child(o, "spec"), tree{
			"forProvider": tree{}, "managementPolicies": []any{"*"}, "providerConfigRef": tree{"kind": "ClusterProviderConfig", "name": "default"},
		})
	case "HorizontalPodAutoscaler":
		fallback(child(o, "spec"), tree{"minReplicas": 1.0})
	}
}

func podDefaults(s tree) {
	fallback(s, tree{
		"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
		"terminationGracePeriodSeconds": 30.0, "securityContext": tree{},
	})

	for _, c := range list(s, "containers") {
		fallback(c.(tree), tree{"imagePullPolicy": "IfNotPresent", "terminationMessagePath": "/dev/termination-log", "resources": tree{}})
	}
}

func fallback(o, to tree) {
	for k, v := range to {
		if _, ok := o[k]; !ok {
			o[k] = v
		}
	}
}

// invalid is why the API server would refuse an update (status 422), "" if it
// would not.
func invalid(before, after tree) string {
	switch text(before, "kind") {
	case "Pod":
		if !equal(fixed(before), fixed(after)) {
			return "Pod updates may not change fields other than containers[*].image"
		}
	case "ConfigMap":
		if before["immutable"] == true && (!equal(before["data"], after["data"]) || after["immutable"] != true) {
			return "field is immutable when `immutable` is set"
		}
	case "Bucket":
		if !equal(at(before, "spec", "forProvider", "region"), at(after, "spec", "forProvider", "region")) {
			return "a bucket cannot move to another region"
		}
	case "Deployment":
		if !equal(at(before, "spec", "selector"), at(after, "spec", "selector")) {
			return "spec.selector: field is immutable"
		}
	}

	return ""
}

// fixed is the part of a Pod's spec that may not change.
func fixed(pod tree) any {
	s := clone(child(pod, "spec"))
	for _, c := range list(s, "containers") {
		delete(c.(tree), "image")
	}

	return s
}
