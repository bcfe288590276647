package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// lock waits until no other build of the same cache runs. The kernel drops the
// lock when its holder dies, so that nothing is left behind.
func lock(path string, progress io.Writer) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot open the lock of the tool cache: %w", err)
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		fmt.Fprintln(progress, "another build of the tools is running: waiting for it")
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			return nil, fmt.Errorf("cannot lock the tool cache: %w", err)
		}
	}
	return func() { _ = f.Close() }, nil
}

// keysDir is the directory, within that of a set of tools, of one file per tool
// that holds its key.
const keysDir = "keys"

// reuse takes a tool that was built from the same over from another set of
// tools, and returns whether there was one. A link costs neither time nor space,
// so that a change of one module leaves the tools of the others alone.
func (b builder) reuse(dir, name, key string) bool {
	found, err := filepath.Glob(filepath.Join(b.cache, "*", keysDir, name))
	if err != nil {
		return false
	}
	for _, path := range found {
		old := filepath.Dir(filepath.Dir(path))
		if content, err := os.ReadFile(path); err != nil || string(content) != key || old == dir {
			continue
		}
		// The key goes last: a tool with a key is whole. What was left by a
		// run that was interrupted is in the way of nothing.
		noted := filepath.Join(dir, keysDir, name)
		_ = os.Remove(noted)
		if os.Link(filepath.Join(old, name), filepath.Join(dir, name)) == nil && os.Link(path, noted) == nil {
			return true
		}
	}
	return false
}

// copyData copies the data files of the tools' modules into share, so that
// running the tools needs no module cache. It swaps in the whole directory at
// once.
func (b builder) copyData(ctx context.Context, share string) error {
	if _, err := os.Stat(share); err == nil {
		return nil
	}
	partial := share + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return fmt.Errorf("cannot clear %s: %w", partial, err)
	}
	for _, d := range shared {
		out, err := b.command(ctx, "", "list", "-m", "-f", "{{.Dir}}", d.module).Output()
		if err != nil {
			return fmt.Errorf("cannot find module %s: %w", d.module, err)
		}
		from := filepath.Join(strings.TrimSpace(string(out)), d.from)
		if err := copyFiles(from, filepath.Join(partial, d.to)); err != nil {
			return fmt.Errorf("cannot copy %s of %s: %w", d.from, d.module, err)
		}
	}
	if err := os.Rename(partial, share); err != nil {
		return fmt.Errorf("cannot put the data files in place: %w", err)
	}
	return nil
}

// copyFiles copies the regular files of one directory, which it does not
// descend. The module cache is read-only; the copies are writable, so that an
// old directory can be removed.
func copyFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// link points cache/current at dir. A rename replaces the old link, so that a
// reader always finds one.
func link(cache, dir string) error {
	partial := filepath.Join(cache, "current.partial")
	if err := os.Remove(partial); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("cannot remove a stale link: %w", err)
	}
	if err := os.Symlink(filepath.Base(dir), partial); err != nil {
		return fmt.Errorf("cannot link the current tools: %w", err)
	}
	if err := os.Rename(partial, filepath.Join(cache, "current")); err != nil {
		return fmt.Errorf("cannot link the current tools: %w", err)
	}
	return nil
}

// prune removes all but the current directory and the newest other one, which
// serves whoever goes back and forth between two branches. One set is 750 MB, less
// the tools that it shares with the other.
func prune(cache, current string) error {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return fmt.Errorf("cannot list the tool cache: %w", err)
	}
	newest, others := "", []string{}
	var newestTime time.Time
	for _, e := range entries {
		path := filepath.Join(cache, e.Name())
		info, err := e.Info()
		if err != nil || !e.IsDir() || path == current {
			continue
		}
		others = append(others, path)
		if info.ModTime().After(newestTime) {
			newest, newestTime = path, info.ModTime()
		}
	}
	for _, path := range others {
		if path == newest {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("cannot remove old tools: %w", err)
		}
	}
	return nil
}
