// Command generate writes what follows from the Go types under apis/: the XRDs
// of configuration-echo and configuration-echo-claims, the input CRD of
// function-echo, the CRDs of provider-echo and the DeepCopy methods of their
// types, and the API reference.
//
// Run it from the root of the module:
//
//	go run ./hack/generate          # write the files
//	go run ./hack/generate --check  # write nothing, fail when a file differs
//
// A marker on the Go type says what a kind becomes: see Composite, FunctionInput
// and Managed. Data flows one way: Load reads the types, Render and DeepCopies
// make the files' bytes, and Write or Stale meets the disk.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

func main() {
	check := flag.Bool("check", false, "Write nothing; exit 1 and name the files that differ.")
	flag.Parse()

	if err := run(".", *check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run generates for the module whose root directory is given.
func run(root string, check bool) error {
	files, err := generate(root)
	if err != nil {
		return err
	}

	if !check {
		return Write(root, files)
	}

	stale, err := Stale(root, files)
	if err != nil {
		return err
	}
	for _, path := range stale {
		fmt.Fprintln(os.Stderr, "differs from what the Go types say:", path)
	}
	if len(stale) > 0 {
		return errors.Errorf("%d files are out of date: run make generate", len(stale))
	}
	return nil
}

// generate returns all that follows from the types in the folder apis of root.
func generate(root string) ([]File, error) {
	apis, err := Load(root, "./apis/...")
	if err != nil {
		return nil, errors.Wrap(err, "cannot load the API types")
	}
	files, err := Render(apis)
	if err != nil {
		return nil, err
	}
	methods, err := DeepCopies(root, "./apis/...")
	return append(files, methods...), errors.Wrap(err, "cannot make DeepCopy methods")
}
