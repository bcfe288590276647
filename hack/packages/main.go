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

// function is the one package that carries a runtime image. Its name starts with "function-" because the functions
// specification demands it.
const function = "function-echo"

// configurations are the packages that carry YAML only. Both serve the same Echo, and a cluster installs one of
// them: the first as a namespaced composite, the second as a claim.
func configurations() []string {
	return []string{"configuration-echo", "configuration-echo-claims"}
}

// architectures are those that a function image is built for, in Go's names, which OCI shares.
func architectures() []string {
	return []string{"amd64", "arm64"}
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
	for _, arch := range architectures() {
		if err := buildFunction(ctx, cli, work, out, version, arch); err != nil {
			return errors.Wrapf(err, "cannot build %s for %s", function, arch)
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

// buildFunction writes the function's package for one architecture. The working folder takes what comes before it.
func buildFunction(ctx context.Context, cli, work, out, version, arch string) error {
	binary := filepath.Join(work, function+"-"+arch)
	if err := compile(ctx, "./fn", binary, arch); err != nil {
		return err
	}
	image := filepath.Join(work, function+"-"+arch+".tar")
	if err := writeImage(image, binary, arch, version); err != nil {
		return err
	}
	root := filepath.Join("package", function)
	p := xpkg{Root: root, Examples: filepath.Join(root, "examples"), RuntimeImage: image}
	return p.build(ctx, cli, filepath.Join(out, function+"-"+arch+".xpkg"))
}
