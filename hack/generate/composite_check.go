package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/xcrd"
	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// identity are the fields that every Kubernetes object has.
var identity = []string{"apiVersion", "kind", "metadata"}

// checkDefinition fails if a definition has something that would get lost on
// its way through an XRD of the given scope: Crossplane copies certain parts of
// the schemas of the root, spec and status into the CRD it makes, and drops the
// others without a word. All that is wrong comes back in one error.
func checkDefinition(crd extv1.CustomResourceDefinition, scope xpv1.CompositeResourceScope) error {
	var wrong []string
	if crd.Spec.Scope != extv1.NamespaceScoped {
		wrong = append(wrong, fmt.Sprintf("its scope is %s: tenants' kinds are Namespaced", crd.Spec.Scope))
	}
	if len(crd.Labels)+len(crd.Annotations) > 0 {
		wrong = append(wrong, "marker +kubebuilder:metadata: an XRD has no place for it")
	}
	for _, v := range crd.Spec.Versions {
		if len(v.SelectableFields) > 0 {
			wrong = append(wrong, "marker +kubebuilder:selectablefield: an XRD has no place for it")
		}
		wrong = append(wrong, checkSchema(*v.Schema.OpenAPIV3Schema, scope)...)
	}
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// checkSchema says what a schema has beyond what Crossplane keeps; see
// genCrdVersion in crossplane-runtime's pkg/xcrd. Properties are kept, less
// those of the root other than spec and status.
func checkSchema(root extv1.JSONSchemaProps, scope xpv1.CompositeResourceScope) []string {
	spec, status := root.Properties["spec"], root.Properties["status"]

	specProps := xcrd.CompositeResourceSpecProps(scope, nil)
	if scope == xpv1.CompositeResourceScopeLegacyCluster {
		maps.Copy(specProps, xcrd.CompositeResourceClaimSpecProps(nil))
	}
	statusProps := xcrd.CompositeResourceStatusProps(scope)
	// A type may well have conditions, to read Crossplane's by them.
	delete(statusProps, "conditions")

	return slices.Concat(
		checkRoot(root),
		checkKept("spec", spec, func(s *extv1.JSONSchemaProps) { s.Required, s.OneOf, s.XPreserveUnknownFields = nil, nil, nil }),
		checkKept("status", status, func(s *extv1.JSONSchemaProps) { s.Required, s.OneOf = nil, nil }),
		checkCollisions("spec", spec, specProps),
		checkCollisions("status", status, statusProps),
	)
}

func checkRoot(root extv1.JSONSchemaProps) []string {
	wrong := checkKept("the root", root, func(s *extv1.JSONSchemaProps) { s.Required = nil })
	for _, name := range slices.Sorted(maps.Keys(root.Properties)) {
		if name != "spec" && name != "status" && !slices.Contains(identity, name) {
			wrong = append(wrong, name+": a composite has only spec and status")
		}
	}
	// Crossplane requires a spec and nothing else, whatever the XRD says.
	required := slices.DeleteFunc(slices.Clone(root.Required), func(name string) bool { return slices.Contains(identity, name) })
	if !slices.Equal(required, []string{"spec"}) {
		wrong = append(wrong, fmt.Sprintf("the root requires %q: a composite requires spec, and nothing else", required))
	}
	return wrong
}

// checkKept names what the schema has beyond what Crossplane keeps of any
// schema, and what kept clears.
func checkKept(what string, schema extv1.JSONSchemaProps, kept func(*extv1.JSONSchemaProps)) []string {
	rest := *schema.DeepCopy()
	rest.Title, rest.Type, rest.Description, rest.Properties, rest.XValidations = "", "", "", nil, nil
	kept(&rest)

	lost, err := toMap(rest)
	switch {
	case err != nil:
		return []string{fmt.Sprintf("%s: %v", what, err)}
	case len(lost) > 0:
		return []string{fmt.Sprintf("%s has %s: Crossplane would drop it from the XRD", what, strings.Join(slices.Sorted(maps.Keys(lost)), ", "))}
	}
	return nil
}

func checkCollisions(what string, schema extv1.JSONSchemaProps, added map[string]extv1.JSONSchemaProps) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if _, ok := schema.Properties[name]; ok {
			wrong = append(wrong, fmt.Sprintf("%s.%s: Crossplane puts a field of its own there", what, name))
		}
	}
	return wrong
}
