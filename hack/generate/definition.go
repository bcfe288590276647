package main

import (
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// FunctionInputCRD returns the CRD of a function's input. A function's package
// may hold nothing but CRDs; Crossplane never serves this one, and its scope
// means nothing, but tools that check Compositions read its schema.
func FunctionInputCRD(kind Kind) *extv1.CustomResourceDefinition {
	crd := kind.Definition.DeepCopy()
	for i, v := range crd.Spec.Versions {
		crd.Spec.Versions[i].Schema.OpenAPIV3Schema = WithoutTypes(v.Schema.OpenAPIV3Schema)
	}
	return crd
}
