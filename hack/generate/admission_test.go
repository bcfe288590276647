package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/xcrd"
	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	xpv2 "github.com/crossplane/crossplane/apis/v2/apiextensions/v2"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// The kinds that a cluster serves under the generated XRDs, by what makes them.
const (
	composite       = "composite"
	legacyComposite = "legacy composite"
	claim           = "claim"
	functionInput   = "function input"
	providerKind    = "provider's"
)

// definitions turns generated files into the CRDs that Crossplane would make
// of them, by the code that Crossplane runs, with the names of the constants
// above and the kind's plural: "claim echoes". The files are read strictly, so
// that a field that an XRD of that version does not have is an error.
func definitions(t *testing.T, files []File) map[string]*extv1.CustomResourceDefinition {
	t.Helper()
	crds := map[string]*extv1.CustomResourceDefinition{}
	add := func(what string, crd *extv1.CustomResourceDefinition, err error) {
		if err != nil {
			t.Fatal(err)
		}
		crds[what+" "+crd.Spec.Names.Plural] = crd
	}
	decode := func(f File, into any) {
		if err := yaml.UnmarshalStrict(f.Content, into); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
	}

	for _, f := range files {
		// A CRD is owned by its XRD, which has a UID once it is in a cluster.
		xrd := &xpv1.CompositeResourceDefinition{ObjectMeta: metav1.ObjectMeta{UID: "xrd"}}
		switch {
		case strings.HasPrefix(f.Path, dirComposites):
			decode(f, &xpv2.CompositeResourceDefinition{})
			decode(f, xrd)
			crd, err := xcrd.ForCompositeResource(xrd)
			add(composite, crd, err)
		case strings.HasPrefix(f.Path, dirClaims):
			decode(f, xrd)
			crd, err := xcrd.ForCompositeResource(xrd)
			add(legacyComposite, crd, err)
			crd, err = xcrd.ForCompositeResourceClaim(xrd)
			add(claim, crd, err)
		case strings.HasPrefix(f.Path, dirFunctionInput):
			crd := &extv1.CustomResourceDefinition{}
			decode(f, crd)
			add(functionInput, crd, nil)
		case strings.HasPrefix(f.Path, dirManaged):
			crd := &extv1.CustomResourceDefinition{}
			decode(f, crd)
			add(providerKind, crd, nil)
		}
	}
	return crds
}

// internal defaults and converts a CRD as the API server does before it looks
// at it.
func internal(t *testing.T, crd *extv1.CustomResourceDefinition) *apiextensions.CustomResourceDefinition {
	t.Helper()
	scheme := runtime.NewScheme()
	install.Install(scheme)

	crd = crd.DeepCopy()
	scheme.Default(crd)
	out := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(crd, out, nil); err != nil {
		t.Fatal(err)
	}
	for _, v := range out.Spec.Versions {
		if v.Storage {
			out.Status.StoredVersions = []string{v.Name}
		}
	}
	return out
}

// An admitter says what an API server would of an object of one kind.
type admitter struct {
	structural *schema.Structural
	schema     validation.SchemaValidator
	cel        *cel.Validator
}

func newAdmitter(t *testing.T, crd *extv1.CustomResourceDefinition) admitter {
	t.Helper()
	props := internal(t, crd).Spec.Validation.OpenAPIV3Schema
	structural, err := schema.NewStructural(props)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		t.Fatal(err)
	}
	return admitter{structural: structural, schema: v, cel: cel.NewValidator(structural, true, celconfig.PerCallLimit)}
}

// refusals returns what an API server has against the creation of an object,
// as "path: detail", in order. It sets the object's defaults, as the server
// does, and counts unknown fields as it does under strict validation. CEL rules
// only run on an object that is fine otherwise.
func (a admitter) refusals(object map[string]any) []string {
	return a.changeRefusals(object, nil)
}

// changeRefusals returns what an API server has against the change of an object
// from what it was, or against its creation if it was nil.
func (a admitter) changeRefusals(object, was map[string]any) []string {
	defaulting.Default(object, a.structural)
	var old any
	if was != nil {
		defaulting.Default(was, a.structural)
		old = was
	}

	var out []string
	for _, path := range pruning.PruneWithOptions(object, a.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		out = append(out, path+": unknown field")
	}
	errs := validation.ValidateCustomResource(nil, object, a.schema)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, a.structural, object)...)
	if len(errs) == 0 && a.cel != nil {
		errs, _ = a.cel.Validate(context.Background(), nil, a.structural, object, old, celconfig.RuntimeCELCostBudget)
	}
	for _, err := range errs {
		out = append(out, err.Field+": "+err.ErrorBody())
	}
	slices.Sort(out)
	return out
}

// validate returns what an API server has against a CRD: a schema that is not
// structural, a wrong default, a CEL rule that does not compile or may cost too
// much.
func validate(t *testing.T, crd *extv1.CustomResourceDefinition) error {
	t.Helper()
	return crdvalidation.ValidateCustomResourceDefinition(context.Background(), internal(t, crd)).ToAggregate()
}
