package main

import (
	"context"
	"os"
	"os/exec"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// An xpkg is what one package file is made from.
type xpkg struct {
	// Root is the folder with crossplane.yaml and everything else that goes into the package.
	Root string

	// Examples is the folder of YAML that shows how to use the package. It need not exist. It is always named,
	// because the CLI would take ./examples otherwise, whatever the package.
	Examples string

	// RuntimeImage is the image tar file to embed, or empty.
	RuntimeImage string
}

// build has the Crossplane CLI lint the package and write it to the given file.
func (p xpkg) build(ctx context.Context, cli, file string) error {
	args := []string{"xpkg", "build", "--package-root=" + p.Root, "--examples-root=" + p.Examples, "--package-file=" + file}
	if p.RuntimeImage != "" {
		args = append(args, "--embed-runtime-image-tarball="+p.RuntimeImage)
	}
	cmd := exec.CommandContext(ctx, cli, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return errors.Wrap(cmd.Run(), "cannot build package with the Crossplane CLI")
}
