package main

import (
	"context"
	"path/filepath"
)

// A runtime is a package that carries an image to run, and not just YAML.
type runtime struct {
	// Name of the package and of its executable. That of a function starts with "function-" because the functions
	// specification demands it.
	Name string

	// Description in one sentence.
	Description string

	// Command is the folder of its main package.
	Command string

	// Tags to compile it with, separated by commas.
	Tags string

	// Ports that it listens on.
	Ports map[string]struct{}
}

// runtimes are the packages that carry images.
func runtimes() []runtime {
	return []runtime{
		{
			Name:        "function-echo",
			Description: "A Crossplane composition function that runs Echoes.",
			Command:     "./fn",
			Tags:        tagsFunction,
			Ports:       map[string]struct{}{"9443/tcp": {}, "8080/tcp": {}},
		},
		{
			Name:        "provider-echo",
			Description: "A Crossplane provider of S3 buckets and of keys to them.",
			Command:     "./provider",
			Tags:        tagsProvider,
			Ports:       map[string]struct{}{"8080/tcp": {}, "8081/tcp": {}},
		},
	}
}

// architectures are those that images are built for, in Go's names, which OCI shares.
func architectures() []string {
	return []string{"amd64", "arm64"}
}

// build writes the runtime's package for one architecture. The working folder takes what comes before it.
func (r runtime) build(ctx context.Context, cli, work, out, version, arch string) error {
	binary := filepath.Join(work, r.Name+"-"+arch)
	if err := compile(ctx, r, binary, arch); err != nil {
		return err
	}
	image := filepath.Join(work, r.Name+"-"+arch+".tar")
	if err := writeImage(image, r, binary, arch, version); err != nil {
		return err
	}
	root := filepath.Join("package", r.Name)
	p := xpkg{Root: root, Examples: filepath.Join(root, "examples"), RuntimeImage: image}
	return p.build(ctx, cli, filepath.Join(out, r.Name+"-"+arch+".xpkg"))
}
