package main

import (
	"encoding/json"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	xpv2 "github.com/crossplane/crossplane/apis/v2/apiextensions/v2"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// CompositeXRD returns the XRD v2 that defines the kind as a namespaced
// composite. Its default Composition has the XRD's own name, such as
// "echoes.my-operator.dev".
//
// The Go type is that of XRD v1, as it is inside Crossplane: v2 is the same
// less the fields for claims, which stay empty here.
func CompositeXRD(kind Kind) (*xpv1.CompositeResourceDefinition, error) {
	names := kind.Definition.Spec.Names
	xrd, err := newXRD(kind.Definition, names, xpv1.CompositeResourceScopeNamespaced)
	if err != nil {
		return nil, errors.Wrapf(err, "cannot make an XRD of %s", names.Kind)
	}
	xrd.APIVersion = xpv2.SchemeGroupVersion.String()
	return xrd, nil
}

// ClaimXRD returns the XRD v1 that defines a cluster-scoped composite, the kind
// with an X in front, and the kind itself as its claim. Its default Composition
// has the XRD's own name, such as "xechoes.my-operator.dev".
//
// Only the claim gets the short names and categories: tenants deal with it
// alone, and a short name may stand for one kind only.
func ClaimXRD(kind Kind) (*xpv1.CompositeResourceDefinition, error) {
	claim := kind.Definition.Spec.Names
	names := extv1.CustomResourceDefinitionNames{
		Kind:     "X" + claim.Kind,
		ListKind: "X" + claim.ListKind,
		Plural:   "x" + claim.Plural,
		Singular: "x" + claim.Singular,
	}
	xrd, err := newXRD(kind.Definition, names, xpv1.CompositeResourceScopeLegacyCluster)
	if err != nil {
		return nil, errors.Wrapf(err, "cannot make an XRD with a claim of %s", claim.Kind)
	}
	xrd.APIVersion = xpv1.SchemeGroupVersion.String()
	xrd.Spec.ClaimNames = &claim
	return xrd, nil
}

// newXRD returns an XRD of the given names and scope, with the versions of the
// definition, and without an API version of its own.
func newXRD(crd extv1.CustomResourceDefinition, names extv1.CustomResourceDefinitionNames, scope xpv1.CompositeResourceScope) (*xpv1.CompositeResourceDefinition, error) {
	if err := checkDefinition(crd, scope); err != nil {
		return nil, err
	}

	name := names.Plural + "." + crd.Spec.Group
	xrd := &xpv1.CompositeResourceDefinition{
		TypeMeta:   metav1.TypeMeta{Kind: xpv1.CompositeResourceDefinitionKind},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: xpv1.CompositeResourceDefinitionSpec{
			Group:                 crd.Spec.Group,
			Names:                 names,
			Scope:                 new(scope),
			DefaultCompositionRef: &xpv1.CompositionReference{Name: name},
		},
	}
	for _, v := range crd.Spec.Versions {
		schema, err := compositeSchema(v)
		if err != nil {
			return nil, err
		}
		version := xpv1.CompositeResourceDefinitionVersion{
			Name:                     v.Name,
			Referenceable:            v.Storage,
			Served:                   v.Served,
			DeprecationWarning:       v.DeprecationWarning,
			Schema:                   &xpv1.CompositeResourceValidation{OpenAPIV3Schema: schema},
			AdditionalPrinterColumns: v.AdditionalPrinterColumns,
		}
		if v.Deprecated {
			version.Deprecated = new(true)
		}
		if s := v.Subresources; s != nil && s.Scale != nil {
			version.Subresources = &xpv1.CompositeResourceDefinitionVersionSubresources{Scale: s.Scale}
		}
		xrd.Spec.Versions = append(xrd.Spec.Versions, version)
	}
	return xrd, nil
}

// compositeSchema returns the version's schema less what Crossplane adds to
// every composite: identity, metadata, and the conditions.
func compositeSchema(v extv1.CustomResourceDefinitionVersion) (runtime.RawExtension, error) {
	schema := WithoutTypes(v.Schema.OpenAPIV3Schema)
	for _, name := range identity {
		delete(schema.Properties, name)
	}
	if status, ok := schema.Properties["status"]; ok {
		delete(status.Properties, "conditions")
	}
	raw, err := json.Marshal(schema)
	return runtime.RawExtension{Raw: raw}, errors.Wrapf(err, "cannot encode the schema of version %s", v.Name)
}
