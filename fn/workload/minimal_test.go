package workload

import (
	"fmt"
	"strings"
	"testing"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"

	"pgregory.net/rapid"
)

// surplus are the paths of what server-side apply had better not be given: nulls,
// empty objects and lists, a status, a time of creation. Each would make this
// function the owner of a field that it has no opinion on.
func surplus(v any, path string) []string {
	var paths []string

	switch v := v.(type) {
	case nil:
		return []string{path + ": null"}
	case map[string]any:
		if len(v) == 0 && !strings.HasSuffix(path, ".emptyDir") { // which is meant: its presence is what counts
			return []string{path + ": {}"}
		}

		for key, e := range v {
			at := path + "." + key

			if at == ".status" || key == "creationTimestamp" {
				paths = append(paths, at)
			}

			paths = append(paths, surplus(e, at)...)
		}
	case []any:
		if len(v) == 0 {
			return []string{path + ": []"}
		}

		for i, e := range v {
			paths = append(paths, surplus(e, fmt.Sprintf("%s[%d]", path, i))...)
		}
	}

	return paths
}

// TestMinimal renders Apps of all sorts and looks for what should not be there.
func TestMinimal(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		a := drawApp(r, t)
		tmpl := template(t, a)

		for kind, o := range map[string]any{
			"Pod":              NewPod(a, tmpl, rapid.IntRange(0, 2).Draw(r, "attempt")),
			"Deployment":       NewDeployment(a, tmpl),
			"PodOfOldTemplate": keep(t, a, kept(t), 1),
			"ConfigMap":        NewFiles(whole(t)),
		} {
			for _, path := range surplus(rendered(t, o), "") {
				r.Errorf("%s has %s", kind, path)
			}
		}
	})
}

// drawApp draws an App of which each field is set, or empty in one of the ways
// that Go knows.
func drawApp(r *rapid.T, t testing.TB) *app.App {
	t.Helper()

	a := example(t)
	s := &a.Spec

	texts := rapid.SampledFrom([][]string{nil, {}, {""}, {"a", "b"}})
	s.Command = texts.Draw(r, "command")
	s.Args = texts.Draw(r, "args")

	s.Env = rapid.SampledFrom([][]wire.Struct{nil, {}, {object(t, map[string]any{"name": "A"})}}).Draw(r, "env")
	s.EnvFrom = rapid.SampledFrom([][]wire.Struct{nil, {}, {object(t, map[string]any{"secretRef": map[string]any{"name": "s"}})}}).Draw(r, "envFrom")

	lists := rapid.SampledFrom([]map[string]app.Amount{nil, {}, {"cpu": "0"}, {"memory": "1Gi"}})
	s.Resources = &app.Resources{Requests: lists.Draw(r, "requests"), Limits: lists.Draw(r, "limits")}

	// What an App has none, an empty one, or a good deal of.
	full := whole(t).Spec
	empty := newApp(t, "shop", `{ports: [], files: [], volumes: [], imagePullSecrets: [], probes: {}, rollout: {}, scheduling: {}, image: a}`).Spec
	from := func(field string) *app.Spec {
		return rapid.SampledFrom([]*app.Spec{{Security: empty.Security}, &empty, &full}).Draw(r, field)
	}

	s.Ports = from("ports").Ports
	s.Files = from("files").Files
	s.Volumes = from("volumes").Volumes
	s.ImagePullSecrets = from("imagePullSecrets").ImagePullSecrets
	s.Probes = from("probes").Probes
	s.Rollout = from("rollout").Rollout
	s.Scheduling = from("scheduling").Scheduling
	s.Security = from("security").Security
	s.TerminationGracePeriodSeconds = from("terminationGracePeriodSeconds").TerminationGracePeriodSeconds

	*s.Replicas = int32(rapid.IntRange(0, 3).Draw(r, "replicas"))

	if err := s.Settle(); err != nil {
		r.Fatal(err)
	}

	return a
}
