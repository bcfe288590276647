package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// configurations are the packages that carry YAML only. Both serve the same Echo, and a cluster installs one of
// them: the first as a namespaced composite, the second as a claim.
func configurations() []string {
	return []string{"configuration-echo", "configuration-echo-claims"}
}

func main() {
	tools := flag.String("tools", "", "folder that holds the Crossplane CLI, as an executable named crossplane (required)")
	out := flag.String("out", "dist", "folder to write the packages to")
	version := flag.String("version", "v0.1.0", "version that the images are labelled with")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := build(ctx, *tools, *out, *version)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// build writes all packages into the folder out. It must run in the root of the repository.
func build(ctx context.Context, tools, out, version string) error {
	if tools == "" {
		return errors.New("--tools is required")
	}
	if err := os.MkdirAll(out, 0o750); err != nil {
		return errors.Wrap(err, "cannot make output folder")
	}
	work, err := os.MkdirTemp("", "echo-packages-")
	if err != nil {
		return errors.Wrap(err, "cannot make working folder")
	}
	defer func() { _ = os.RemoveAll(work) }()

	cli := filepath.Join(tools, "crossplane")
	for _, r := range runtimes() {
		for _, arch := range architectures() {
			if err := r.build(ctx, cli, work, out, version, arch); err != nil {
				return errors.Wrapf(err, "cannot build %s for %s", r.Name, arch)
			}
		}
	}
	for _, name := range configurations() {
		// The examples are the same for both: a tenant cannot tell the two configurations apart.
		p := xpkg{Root: filepath.Join("package", name), Examples: "examples"}
		if err := p.build(ctx, cli, filepath.Join(out, name+".xpkg")); err != nil {
			return errors.Wrapf(err, "cannot build %s", name)
		}
	}
	return nil
}
