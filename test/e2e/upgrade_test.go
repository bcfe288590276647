package e2e

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"my-operator.dev/echo/test/controlplane"
)

// TestFunctionUpgraded moves to another version of the function while Echoes run.
// As it renders the same, no Pod should notice. It runs by itself, for it needs
// to know which version answers.
func TestFunctionUpgraded(t *testing.T) {
	for _, c := range configurations {
		t.Run(c, func(t *testing.T) {
			tm := newTeam(t, c, "")
			tm.kubectl("apply", "-f", example("ports"))
			tm.kubectl("apply", "-f", example("deployment"))
			tm.runs("shop", 2)
			tm.runs("front", 2)

			before := map[string]map[string]bool{"shop": uids(tm.livePods("shop")), "front": uids(tm.livePods("front"))}

			for echo := range before {
				stop := tm.watchPods(echo, func([]corev1.Pod) string { return "no Pod should change at all" })
				defer stop()
			}

			tm.upgrade("v0.1.1")

			// A port more for the Service, so that the new version is seen to
			// compose.
			for echo, pods := range before {
				tm.kubectl("patch", "echo", echo, "--type", "merge", "-p", `{"spec":{"service":{"annotations":{"example.com/upgraded":"true"}}}}`)
				tm.eventually(func() string {
					if v, _ := at(tm.get("service", echo), "metadata", "annotations", "example.com/upgraded"); v != "true" {
						return "want the new version to annotate the Service of " + echo
					}

					return ""
				})

				if diff := cmp.Diff(pods, uids(tm.livePods(echo))); diff != "" {
					t.Errorf("the Pods of %s should be those of before: -before, +after:\n%s", echo, diff)
				}
			}
		})
	}
}

// upgrade installs the function once more, as another version. For one platform
// alone it is another package to Crossplane, with the same program in it.
func (t *team) upgrade(version string) {
	t.Helper()

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	before, err := t.cp.FunctionProcess(function)
	if err != nil {
		t.Fatal(err)
	}

	ref := registry + function + ":" + version
	if err := t.cp.Push(ctx, ref, filepath.Join(repository, "dist", function+"-"+runtime.GOARCH+".xpkg")); err != nil {
		t.Fatal(err)
	}

	if err := t.cp.UpdatePackage(ctx, controlplane.Function, ref, function); err != nil {
		t.Fatal(err)
	}

	t.eventually(func() string {
		if after, err := t.cp.FunctionProcess(function); err != nil || after.Revision == before.Revision {
			return "the new version does not run yet"
		}

		return ""
	})
}
