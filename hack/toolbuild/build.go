package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// heartbeat is how often a build that still runs says so.
const heartbeat = 15 * time.Second

type builder struct {
	// modules is the directory below which the modules that pin the tools are.
	modules string
	// cache is the directory that holds one directory per content hash.
	cache string
	// progress receives a line whenever something happens.
	progress io.Writer
}

// keys returns for each tool, by its name, a hash of what it is built from: its
// module, the Go version and the flags.
func (b builder) keys(ctx context.Context) (map[string]string, error) {
	env, err := b.command(ctx, "", "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return nil, fmt.Errorf("cannot ask Go for its version: %w", err)
	}
	keys := map[string]string{}
	for _, t := range tools {
		h := sha256.New()
		for _, f := range []string{"go.mod", "go.sum"} {
			content, err := os.ReadFile(filepath.Join(b.modules, t.module, f))
			if err != nil {
				return nil, fmt.Errorf("cannot read what pins the tools: %w", err)
			}
			h.Write(content)
		}
		h.Write(env)
		fmt.Fprint(h, t)
		keys[t.name] = hex.EncodeToString(h.Sum(nil))[:16]
	}
	return keys, nil
}

// dir returns the directory that belongs to the tools of these keys and to the
// data files.
func (b builder) dir(keys map[string]string) string {
	h := sha256.New()
	// Maps are printed in the order of their keys.
	fmt.Fprint(h, keys, shared)
	return filepath.Join(b.cache, hex.EncodeToString(h.Sum(nil))[:16])
}

// command returns a go command that runs in a module below the modules'
// directory; the empty one is that directory itself.
func (b builder) command(ctx context.Context, module string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(b.modules, module)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	return cmd
}

// build builds the tools that dir lacks, one at a time: each build uses every
// core by itself, and two at once would only need twice the memory.
func (b builder) build(ctx context.Context, dir string, keys map[string]string) error {
	if err := os.MkdirAll(filepath.Join(dir, keysDir), 0o755); err != nil {
		return fmt.Errorf("cannot make the tools directory: %w", err)
	}
	for i, t := range tools {
		target := filepath.Join(dir, t.name)
		if _, err := os.Stat(target); err == nil {
			continue
		}
		if b.reuse(dir, t.name, keys[t.name]) {
			continue
		}
		fmt.Fprintf(b.progress, "[%d/%d] %s\n", i+1, len(tools), t.name)
		started := time.Now()
		if err := b.buildOne(ctx, t, target); err != nil {
			return fmt.Errorf("cannot build %s: %w", t.name, err)
		}
		fmt.Fprintf(b.progress, "[%d/%d] %s built in %s\n", i+1, len(tools), t.name, time.Since(started).Round(time.Second))
		if err := os.WriteFile(filepath.Join(dir, keysDir, t.name), []byte(keys[t.name]), 0o644); err != nil {
			return fmt.Errorf("cannot note what %s is built from: %w", t.name, err)
		}
	}
	return nil
}

// buildOne writes to a temporary name first, so that a target that exists is
// always whole.
func (b builder) buildOne(ctx context.Context, t tool, target string) error {
	partial := target + ".partial"
	cmd := b.command(ctx, t.module, "build", "-v", "-ldflags", t.ldflags, "-o", partial, t.pkg)
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	said := b.report(out)
	if err := cmd.Wait(); err != nil {
		return errors.Join(err, errors.New(said))
	}
	return os.Rename(partial, target)
}

// report counts the packages that go build -v names until the build ends, says
// so at every heartbeat, and returns what else was said: the compiler's errors.
func (b builder) report(out io.Reader) string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()

	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	started, packages := time.Now(), 0
	said := bytes.Buffer{}
	for {
		select {
		case line, ok := <-lines:
			switch {
			case !ok:
				return said.String()
			case line != "" && !strings.ContainsAny(line, " #:"):
				packages++
			default:
				said.WriteString(line + "\n")
			}
		case <-tick.C:
			fmt.Fprintf(b.progress, "      %s, %d packages compiled\n", time.Since(started).Round(time.Second), packages)
		}
	}
}
