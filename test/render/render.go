// Package render renders examples as a user would: with the real Crossplane CLI
// and core, against the real function, without Docker and without a cluster.
package render

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"sigs.k8s.io/yaml"
)

// How long the function may take to start and to end. Both take milliseconds.
const (
	startTimeout = 10 * time.Second
	stopGrace    = 5 * time.Second
)

// A Renderer renders composites with a running function.
type Renderer struct {
	// Tools is the directory of the built tools.
	Tools string
	// Repository is the root of the repository.
	Repository string

	dir      string
	address  string
	function *exec.Cmd
}

// Start builds and starts the function. The caller must Stop it.
func Start(ctx context.Context, tools, repository string) (*Renderer, error) {
	dir, err := os.MkdirTemp("", "echo-render-")
	if err != nil {
		return nil, errors.Wrap(err, "cannot make a work directory")
	}

	r := &Renderer{Tools: tools, Repository: repository, dir: dir}
	if err := r.start(ctx); err != nil {
		return nil, errors.Join(err, r.Stop())
	}

	return r, nil
}

func (r *Renderer) start(ctx context.Context) error {
	binary := filepath.Join(r.dir, "function-echo")

	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./fn")
	build.Dir = r.Repository

	if out, err := build.CombinedOutput(); err != nil {
		return errors.Wrapf(err, "cannot build function-echo: %s", out)
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Wrap(err, "cannot find a free port")
	}

	r.address = l.Addr().String()

	if err := l.Close(); err != nil {
		return errors.Wrap(err, "cannot free a port")
	}

	r.function = exec.Command(binary, "--insecure", "--address", r.address, "--metrics-address", "")
	r.function.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}

	if err := r.function.Start(); err != nil {
		return errors.Wrap(err, "cannot start function-echo")
	}

	return r.awaitFunction(ctx)
}

// awaitFunction waits until the function takes connections.
func (r *Renderer) awaitFunction(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	for {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", r.address)
		if err == nil {
			return c.Close()
		}

		select {
		case <-ctx.Done():
			return errors.Wrapf(err, "function-echo did not listen within %s", startTimeout)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Stop ends the function and removes what Start made.
func (r *Renderer) Stop() error {
	if r.function != nil && r.function.Process != nil {
		kill := time.AfterFunc(stopGrace, func() { _ = r.function.Process.Kill() })
		defer kill.Stop()

		_ = r.function.Process.Signal(syscall.SIGTERM)
		_ = r.function.Wait()
	}

	return errors.Wrap(os.RemoveAll(r.dir), "cannot remove the work directory")
}

// Composite renders the composite in the file xr, and returns the documents that
// the CLI prints. More arguments to the CLI may follow.
func (r *Renderer) Composite(ctx context.Context, xr string, args ...string) ([]byte, error) {
	functions := filepath.Join(r.dir, "functions.yaml")

	doc, err := yaml.Marshal(map[string]any{
		"apiVersion": "pkg.crossplane.io/v1",
		"kind":       "Function",
		"metadata": map[string]any{
			"name": "function-echo",
			"annotations": map[string]string{
				"render.crossplane.io/runtime":                    "Development",
				"render.crossplane.io/runtime-development-target": r.address,
			},
		},
		"spec": map[string]any{"package": "xpkg.my-operator.dev/function-echo"},
	})
	if err != nil {
		return nil, errors.Wrap(err, "cannot write functions.yaml")
	}

	if err := os.WriteFile(functions, doc, 0o600); err != nil {
		return nil, errors.Wrap(err, "cannot write functions.yaml")
	}

	configuration := filepath.Join(r.Repository, "package", "configuration-echo")
	args = append([]string{
		"composition", "render", xr,
		filepath.Join(configuration, "compositions", "echo.yaml"), functions,
		"--crossplane-binary", filepath.Join(r.Tools, "crossplane-core"),
		"--xrd", filepath.Join(configuration, "apis", "echoes.yaml"),
	}, args...)

	cmd := exec.CommandContext(ctx, filepath.Join(r.Tools, "crossplane"), args...)
	stderr := &bytes.Buffer{}
	cmd.Stderr = stderr

	out, err := cmd.Output()
	if err != nil {
		return nil, errors.Wrapf(err, "cannot render %s: %s", xr, strings.TrimSpace(stderr.String()))
	}

	return out, nil
}

// Example renders the Echo of an example, in the namespace of the given name.
// Other objects of the example are left out: a tenant applies them.
func (r *Renderer) Example(ctx context.Context, name string, args ...string) ([]byte, error) {
	src := filepath.Join(r.Repository, "examples", name, "echo.yaml")

	b, err := os.ReadFile(src)
	if err != nil {
		return nil, errors.Wrap(err, "cannot read the example")
	}

	xr, err := composite(b)
	if err != nil {
		return nil, errors.Wrapf(err, "cannot read example %s", name)
	}

	dst := filepath.Join(r.dir, name+".yaml")
	if err := os.WriteFile(dst, xr, 0o600); err != nil {
		return nil, errors.Wrap(err, "cannot write the composite")
	}

	return r.Composite(ctx, dst, args...)
}

// Namespace is where examples are rendered, as kubectl applies what names no
// namespace to the one of its context.
const Namespace = "default"

// composite is the composite among an example's documents.
func composite(b []byte) ([]byte, error) {
	for doc := range bytes.SplitSeq(b, []byte("\n---\n")) {
		u := map[string]any{}
		if err := yaml.Unmarshal(doc, &u); err != nil {
			return nil, err
		}

		if v, _ := u["apiVersion"].(string); v != "my-operator.dev/v1" {
			continue
		}

		if m, ok := u["metadata"].(map[string]any); ok && m["namespace"] == nil {
			m["namespace"] = Namespace
		}

		return yaml.Marshal(u)
	}

	return nil, errors.New("it holds no composite")
}

// Examples are the names of all examples.
func Examples(repository string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(repository, "examples", "*", "echo.yaml"))

	names := make([]string, 0, len(files))
	for _, f := range files {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}

	return names, errors.Wrap(err, "cannot list examples")
}
