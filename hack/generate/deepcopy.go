package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// markerDeepCopy on a package asks for DeepCopy methods.
const markerDeepCopy = "kubebuilder:object:generate"

// fileDeepCopy is the name that controller-tools gives the file with a
// package's DeepCopy methods.
const fileDeepCopy = "zz_generated.deepcopy.go"

// DeepCopies returns the Go files with the DeepCopy methods of those of the
// packages that have the marker +kubebuilder:object:generate=true. Paths are
// relative to dir, from which the patterns are seen.
func DeepCopies(dir string, patterns ...string) ([]File, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, errors.Wrap(err, "cannot tell where the module is")
	}
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, patterns...)
	if err != nil {
		return nil, errors.Wrap(err, "cannot load packages")
	}

	generator := deepcopy.Generator{}
	registry := &markers.Registry{}
	if err := generator.RegisterMarkers(registry); err != nil {
		return nil, errors.Wrap(err, "cannot register the DeepCopy markers")
	}

	collector := &markers.Collector{Registry: registry}
	enabled, err := withDeepCopies(collector, roots)
	if err != nil {
		return nil, err
	}

	out := &goFiles{root: root}
	err = generator.Generate(&genall.GenerationContext{
		Collector:  collector,
		Roots:      enabled,
		Checker:    &loader.TypeChecker{NodeFilters: []loader.NodeFilter{generator.CheckFilter()}},
		OutputRule: out,
	})

	return out.files, errors.Join(err, loadErrors(roots))
}

// withDeepCopies returns those of the packages that have the marker. Without this
// choice, the generator gives methods to every type that is the root of an
// object, and calls in them what the types inside do not have.
func withDeepCopies(collector *markers.Collector, roots []*loader.Package) ([]*loader.Package, error) {
	var enabled []*loader.Package
	for _, root := range roots {
		found, err := markers.PackageMarkers(collector, root)
		if err != nil {
			return nil, errors.Wrapf(err, "cannot read the markers of package %s", root.PkgPath)
		}
		if on, _ := found.Get(markerDeepCopy).(bool); on {
			enabled = append(enabled, root)
		}
	}

	return enabled, nil
}

// goFiles keeps what a generator writes to packages.
type goFiles struct {
	// root is the directory that the files' paths are relative to.
	root  string
	files []File
}

// Open returns a file of the package, which is kept once it is closed.
func (g *goFiles) Open(pkg *loader.Package, name string) (io.WriteCloser, error) {
	sources := slices.Concat(pkg.GoFiles, pkg.IgnoredFiles)
	if len(sources) == 0 {
		return nil, errors.Errorf("package %s has no files", pkg.PkgPath)
	}
	path, err := filepath.Rel(g.root, filepath.Join(filepath.Dir(sources[0]), name))
	if err != nil {
		return nil, errors.Wrapf(err, "cannot tell where package %s is", pkg.PkgPath)
	}

	return &goFile{path: filepath.ToSlash(path), to: g}, nil
}

// goFile is one file that is being written.
type goFile struct {
	bytes.Buffer

	path string
	to   *goFiles
}

// Close keeps the file.
func (f *goFile) Close() error {
	f.to.files = append(f.to.files, File{Path: f.path, Content: f.Bytes()})

	return nil
}
