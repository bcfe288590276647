package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Reference returns the API reference, in Markdown: a chapter for each kind,
// with its fields, rules and columns.
func Reference(apis *APIs) []byte {
	b := &strings.Builder{}
	b.WriteString("<!-- Generated from the Go types under apis/ by hack/generate. Do not edit. -->\n\n")
	b.WriteString("# API reference\n\n")
	b.WriteString("A path such as `ports[].name` means the field `name` of each item of `ports`, and `labels.*` any key of\n" +
		"`labels`. Types of Kubernetes are linked, not repeated.\n\n")

	kinds := slices.SortedStableFunc(slices.Values(apis.Kinds), func(a, b Kind) int { return cmp.Compare(rank(a), rank(b)) })
	for _, kind := range kinds {
		for _, v := range kind.Definition.Spec.Versions {
			name := kind.Definition.Spec.Names.Kind
			fmt.Fprintf(b, "- [%s](#%s): `%s/%s`\n", name, anchor(name, kind, v), kind.Definition.Spec.Group, v.Name)
		}
	}
	for _, kind := range kinds {
		for _, v := range kind.Definition.Spec.Versions {
			chapter(b, apis.Types, kind, v)
		}
	}
	return []byte(b.String())
}

// rank orders the chapters by how many readers they have: what tenants write
// comes first, then what the platform team writes.
func rank(kind Kind) int {
	switch {
	case kind.Composite != nil:
		return 0
	case kind.FunctionInput != nil:
		return 1
	case slices.Contains(kind.Definition.Spec.Names.Categories, "managed"):
		return 2
	}
	return 3
}

// heading names a kind, and its version where there are several.
func heading(name string, kind Kind, v extv1.CustomResourceDefinitionVersion) string {
	if len(kind.Definition.Spec.Versions) == 1 {
		return name
	}
	return name + " " + v.Name
}

// anchor is what a Markdown renderer makes of the heading.
func anchor(name string, kind Kind, v extv1.CustomResourceDefinitionVersion) string {
	return strings.ToLower(strings.ReplaceAll(heading(name, kind, v), " ", "-"))
}

func chapter(b *strings.Builder, types Types, kind Kind, v extv1.CustomResourceDefinitionVersion) {
	schema := *v.Schema.OpenAPIV3Schema
	fmt.Fprintf(b, "\n## %s\n\n", heading(kind.Definition.Spec.Names.Kind, kind, v))
	fmt.Fprintf(b, "`apiVersion: %s/%s`, `kind: %s`\n\n%s\n", kind.Definition.Spec.Group, v.Name, kind.Definition.Spec.Names.Kind, schema.Description)

	if kind.FunctionInput == nil {
		names(b, kind)
	}
	if spec, ok := schema.Properties["spec"]; ok && kind.FunctionInput == nil {
		fields(b, types, "Spec", "spec", spec)
		fields(b, types, "Status", "status", schema.Properties["status"])
	} else {
		fields(b, types, "Fields", "", schema)
	}
	rules(b, types, "", schema)
	if kind.FunctionInput == nil {
		columns(b, kind, v)
	}
}

// names says where a kind lives and under which names people find it, and what
// of a composite is Crossplane's.
func names(b *strings.Builder, kind Kind) {
	n := kind.Definition.Spec.Names
	where := "in a namespace"
	if kind.Definition.Spec.Scope == extv1.ClusterScoped {
		where = "outside namespaces"
	}
	fmt.Fprintf(b, "\nIt lives %s. `kubectl get %s` lists it", where, n.Plural)
	for _, short := range n.ShortNames {
		fmt.Fprintf(b, ", as does `kubectl get %s`", short)
	}
	if len(n.Categories) > 0 {
		fmt.Fprintf(b, ", and `kubectl get %s` with other kinds", strings.Join(n.Categories, "` or `kubectl get "))
	}
	b.WriteString(".\n")

	if kind.Composite == nil {
		return
	}
	if kind.Composite.Claims {
		fmt.Fprintf(b, "With `configuration-echo` it is a composite resource. With `configuration-echo-claims` it is a claim for a\n"+
			"cluster-scoped `X%s` that has the same fields. ", n.Kind)
	}
	b.WriteString("Crossplane adds fields of its own to spec (under\n`spec.crossplane` in a composite resource that lives in a namespace) and the conditions `Synced` and\n`Ready` to status.\n")
}

// fields writes a table of a schema's fields, without the columns that would be
// empty.
func fields(b *strings.Builder, types Types, heading, path string, schema extv1.JSONSchemaProps) {
	rows := fieldRows(types, "", schema)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", heading)
	if schema.Description != "" && path != "" {
		fmt.Fprintf(b, "%s\n\n", schema.Description)
	}
	defaults := slices.ContainsFunc(rows, func(r FieldRow) bool { return r.Default != "" })
	limits := slices.ContainsFunc(rows, func(r FieldRow) bool { return r.Limits != "" })

	line := []string{"Field", "Type"}
	if defaults {
		line = append(line, "Default")
	}
	if limits {
		line = append(line, "Limits")
	}
	line = append(line, "Meaning")
	tableLine(b, line)
	tableLine(b, slices.Repeat([]string{"---"}, len(line)))

	for _, r := range rows {
		line := []string{code(r.Path), r.Type}
		if defaults {
			line = append(line, r.Default)
		}
		if limits {
			line = append(line, r.Limits)
		}
		tableLine(b, append(line, cell(r.Description)))
	}
}

func tableLine(b *strings.Builder, cells []string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// rules lists the CEL rules: what the tables' limits cannot say.
func rules(b *strings.Builder, types Types, path string, schema extv1.JSONSchemaProps) {
	rows := ruleRows(types, path, schema)
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n### Rules\n\nWhat breaks one of these is refused with its message.\n\n| Field | Message | Rule (CEL) |\n|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s |\n", code(r.Path), cell(r.Message), code(r.Rule))
	}
}

func columns(b *strings.Builder, kind Kind, v extv1.CustomResourceDefinitionVersion) {
	if len(v.AdditionalPrinterColumns) > 0 {
		before := ""
		if kind.Composite != nil {
			before = ", before Crossplane's own columns"
		}
		fmt.Fprintf(b, "\n### Columns\n\nWhat `kubectl get` shows%s.\n\n| Column | Field | Shown |\n|---|---|---|\n", before)
	}
	for _, c := range v.AdditionalPrinterColumns {
		shown := "always"
		if c.Priority > 0 {
			shown = "with `-o wide`"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(c.Name), code(strings.TrimPrefix(c.JSONPath, ".")), shown)
	}

	if s := v.Subresources; s != nil && s.Scale != nil {
		fmt.Fprintf(b, "\n### Scale\n\n`kubectl scale` and autoscalers set `%s`, and read `%s`", strings.TrimPrefix(s.Scale.SpecReplicasPath, "."), strings.TrimPrefix(s.Scale.StatusReplicasPath, "."))
		if p := s.Scale.LabelSelectorPath; p != nil {
			fmt.Fprintf(b, " and `%s`", strings.TrimPrefix(*p, "."))
		}
		b.WriteString(".\n")
	}
}

// cell makes text fit into a table cell.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n\n", "<br>", "\n", " ").Replace(text)
}

// code shows text as code in a table cell, where a bar must be escaped even
// within code.
func code(text string) string {
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}
