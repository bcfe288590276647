package main

import (
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// PlainCRD returns the CRD of a kind that is no composite, as a package holds it:
// the provider's kinds, and the input of the function. A function's package may
// hold nothing but CRDs; Crossplane never serves that of the input, and its scope
// means nothing, but tools that check Compositions read its schema.
func PlainCRD(kind Kind) *extv1.CustomResourceDefinition {
	crd := kind.Definition.DeepCopy()
	for i, v := range crd.Spec.Versions {
		crd.Spec.Versions[i].Schema.OpenAPIV3Schema = WithoutTypes(v.Schema.OpenAPIV3Schema)
	}
	return crd
}
