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
