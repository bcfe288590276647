package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/test/controlplane"
)

// defaultTimeout is generous: a package is pulled, unpacked and started in
// seconds, on a loaded machine in tens of them.
const defaultTimeout = 2 * time.Minute

// progressEnv names the file descriptor on which a background process reports to
// the one that started it.
const progressEnv = "ECHO_PROGRESS_FD"

type command struct {
	state      string
	foreground bool
	options    controlplane.Options
	packages   []string
	apply      []string
	push       []string
	tenants    []string
	timeout    time.Duration
}

// up starts a process in the background that holds the control plane, relays
// what it reports, and returns when it is ready.
func (c command) up(ctx context.Context, args []string) error {
	if err := os.MkdirAll(c.state, 0o700); err != nil {
		return errors.Wrap(err, "cannot make the state directory")
	}
	if pid, ok := c.holder(); ok {
		return errors.Errorf("a control plane is up already, as process %d: take it down first", pid)
	}
	self, err := os.Executable()
	if err != nil {
		return errors.Wrap(err, "cannot find myself")
	}
	log, err := os.Create(c.file("log"))
	if err != nil {
		return errors.Wrap(err, "cannot make the log")
	}
	defer func() { _ = log.Close() }()
	read, write, err := os.Pipe()
	if err != nil {
		return errors.Wrap(err, "cannot make a pipe")
	}

	cmd := exec.Command(self, append(args, "--foreground")...)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = log, log, []*os.File{write}
	cmd.Env = append(os.Environ(), progressEnv+"=3")
	// A session of its own, so that it outlives the terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return errors.Wrap(err, "cannot start the background process")
	}
	_ = write.Close()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	defer stop()

	ready := false
	for s := bufio.NewScanner(read); s.Scan(); {
		if path, ok := strings.CutPrefix(s.Text(), readyPrefix); ok {
			ready = true
			fmt.Println(path)
			continue
		}
		fmt.Fprintln(os.Stderr, s.Text())
	}
	if ready {
		return errors.Wrap(cmd.Process.Release(), "cannot let go of the background process")
	}
	return errors.Wrapf(cmd.Wait(), "the control plane did not come up; see %s", c.file("log"))
}

// readyPrefix starts the last line that a background process reports: the path
// of the kubeconfig.
const readyPrefix = "KUBECONFIG="

// hold starts a control plane, and holds it until ctx ends.
func (c command) hold(ctx context.Context) error {
	if err := os.MkdirAll(c.state, 0o700); err != nil {
		return errors.Wrap(err, "cannot make the state directory")
	}
	release, err := c.record()
	if err != nil {
		return err
	}
	defer release()

	progress := io.WriteCloser(os.Stderr)
	if fd, err := strconv.Atoi(os.Getenv(progressEnv)); err == nil {
		syscall.CloseOnExec(fd)
		progress = os.NewFile(uintptr(fd), "progress")
	}
	c.options.Progress = progress

	cp, err := controlplane.Start(ctx, c.options)
	if err == nil {
		err = c.fill(ctx, cp)
		defer func() { _ = cp.Stop() }()
	}
	if err != nil {
		_, _ = fmt.Fprintln(progress, err)
		return err
	}
	_, _ = fmt.Fprintln(progress, readyPrefix+c.file("kubeconfig"))
	// Whoever waits for the end of the pipe may go now. What the control plane
	// has to say from here on is in its logs.
	if progress != os.Stderr {
		_ = progress.Close()
	}
	<-ctx.Done()
	return nil
}

// fill applies and installs what the flags say, and links to what was made.
func (c command) fill(ctx context.Context, cp *controlplane.ControlPlane) error {
	for _, p := range c.push {
		ref, files, _ := strings.Cut(p, "=")
		if err := cp.Push(ctx, ref, strings.Split(files, ",")...); err != nil {
			return err //nolint:wrapcheck // It names the package.
		}
		_, _ = fmt.Fprintf(c.options.Progress, "%s is pushed\n", ref)
	}
	for _, path := range c.apply {
		how := []string{"--recursive", "-f"}
		if _, err := os.Stat(filepath.Join(path, "kustomization.yaml")); err == nil {
			how = []string{"-k"}
		}
		args := append([]string{"apply", "--server-side"}, how...)
		if _, err := cp.Kubectl(ctx, append(args, path)...); err != nil {
			return errors.Wrapf(err, "cannot apply %s", path)
		}
		_, _ = fmt.Fprintf(c.options.Progress, "%s is applied\n", path)
	}
	for _, p := range c.packages {
		if err := c.install(ctx, cp, p); err != nil {
			return err
		}
	}
	links := map[string]string{"kubeconfig": cp.Kubeconfig(), "workdir": cp.WorkDir()}
	for _, namespace := range c.tenants {
		t, err := cp.Tenant(ctx, namespace)
		if err != nil {
			return errors.Wrapf(err, "cannot make tenant %s", namespace)
		}
		links[namespace+".kubeconfig"] = t.Kubeconfig
	}
	for _, name := range c.options.S3 {
		server, err := cp.S3(name)
		if err != nil {
			return err //nolint:wrapcheck // It names the server.
		}
		// It goes with the server that it opens.
		file := filepath.Join(cp.WorkDir(), name+".env")
		if err := os.WriteFile(file, []byte(strings.Join(server.Environment(), "\n")+"\n"), 0o600); err != nil {
			return errors.Wrapf(err, "cannot write how to reach S3 server %s", name)
		}
		links[name+".env"] = file
	}
	for name, target := range links {
		if err := os.Remove(c.file(name)); err != nil && !os.IsNotExist(err) {
			return errors.Wrap(err, "cannot remove an old link")
		}
		if err := os.Symlink(target, c.file(name)); err != nil {
			return errors.Wrap(err, "cannot link to the control plane")
		}
	}
	return nil
}

// install pushes and installs KIND=NAME=REF=FILE[,FILE].
func (c command) install(ctx context.Context, cp *controlplane.ControlPlane, spec string) error {
	parts := strings.SplitN(spec, "=", 4)
	if len(parts) < 3 {
		return errors.Errorf("package %q is not KIND=NAME=REF=FILE[,FILE]", spec)
	}
	kind, name, ref := controlplane.PackageKind(parts[0]), parts[1], parts[2]
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errors.Errorf("waited %s", c.timeout))
	defer cancel()

	started := time.Now()
	if len(parts) == 4 {
		if err := cp.Push(ctx, ref, strings.Split(parts[3], ",")...); err != nil {
			return err //nolint:wrapcheck // It names the package.
		}
	}
	if err := cp.InstallPackage(ctx, kind, ref, name); err != nil {
		return err //nolint:wrapcheck // The same.
	}
	_, _ = fmt.Fprintf(c.options.Progress, "%s %s is healthy after %.1f s\n", kind, name, time.Since(started).Seconds())
	return nil
}

// file returns the absolute path of a file in the state directory.
func (c command) file(name string) string {
	path, err := filepath.Abs(filepath.Join(c.state, name))
	if err != nil {
		return filepath.Join(c.state, name)
	}
	return path
}
