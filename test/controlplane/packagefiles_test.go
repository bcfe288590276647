package controlplane

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
)

func TestExtract(t *testing.T) {
	type want struct {
		content string
		failed  bool
	}
	cases := map[string]struct {
		reason string
		files  map[string]string
		name   string
		want   want
	}{
		"Relative": {
			reason: "Archives name files without the leading slash that the entrypoint has.",
			files:  map[string]string{"package.yaml": "x", "function": "binary"},
			name:   "/function",
			want:   want{content: "binary"},
		},
		"Nested": {
			reason: "An entrypoint may be in a directory, and the archive may say ./ before it.",
			files:  map[string]string{"./usr/bin/function": "binary"},
			name:   "/usr/bin/function",
			want:   want{content: "binary"},
		},
		"Missing": {
			reason: "An image without its entrypoint is an error, not an empty file.",
			files:  map[string]string{"usr/bin/function": "binary"},
			name:   "/function",
			want:   want{failed: true},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			archive := bytes.Buffer{}
			w := tar.NewWriter(&archive)
			for file, content := range tc.files {
				if err := w.WriteHeader(&tar.Header{Name: file, Typeflag: tar.TypeReg, Size: int64(len(content))}); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write([]byte(content)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}

			target := filepath.Join(t.TempDir(), "entrypoint")
			err := extract(&archive, tc.name, target)
			content, _ := os.ReadFile(target)
			got := want{content: string(content), failed: err != nil}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\nextract(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestMountSecret(t *testing.T) {
	cases := map[string]struct {
		reason   string
		versions []map[string][]byte
		want     map[string]string
	}{
		"First": {
			reason:   "Each key is a file.",
			versions: []map[string][]byte{{"tls.crt": []byte("a"), "tls.key": []byte("b")}},
			want:     map[string]string{"tls.crt": "a", "tls.key": "b"},
		},
		"Rotated": {
			reason:   "The files follow the Secret.",
			versions: []map[string][]byte{{"tls.crt": []byte("a")}, {"tls.crt": []byte("c")}},
			want:     map[string]string{"tls.crt": "c"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, v := range tc.versions {
				if err := mountSecret(&corev1.Secret{Data: v}, dir); err != nil {
					t.Fatal(err)
				}
			}
			got := map[string]string{}
			for key := range tc.want {
				content, err := os.ReadFile(filepath.Join(dir, key))
				if err != nil {
					t.Fatal(err)
				}
				got[key] = string(content)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nmountSecret(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWithCondition(t *testing.T) {
	healthy := condition("RuntimeHealthy", "True", "Healthy", "")
	broken := condition("RuntimeHealthy", "False", "Unhealthy", "it ended")
	other := condition("RevisionHealthy", "True", "Healthy", "")
	type want struct {
		conditions []any
		changed    bool
	}
	cases := map[string]struct {
		reason     string
		conditions []any
		set        map[string]any
		want       want
	}{
		"Added": {
			reason:     "Core's own conditions stay as they are.",
			conditions: []any{other},
			set:        healthy,
			want:       want{conditions: []any{other, healthy}, changed: true},
		},
		"Replaced": {
			reason:     "There is one condition of each type.",
			conditions: []any{healthy, other},
			set:        broken,
			want:       want{conditions: []any{broken, other}, changed: true},
		},
		"Unchanged": {
			reason:     "Saying the same again writes nothing.",
			conditions: []any{broken, other},
			set:        condition("RuntimeHealthy", "False", "Unhealthy", "it ended"),
			want:       want{conditions: []any{broken, other}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			conditions, changed := withCondition(tc.conditions, tc.set)
			got := want{conditions: conditions, changed: changed}
			ignoreTime := cmpopts.IgnoreMapEntries(func(k string, _ any) bool { return k == "lastTransitionTime" })
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{}), ignoreTime); diff != "" {
				t.Errorf("\n%s\nwithCondition(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
