package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A server is one of those compared, and how it is run.
type server struct {
	name string
	what string
	pkg  string // of its command, below the module

	insecure bool
	metrics  bool // it takes --metrics-address
	answers  bool // it takes --answers
	own      bool // its requests are made for it, not for function-echo
}

// binary is the file name of the server's command.
func (s server) binary() string { return filepath.Base(s.pkg) }

// Names of servers that others are compared with.
const (
	echo      = "echo"
	plainEcho = "echo, no TLS"
	nullproto = "nullproto"
	sdk       = "sdk"
)

var servers = []server{
	{name: echo, pkg: "fn", metrics: true, what: "function-echo as in production: mutual TLS, metrics, health"},
	{name: plainEcho, pkg: "fn", metrics: true, insecure: true, what: "the same served `--insecure`, as all others here but one are"},
	{name: "null", pkg: "test/bench/null", answers: true, insecure: true, what: "answers with stored bytes and never decodes: what gRPC alone costs"},
	{name: nullproto, pkg: "test/bench/nullproto", answers: true, insecure: true, what: "decodes with the generated code and encodes a stored response: a function that does nothing"},
	{name: "nullproto, mTLS", pkg: "test/bench/nullproto", answers: true, what: "the same with mutual TLS"},
	{name: sdk, pkg: "test/bench/sdk", metrics: true, insecure: true, own: true, what: "wants the same as function-echo, written with the function SDK's helpers and typed objects; metrics on"},
}

func serverNamed(name string) server {
	return servers[slices.IndexFunc(servers, func(s server) bool { return s.name == name })]
}

// A rig is what a run needs on disk. Its folder goes when it is closed.
type rig struct {
	dir   string
	creds clientCredentials
}

func (r *rig) bin() string     { return filepath.Join(r.dir, "bin") }
func (r *rig) certs() string   { return filepath.Join(r.dir, "certs") }
func (r *rig) answers() string { return filepath.Join(r.dir, "answers") }

func (r *rig) close() { _ = os.RemoveAll(r.dir) }

// newRig builds all servers, with the flags that the image is built with.
func newRig(ctx context.Context) (*rig, error) {
	dir, err := os.MkdirTemp("", "echo-bench-")
	if err != nil {
		return nil, errors.Wrap(err, "cannot make a folder")
	}

	r := &rig{dir: dir}
	for _, d := range []string{r.bin(), r.certs(), r.answers()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, errors.Wrap(err, "cannot make a folder")
		}
	}

	if r.creds, err = writeCertificates(r.certs()); err != nil {
		r.close()
		return nil, errors.Wrap(err, "cannot make certificates")
	}

	say("Building")

	for _, s := range servers {
		// All are built as the package's binary is, see hack/packages.
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags=grpcnotrace,nethttpomithttp2", "-ldflags=-s -w",
			"-o", filepath.Join(r.bin(), s.binary()), "my-operator.dev/echo/"+s.pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		cmd.Stderr = os.Stderr

		if err := cmd.Run(); err != nil {
			r.close()
			return nil, errors.Wrapf(err, "cannot build %s", s.pkg)
		}
	}

	return r, nil
}
