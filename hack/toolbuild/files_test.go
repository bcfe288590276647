package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestPrune keeps the current directory however old it is, the newest other one,
// and every file that is not a directory.
func TestPrune(t *testing.T) {
	cache := t.TempDir()
	for i, name := range []string{"current-hash", "older", "old", "newest"} {
		path := filepath.Join(cache, name)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(cache, "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	current := filepath.Join(cache, "current-hash")
	if err := link(cache, current); err != nil {
		t.Fatal(err)
	}
	if err := prune(cache, current); err != nil {
		t.Fatal(err)
	}

	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := []string{"current", "current-hash", "lock", "newest"}
	if !slices.Equal(want, got) {
		t.Errorf("prune(...): want %v, got %v", want, got)
	}
	if target, err := os.Readlink(filepath.Join(cache, "current")); err != nil || target != "current-hash" {
		t.Errorf("link(...): want current-hash, got %q, %v", target, err)
	}
}

// TestReuse takes a tool over from another set that built it from the same, and
// no other tool.
func TestReuse(t *testing.T) {
	cases := map[string]struct {
		reason string
		name   string
		key    string
		want   bool
	}{
		"Same":    {reason: "A tool of the same key is taken over.", name: "etcd", key: "abc", want: true},
		"Changed": {reason: "A tool of another key has to be built.", name: "etcd", key: "def"},
		"New":     {reason: "A tool that is in no set has to be built.", name: "minio", key: "abc"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			old, dir := filepath.Join(cache, "old"), filepath.Join(cache, "new")
			for _, d := range []string{old, dir} {
				if err := os.MkdirAll(filepath.Join(d, keysDir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for path, content := range map[string]string{"etcd": "binary", filepath.Join(keysDir, "etcd"): "abc"} {
				if err := os.WriteFile(filepath.Join(old, path), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}

			if got := (builder{cache: cache}).reuse(dir, tc.name, tc.key); got != tc.want {
				t.Errorf("%s\nreuse(...): want %t, got %t", tc.reason, tc.want, got)
			}
			for _, path := range []string{tc.name, filepath.Join(keysDir, tc.name)} {
				if _, err := os.Stat(filepath.Join(dir, path)); (err == nil) != tc.want {
					t.Errorf("%s\n%s: want it there: %t, got %v", tc.reason, path, tc.want, err)
				}
			}
		})
	}
}
