package main

import (
	"strings"
	"testing"

	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	"github.com/google/go-cmp/cmp"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
)

func TestCheckDefinition(t *testing.T) {
	type edit func(crd *extv1.CustomResourceDefinition, root, spec, status *extv1.JSONSchemaProps)

	cases := map[string]struct {
		reason string
		edit   edit
		scope  xpv1.CompositeResourceScope
		want   []string
	}{
		"Fine": {
			reason: "What Crossplane keeps of root, spec and status is fine, and so is anything further down.",
			edit: func(_ *extv1.CustomResourceDefinition, root, spec, status *extv1.JSONSchemaProps) {
				rule := extv1.ValidationRules{{Rule: "true"}}
				either := []extv1.JSONSchemaProps{{Required: []string{"a"}}, {Required: []string{"b"}}}
				root.Description, root.XValidations = "A root.", rule
				spec.Description, spec.XValidations, spec.OneOf, spec.Required = "A spec.", rule, either, []string{"a"}
				status.Description, status.XValidations, status.OneOf, status.Required = "A status.", rule, either, []string{"a"}
				spec.Properties["a"] = extv1.JSONSchemaProps{Type: "string", Default: &extv1.JSON{Raw: []byte(`"x"`)}, AnyOf: either}
				status.Properties["conditions"] = extv1.JSONSchemaProps{Type: "array"}
			},
			scope: xpv1.CompositeResourceScopeNamespaced,
		},
		"LostFromSpec": {
			reason: "What Crossplane drops from spec is named, all of it at once.",
			edit: func(_ *extv1.CustomResourceDefinition, _, spec, _ *extv1.JSONSchemaProps) {
				spec.Default = &extv1.JSON{Raw: []byte(`{}`)}
				spec.AnyOf = []extv1.JSONSchemaProps{{}}
				spec.AllOf = []extv1.JSONSchemaProps{{}}
				spec.Not = &extv1.JSONSchemaProps{}
				spec.MinProperties = ptr.To[int64](1)
			},
			scope: xpv1.CompositeResourceScopeNamespaced,
			want:  []string{"spec has allOf, anyOf, default, minProperties, not: Crossplane would drop it from the XRD"},
		},
		"LostFromStatusAndRoot": {
			reason: "The status keeps less than the spec, and the root less still.",
			edit: func(_ *extv1.CustomResourceDefinition, root, _, status *extv1.JSONSchemaProps) {
				status.XPreserveUnknownFields = new(true)
				root.OneOf = []extv1.JSONSchemaProps{{}}
				root.Properties["data"] = extv1.JSONSchemaProps{Type: "object"}
			},
			scope: xpv1.CompositeResourceScopeNamespaced,
			want: []string{
				"the root has oneOf: Crossplane would drop it from the XRD",
				"data: a composite has only spec and status",
				"status has x-kubernetes-preserve-unknown-fields: Crossplane would drop it from the XRD",
			},
		},
		"SpecOptional": {
			reason: "Crossplane requires a spec, so a type that says otherwise lies.",
			edit: func(_ *extv1.CustomResourceDefinition, root, _, _ *extv1.JSONSchemaProps) {
				root.Required = nil
			},
			scope: xpv1.CompositeResourceScopeNamespaced,
			want:  []string{"the root requires []: a composite requires spec, and nothing else"},
		},
		"CollisionNamespaced": {
			reason: "In a namespaced composite Crossplane's machinery sits under spec.crossplane.",
			edit: func(_ *extv1.CustomResourceDefinition, _, spec, _ *extv1.JSONSchemaProps) {
				spec.Properties["crossplane"] = extv1.JSONSchemaProps{Type: "object"}
				spec.Properties["compositionRef"] = extv1.JSONSchemaProps{Type: "object"}
			},
			scope: xpv1.CompositeResourceScopeNamespaced,
			want:  []string{"spec.crossplane: Crossplane puts a field of its own there"},
		},
		"CollisionLegacy": {
			reason: "In a claim and its composite the machinery sits in spec and status themselves.",
			edit: func(_ *extv1.CustomResourceDefinition, _, spec, status *extv1.JSONSchemaProps) {
				spec.Properties["crossplane"] = extv1.JSONSchemaProps{Type: "object"}
				spec.Properties["claimRef"] = extv1.JSONSchemaProps{Type: "object"}
				spec.Properties["resourceRef"] = extv1.JSONSchemaProps{Type: "object"}
				status.Properties["connectionDetails"] = extv1.JSONSchemaProps{Type: "object"}
			},
			scope: xpv1.CompositeResourceScopeLegacyCluster,
			want: []string{
				"spec.claimRef: Crossplane puts a field of its own there",
				"spec.resourceRef: Crossplane puts a field of its own there",
				"status.connectionDetails: Crossplane puts a field of its own there",
			},
		},
		"NoPlaceInXRD": {
			reason: "Parts of a CRD that an XRD has no field for are named by their markers.",
			edit: func(crd *extv1.CustomResourceDefinition, _, _, _ *extv1.JSONSchemaProps) {
				crd.Labels = map[string]string{"a": "b"}
				crd.Spec.Scope = extv1.ClusterScoped
				crd.Spec.Versions[0].SelectableFields = []extv1.SelectableField{{JSONPath: ".spec.a"}}
			},
			scope: xpv1.CompositeResourceScopeNamespaced,
			want: []string{
				"its scope is Cluster: tenants' kinds are Namespaced",
				"marker +kubebuilder:metadata: an XRD has no place for it",
				"marker +kubebuilder:selectablefield: an XRD has no place for it",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			root := &extv1.JSONSchemaProps{Type: "object", Required: []string{"spec"}, Properties: map[string]extv1.JSONSchemaProps{}}
			spec := &extv1.JSONSchemaProps{Type: "object", Properties: map[string]extv1.JSONSchemaProps{}}
			status := &extv1.JSONSchemaProps{Type: "object", Properties: map[string]extv1.JSONSchemaProps{}}
			crd := &extv1.CustomResourceDefinition{Spec: extv1.CustomResourceDefinitionSpec{
				Scope:    extv1.NamespaceScoped,
				Versions: []extv1.CustomResourceDefinitionVersion{{Name: "v1", Schema: &extv1.CustomResourceValidation{OpenAPIV3Schema: root}}},
			}}
			tc.edit(crd, root, spec, status)
			root.Properties["spec"], root.Properties["status"] = *spec, *status

			var got []string
			if err := checkDefinition(*crd, tc.scope); err != nil {
				got = strings.Split(err.Error(), "; ")
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\ncheckDefinition(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
