package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

func TestNewFiles(t *testing.T) {
	golden(t, "files", "The contents that are written in the spec should be in a ConfigMap that their hash names.", NewFiles(whole(t)))
}

func TestFilesHash(t *testing.T) {
	files := func(list string) *app.App { return newApp(t, "shop", "{image: a, files: "+list+"}") }

	cases := map[string]struct {
		reason string
		a, b   *app.App
		same   bool
	}{
		"Path": {
			reason: "Where a file is mounted is a matter of the Pod, and needs no other ConfigMap.",
			a:      files(`[{path: /a, content: x}]`),
			b:      files(`[{path: /b, content: x}]`),
			same:   true,
		},
		"Content": {
			reason: "An immutable ConfigMap with other contents needs another name.",
			a:      files(`[{path: /a, content: x}]`),
			b:      files(`[{path: /a, content: "y"}]`),
		},
		"Swapped": {
			reason: "Contents that change places are other contents.",
			a:      files(`[{path: /a, content: x}, {path: /b, content: "y"}]`),
			b:      files(`[{path: /a, content: "y"}, {path: /b, content: x}]`),
		},
		"Moved": {
			reason: "A content that looks like two should not pass for two.",
			a:      files(`[{path: /a, content: "x\nfile-1=1:y"}]`),
			b:      files(`[{path: /a, content: x}, {path: /b, content: "y"}]`),
		},
		"Elsewhere": {
			reason: "A file that comes from elsewhere takes a place, and so moves those behind it.",
			a:      files(`[{path: /a, secret: {name: s, key: k}}, {path: /b, content: x}]`),
			b:      files(`[{path: /b, content: x}]`),
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if same := FilesHash(tc.a) == FilesHash(tc.b); same != tc.same {
				t.Errorf("\n%s\nwant the same: %t, got %s and %s", tc.reason, tc.same, FilesHash(tc.a), FilesHash(tc.b))
			}
		})
	}
}

func TestFilesHashOfNone(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  string
		none   bool
	}{
		"None":      {reason: "Without files there is no ConfigMap.", files: `[]`, none: true},
		"Elsewhere": {reason: "Files from elsewhere need no ConfigMap of ours.", files: `[{path: /a, secret: {name: s, key: k}}]`, none: true},
		"Empty":     {reason: "An empty file is a file.", files: `[{path: /a, content: ""}]`},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := FilesHash(newApp(t, "shop", "{image: a, files: "+tc.files+"}"))
			if (got == "") != tc.none {
				t.Errorf("\n%s\nwant none: %t, got %q", tc.reason, tc.none, got)
			}
		})
	}
}

// TestKeepFiles shows that a ConfigMap that is kept is asked for as it stands,
// whatever the spec says by now.
func TestKeepFiles(t *testing.T) {
	before, err := wire.Marshal(NewFiles(whole(t)))
	if err != nil {
		t.Fatal(err)
	}

	now := newApp(t, "shop", `{image: a, files: [{path: /a, content: other}]}`)

	kept, err := KeepFiles(now, before)
	if err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(NewFiles(whole(t)), kept); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

func TestKeepFilesRefuses(t *testing.T) {
	s, err := wire.Marshal(map[string]any{"data": map[string]any{"file-0": 1}})
	if err != nil {
		t.Fatal(err)
	}

	if _, err := KeepFiles(example(t), s); err == nil || !strings.Contains(err.Error(), "data.file-0:") {
		t.Errorf("want an error that names the field, got %v", err)
	}
}
