package main

import (
	"regexp"
	"strings"
	"unicode"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
)

// describe prepares the parser's schemas for reading, before they are put
// together into CRDs: each gets its Go type as title, our own descriptions
// lose the line breaks of the Go source, and those of Kubernetes' types are cut
// to their first sentence. Those would otherwise make up most of an XRD.
func describe(parser *crd.Parser, types Types) {
	for ident, schema := range parser.Schemata {
		edit := firstSentence
		if types.Own(title(ident)) {
			edit = unwrap
		}
		s := *schema.DeepCopy()
		for name, words := range reworded[title(ident)] {
			property := s.Properties[name]
			property.Description = words
			s.Properties[name] = property
		}
		eachSchema(&s, func(s *extv1.JSONSchemaProps) { s.Description = edit(s.Description) })
		s.Title = title(ident)
		parser.Schemata[ident] = s
	}
}

// reworded has our own words for fields of others' types, by type and JSON name:
// those whose description is not meant for who writes the YAML, or has its first
// sentence of no use.
var reworded = map[string]map[string]string{
	"github.com/crossplane/crossplane/apis/v2/core/v2.ManagedResourceSpec": {
		"managementPolicies":         "ManagementPolicies are what may be done to the thing on the server: all by default; without Delete it outlives this resource, and with Observe alone it is only looked at.",
		"providerConfigRef":          "ProviderConfigReference names the config with the server and the credentials to use: a ProviderConfig of this namespace, or a ClusterProviderConfig that allows this namespace.",
		"writeConnectionSecretToRef": "WriteConnectionSecretToReference names the Secret, in this namespace, that connection details are written to.",
	},
	"github.com/crossplane/crossplane/apis/v2/core/v2.ObservedStatus": {
		"observedGeneration":     "ObservedGeneration is the generation of this resource that the status is of.",
		"lastHandledReconcileAt": "LastHandledReconcileAt is the value of the annotation crossplane.io/reconcile-requested-at that was last met.",
	},
}

// WithoutTypes returns a copy of the schema without the Go types in its titles.
func WithoutTypes(schema *extv1.JSONSchemaProps) *extv1.JSONSchemaProps {
	out := schema.DeepCopy()
	eachSchema(out, func(s *extv1.JSONSchemaProps) { s.Title = "" })
	return out
}

// eachSchema calls edit on a schema and all schemas within it.
func eachSchema(schema *extv1.JSONSchemaProps, edit func(*extv1.JSONSchemaProps)) {
	crd.EditSchema(schema, visitor(edit))
}

// A visitor is a function that sees every schema.
type visitor func(*extv1.JSONSchemaProps)

// Visit calls the function; controller-tools marks the end of a schema by nil.
func (v visitor) Visit(schema *extv1.JSONSchemaProps) crd.SchemaVisitor {
	if schema != nil {
		v(schema)
	}
	return v
}

// paragraphs are separated by blank lines.
var paragraphBreak = regexp.MustCompile(`\n\s*\n`)

// unwrap makes each paragraph one line, and keeps the breaks between them.
func unwrap(text string) string {
	paragraphs := paragraphBreak.Split(strings.TrimSpace(text), -1)
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}

// firstSentence returns the text up to the first full stop that ends a
// sentence, or the first paragraph if none does. A stop ends a sentence when a
// capital follows, so that "i.e. the" does not.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(unwrap(text), "\n\n")
	for i, r := range first {
		if r != '.' {
			continue
		}
		rest := []rune(first[i+1:])
		if len(rest) > 1 && rest[0] == ' ' && unicode.IsUpper(rest[1]) {
			return first[:i+1]
		}
	}
	return first
}
