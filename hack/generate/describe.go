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
		eachSchema(&s, func(s *extv1.JSONSchemaProps) { s.Description = edit(s.Description) })
		s.Title = title(ident)
		parser.Schemata[ident] = s
	}
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
