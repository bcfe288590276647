package workload

import (
	"bytes"
	"strings"
	"testing"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// TestTemplateHash holds the hashes of templates. One that changes here means
// that with the next version of this function every Pod of every Echo like it
// restarts: that had better be worth it.
func TestTemplateHash(t *testing.T) {
	cases := map[string]struct {
		reason string
		app    *app.App
		want   string
	}{
		"Example": {
			reason: "A new version of this function should not restart Pods whose template is the same.",
			app:    example(t),
			want:   "a89e6784ef",
		},
		"Whole": {
			reason: "A new version of this function should not restart Pods whose template is the same.",
			app:    whole(t),
			want:   "4d53e653c2",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := template(t, tc.app).Hash; got != tc.want {
				t.Errorf("\n%s\nwant %s, got %s", tc.reason, tc.want, got)
			}
		})
	}
}

func TestTemplateHashChanges(t *testing.T) {
	cases := map[string]struct {
		reason  string
		edit    func(a *app.App)
		changes bool
	}{
		"Nothing": {
			reason: "Equal Apps should have equal templates.",
			edit:   func(*app.App) {},
		},
		"Labels": {
			reason: "A label is no part of the template: what the platform adds to all objects should restart no Pod.",
			edit:   func(a *app.App) { a.ExtraLabels = map[string]string{"cost-centre": "42"} },
		},
		"Namespace": {
			reason: "Where an App is does not change what its Pods are.",
			edit:   func(a *app.App) { a.Namespace = "team-b" },
		},
		"Replicas": {
			reason: "Scaling should restart no Pod.",
			edit:   func(a *app.App) { *a.Spec.Replicas = 7 },
		},
		"ServicePort": {
			reason: "What the Service offers does not change the container.",
			edit:   func(a *app.App) { *a.Spec.Ports[0].ServicePort = 8000 },
		},
		"AppProtocol": {
			reason: "What is spoken on a port does not change the container.",
			edit:   func(a *app.App) { a.Spec.Ports[0].AppProtocol = nil },
		},
		"Image": {
			reason:  "Another image is another template.",
			edit:    func(a *app.App) { a.Spec.Image = "nginx:1.22" },
			changes: true,
		},
		"Command": {
			reason:  "Another command is another template.",
			edit:    func(a *app.App) { a.Spec.Command[1] = "work" },
			changes: true,
		},
		"ArgsMoved": {
			reason: "What moves from the command to the arguments changes the template, though the words are the same.",
			edit: func(a *app.App) {
				a.Spec.Args = []string{"serve", "--port=8080", ""}
				a.Spec.Command = []string{"/shop"}
			},
			changes: true,
		},
		"Env": {
			reason: "Another value of a variable is another template.",
			edit: func(a *app.App) {
				a.Spec.Env = []wire.Struct{object(t, map[string]any{"name": "GREETING", "value": "Moin"})}
			},
			changes: true,
		},
		"EnvOrder": {
			reason: "The order of variables matters, for a later one may refer to an earlier.",
			edit: func(a *app.App) {
				a.Spec.Env = newApp(t, "shop", `{image: a, env: [{name: EMPTY, value: ""}, {name: GREETING, value: "Grüß Gott"}]}`).Spec.Env
			},
			changes: true,
		},
		"EnvFrom": {
			reason: "Another prefix of variables is another template.",
			edit: func(a *app.App) {
				a.Spec.EnvFrom = []wire.Struct{object(t, map[string]any{"secretRef": map[string]any{"name": "shop"}})}
			},
			changes: true,
		},
		"Resources": {
			reason:  "Other limits are another template.",
			edit:    func(a *app.App) { a.Spec.Resources.Limits["cpu"] = "2" },
			changes: true,
		},
		"Port": {
			reason:  "Another port of the container is another template.",
			edit:    func(a *app.App) { a.Spec.Ports[0].Port = 8081 },
			changes: true,
		},
		"FileContent": {
			reason:  "A file that changes should be rolled out like any other change.",
			edit:    func(a *app.App) { *a.Spec.Files[0].Content += "more: true\n" },
			changes: true,
		},
		"FilesSwapped": {
			reason:  "Files that swap their contents are other files.",
			edit:    func(a *app.App) { f := a.Spec.Files; f[0].Content, f[1].Content = f[1].Content, f[0].Content },
			changes: true,
		},
		"Rollout": {
			reason: "How a change reaches the Pods is no change.",
			edit:   func(a *app.App) { a.Spec.Rollout = nil },
		},
		"Spread": {
			reason:  "A Pod cannot be spread anew once it runs.",
			edit:    func(a *app.App) { a.Spec.Scheduling.Spread = "Soft" },
			changes: true,
		},
		"Profile": {
			reason:  "Another security profile is another template.",
			edit:    func(a *app.App) { a.Spec.Security.Profile = "Baseline" },
			changes: true,
		},
		"PortName": {
			reason:  "A port's name is how the Service finds it.",
			edit:    func(a *app.App) { a.Spec.Ports[0].Name = "web" },
			changes: true,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := whole(t)
			tc.edit(a)

			before, after := template(t, whole(t)), template(t, a)
			if got := before.Hash != after.Hash; got != tc.changes {
				t.Errorf("\n%s\nwant a change: %t, got %s and %s", tc.reason, tc.changes, before.Hash, after.Hash)
			}

			if same := bytes.Equal(before.Spec, after.Spec); same == tc.changes {
				t.Errorf("\n%s\nthe hash should tell templates apart exactly where their specs differ", tc.reason)
			}
		})
	}
}

// TestTemplateHashIsALabel shows that a hash may be the value of a label.
func TestTemplateHashIsALabel(t *testing.T) {
	hash := template(t, example(t)).Hash
	if len(hash) == 0 || len(hash) > 63 || strings.Trim(hash, "0123456789abcdef") != "" {
		t.Errorf("want up to 63 hexadecimal digits, got %q", hash)
	}
}

func TestNewTemplateRefuses(t *testing.T) {
	a := example(t)
	a.Spec.Image = "nginx:\xff"

	if _, err := NewTemplate(a); err == nil || !strings.Contains(err.Error(), "cannot encode the Pod template") || !strings.Contains(err.Error(), "containers[0].image") {
		t.Errorf("want an error that names the field, got %v", err)
	}
}
