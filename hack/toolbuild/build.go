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
	// module is the directory of the module that pins the tools.
	module string
	// cache is the directory that holds one directory per content hash.
	cache string
	// progress receives a line whenever something happens.
	progress io.Writer
}

// dir returns the directory that belongs to the current content of the tools
// module, the Go version and the flags.
func (b builder) dir(ctx context.Context) (string, error) {
	h := sha256.New()
	for _, f := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(b.module, f))
		if err != nil {
			return "", fmt.Errorf("cannot read what pins the tools: %w", err)
		}
		h.Write(content)
	}
	env, err := b.command(ctx, "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return "", fmt.Errorf("cannot ask Go for its version: %w", err)
	}
	h.Write(env)
	fmt.Fprint(h, tools, shared)
	return filepath.Join(b.cache, hex.EncodeToString(h.Sum(nil))[:16]), nil
}

func (b builder) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	return cmd
}

// build builds the tools that dir lacks, one at a time: each build uses every
// core by itself, and two at once would only need twice the memory.
func (b builder) build(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the tools directory: %w", err)
	}
	for i, t := range tools {
		target := filepath.Join(dir, t.name)
		if _, err := os.Stat(target); err == nil {
			continue
		}
		fmt.Fprintf(b.progress, "[%d/%d] %s\n", i+1, len(tools), t.name)
		started := time.Now()
		if err := b.buildOne(ctx, t, target); err != nil {
			return fmt.Errorf("cannot build %s: %w", t.name, err)
		}
		fmt.Fprintf(b.progress, "[%d/%d] %s built in %s\n", i+1, len(tools), t.name, time.Since(started).Round(time.Second))
	}
	return nil
}

// buildOne writes to a temporary name first, so that a target that exists is
// always whole.
func (b builder) buildOne(ctx context.Context, t tool, target string) error {
	partial := target + ".partial"
	cmd := b.command(ctx, "build", "-v", "-ldflags", t.ldflags, "-o", partial, t.pkg)
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
