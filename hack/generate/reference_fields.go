package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A FieldRow describes one field in the reference.
type FieldRow struct {
	Path, Type, Default, Limits, Description string
}

// A RuleRow describes one CEL rule in the reference.
type RuleRow struct {
	Path, Message, Rule string
}

// fieldRows describes the fields of a schema and all fields within, in the
// order of the Go source. It does not descend into types that are not ours.
func fieldRows(types Types, path string, schema extv1.JSONSchemaProps) []FieldRow {
	var rows []FieldRow
	for _, name := range fieldNames(types, schema) {
		field := schema.Properties[name]
		at := join(path, name)
		row := FieldRow{
			Path:        at,
			Type:        typeName(types, field),
			Limits:      strings.Join(limits(field), "; "),
			Description: field.Description,
		}
		switch {
		case field.Default != nil:
			row.Default = code(string(field.Default.Raw))
		case slices.Contains(schema.Required, name):
			row.Default = "**required**"
		}
		rows = append(rows, row)

		inner, step := unfold(field)
		rows = append(rows, fieldRows(types, at+step, inner)...)
	}
	return rows
}

// ruleRows finds the CEL rules of a schema and all schemas within that are
// ours, in the order of fieldRows.
func ruleRows(types Types, path string, schema extv1.JSONSchemaProps) []RuleRow {
	rows := make([]RuleRow, 0, len(schema.XValidations))
	for _, v := range schema.XValidations {
		rows = append(rows, RuleRow{Path: cmp.Or(path+v.FieldPath, "(root)"), Message: cmp.Or(v.Message, v.MessageExpression), Rule: v.Rule})
	}
	if inner, step := unfold(schema); step != "" {
		return append(rows, ruleRows(types, path+step, inner)...)
	}
	for _, name := range fieldNames(types, schema) {
		rows = append(rows, ruleRows(types, join(path, name), schema.Properties[name])...)
	}
	return rows
}

// fieldNames returns the names of a schema's own fields, in the order of the Go
// source; those of an embedded struct come last, by name. It returns none for
// a type that is not ours, and leaves out what every object has.
func fieldNames(types Types, schema extv1.JSONSchemaProps) []string {
	if !types.Own(schema.Title) {
		return nil
	}
	order := types.Fields[schema.Title]
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(schema.Properties)), func(name string) bool { return slices.Contains(identity, name) })
	rank := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return names
}

// unfold returns what a list or a map holds, and how a path shows the step into
// it. Anything else unfolds into itself, without a step.
func unfold(schema extv1.JSONSchemaProps) (extv1.JSONSchemaProps, string) {
	switch {
	case schema.Items != nil && schema.Items.Schema != nil:
		inner, step := unfold(*schema.Items.Schema)
		return inner, "[]" + step
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil:
		inner, step := unfold(*schema.AdditionalProperties.Schema)
		return inner, ".*" + step
	}
	return schema, ""
}

// typeName names a field's type. One of another Go package is linked, unless it
// is but a string or a number with a name.
func typeName(types Types, schema extv1.JSONSchemaProps) string {
	plain := schema.Format == "" && slices.Contains([]string{"string", "integer", "number", "boolean"}, schema.Type)
	if schema.Title != "" && !types.Own(schema.Title) && !plain {
		return link(schema.Title)
	}
	switch {
	case schema.Items != nil && schema.Items.Schema != nil:
		return "list of " + typeName(types, *schema.Items.Schema)
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil:
		return "map of string to " + typeName(types, *schema.AdditionalProperties.Schema)
	}
	return schema.Type
}

// link points from a Go type's name to its documentation.
func link(title string) string {
	dot := strings.LastIndex(title, ".")
	pkg, name := title[:dot], title[dot+1:]
	text := name
	if strings.HasPrefix(pkg, "k8s.io/") {
		text = "Kubernetes " + name
	}
	return fmt.Sprintf("[%s](https://pkg.go.dev/%s#%s)", text, pkg, name)
}

// limits says in words what values a schema admits; ruleRows has the rest.
func limits(s extv1.JSONSchemaProps) []string {
	var out []string
	if len(s.Enum) > 0 {
		values := make([]string, 0, len(s.Enum))
		for _, e := range s.Enum {
			values = append(values, code(strings.Trim(string(e.Raw), `"`)))
		}
		out = append(out, "one of "+strings.Join(values, ", "))
	}
	out = append(out, interval(s.Minimum, s.Maximum, "")...)
	out = append(out, interval(s.MinLength, s.MaxLength, " characters")...)
	out = append(out, interval(s.MinItems, s.MaxItems, " items")...)
	out = append(out, interval(s.MinProperties, s.MaxProperties, " keys")...)
	// The pattern of a Quantity is its type's, and its type is linked.
	if s.Pattern != "" && !s.XIntOrString {
		out = append(out, "matches "+code(s.Pattern))
	}
	if s.XListType != nil && *s.XListType == "map" {
		out = append(out, "no two with the same "+code(strings.Join(s.XListMapKeys, ", ")))
	}
	if s.XListType != nil && *s.XListType == "set" {
		out = append(out, "no duplicates")
	}
	if s.Items != nil && s.Items.Schema != nil {
		if inner := limits(*s.Items.Schema); len(inner) > 0 {
			out = append(out, "each "+strings.Join(inner, ", "))
		}
	}
	return out
}

// interval says in words how small and how large a value may be, if at all.
func interval[N int64 | float64](low, high *N, unit string) []string {
	// A float of a million must not come out as 1e+06.
	text := func(n N) string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }
	switch {
	case low != nil && high != nil:
		return []string{text(*low) + " to " + text(*high) + unit}
	case low != nil:
		return []string{"at least " + text(*low) + unit}
	case high != nil:
		return []string{"at most " + text(*high) + unit}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
