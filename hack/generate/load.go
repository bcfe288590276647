package main

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"golang.org/x/tools/go/packages"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// APIs are the kinds that the loaded packages define.
type APIs struct {
	// Kinds in order of group, then kind.
	Kinds []Kind

	// Types are the Go types behind the kinds' schemas.
	Types Types
}

// A Kind is one kind of an API group, in all its versions.
type Kind struct {
	// Definition is the kind's CRD. Each schema in it that stems from a named
	// Go type has that type in its title, as "import/path.Name": the schema
	// alone does not tell what to link to and in which order to list fields.
	// WithoutTypes takes the titles off.
	Definition extv1.CustomResourceDefinition

	// Composite is set if the kind is a composite resource.
	Composite *Composite

	// FunctionInput is set if the kind is the input of a function.
	FunctionInput *FunctionInput

	// Managed is set if the kind is one of the provider's.
	Managed *Managed
}

// roles counts what the kind becomes, which must be one thing.
func (k Kind) roles() int {
	n := 0
	for _, role := range []bool{k.Composite != nil, k.FunctionInput != nil, k.Managed != nil} {
		if role {
			n++
		}
	}
	return n
}

// Types says what a schema's title stands for.
type Types struct {
	// Fields are the JSON names of the fields of our own struct types, in
	// the order of the Go source.
	Fields map[string][]string
}

// Own reports whether a title names a type of the loaded packages, as opposed
// to one of Kubernetes or Crossplane.
func (t Types) Own(title string) bool {
	_, own := t.Fields[title]
	return own
}

// Load reads the Go packages that match the patterns, as seen from dir. It
// fails when a package does not parse, when a marker is wrong, and when a kind
// has none of the markers that say what it becomes.
func Load(dir string, patterns ...string) (*APIs, error) {
	roots, err := loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, patterns...)
	if err != nil {
		return nil, errors.Wrap(err, "cannot load packages")
	}
	registry, err := newRegistry()
	if err != nil {
		return nil, err
	}

	parser := &crd.Parser{
		Collector: &markers.Collector{Registry: registry},
		Checker:   &loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}},
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	types := ownTypes(parser)
	kinds, err := findKinds(parser, roots)
	if err != nil {
		return nil, err
	}

	for ident := range maps.Clone(parser.Types) {
		if _, ok := kinds[groupKind(parser, ident)]; ok {
			parser.NeedSchemaFor(ident)
		}
	}
	describe(parser, types)

	apis := &APIs{Types: types}
	for _, gk := range slices.SortedFunc(maps.Keys(kinds), func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) }) {
		parser.NeedCRDFor(gk, nil)
		definition := parser.CustomResourceDefinitions[gk]
		crd.FixTopLevelMetadata(definition)
		kind := kinds[gk]
		kind.Definition = definition
		apis.Kinds = append(apis.Kinds, kind)
	}
	return apis, loadErrors(roots)
}

// roleMarkers names the markers of which a kind has one, for messages.
const roleMarkers = "+" + markerComposite + ", +" + markerFunctionInput + " and +" + markerManaged

// findKinds returns the kinds that the parsed packages define, with their
// roles. Only the packages asked for must have been parsed so far: a schema
// pulls in Kubernetes' packages, and all their kinds.
func findKinds(parser *crd.Parser, roots []*loader.Package) (map[schema.GroupKind]Kind, error) {
	kinds := map[schema.GroupKind]Kind{}
	for ident, info := range parser.Types {
		gk := groupKind(parser, ident)
		kind := kinds[gk]
		if m, ok := info.Markers.Get(markerComposite).(Composite); ok {
			kind.Composite = &m
			kinds[gk] = kind
		}
		if m, ok := info.Markers.Get(markerFunctionInput).(FunctionInput); ok {
			kind.FunctionInput = &m
			kinds[gk] = kind
		}
		if m, ok := info.Markers.Get(markerManaged).(Managed); ok {
			kind.Managed = &m
			kinds[gk] = kind
		}
	}

	if metav1 := crd.FindMetav1(roots); metav1 != nil {
		for _, gk := range crd.FindKubeKinds(parser, metav1) {
			if _, ok := kinds[gk]; !ok {
				return nil, errors.Errorf("%s has none of the markers %s: cannot tell what to write for it", gk, roleMarkers)
			}
		}
	}
	for gk, kind := range kinds {
		if kind.roles() > 1 {
			return nil, errors.Errorf("%s has several of the markers %s: it can only be one of them", gk, roleMarkers)
		}
	}
	return kinds, nil
}

func groupKind(parser *crd.Parser, ident crd.TypeIdent) schema.GroupKind {
	return schema.GroupKind{Group: parser.GroupVersions[ident.Package].Group, Kind: ident.Name}
}

// ownTypes lists the parsed types. As in findKinds, only the packages asked
// for must have been parsed so far.
func ownTypes(parser *crd.Parser) Types {
	types := Types{Fields: map[string][]string{}}
	for ident := range parser.Types {
		types.Fields[title(ident)] = fieldsOf(parser, ident)
	}
	return types
}

// fieldsOf lists the JSON names of a struct's fields. Those of an embedded struct
// of the same package stand in its place.
func fieldsOf(parser *crd.Parser, ident crd.TypeIdent) []string {
	info := parser.Types[ident]
	if info == nil {
		return nil
	}
	fields := make([]string, 0, len(info.Fields))
	for _, f := range info.Fields {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		embedded, local := f.RawField.Type.(*ast.Ident)
		switch {
		case name == "" && f.Name == "" && local:
			fields = append(fields, fieldsOf(parser, crd.TypeIdent{Package: ident.Package, Name: embedded.Name})...)
		case name != "" && name != "-":
			fields = append(fields, name)
		}
	}
	return fields
}

func title(ident crd.TypeIdent) string {
	return loader.NonVendorPath(ident.Package.PkgPath) + "." + ident.Name
}

// loadErrors gathers what went wrong in the packages and all that they import.
// Type errors do not count: the loader checks only the types that a schema
// needs, and complains about the rest.
func loadErrors(roots []*loader.Package) error {
	raw := make([]*packages.Package, 0, len(roots))
	for _, root := range roots {
		raw = append(raw, root.Package)
	}
	var errs []error
	packages.Visit(raw, nil, func(pkg *packages.Package) {
		for _, err := range pkg.Errors {
			if err.Kind != packages.TypeError {
				errs = append(errs, err)
			}
		}
	})
	return errors.Join(errs...)
}
