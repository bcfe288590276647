package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// account is the number of an AWS account, which AWS turns into the ARN of its root.
var account = regexp.MustCompile(`^[0-9]{12}$`)

// Equal tells whether two documents allow and deny the same, as far as can be told without evaluating them: the order
// of statements and of lists does not matter, nor do repetitions, a list of one or a string, the case of actions and
// of condition keys, Sids, the ID, "*" or {"AWS": "*"} as principal, or an account's number or its root.
func Equal(a, b Document) bool {
	if len(a.Statements) == 0 && len(b.Statements) == 0 {
		return true
	}
	return a.version() == b.version() && slices.Equal(a.normal(), b.normal())
}

func (d Document) version() string {
	if d.Version == "" {
		return versionUnset
	}
	return d.Version
}

// normal returns each statement's one form, sorted, without repetitions.
func (d Document) normal() []string {
	all := make([]string, 0, len(d.Statements))
	for _, s := range d.Statements {
		all = append(all, s.normal())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// normal returns the one form of all statements that mean the same, as JSON, whose keys are sorted.
func (s Statement) normal() string {
	out := map[string]any{}
	for field, value := range s {
		switch field {
		case "Sid":
		case "Action", "NotAction":
			out[field] = set(value, strings.ToLower)
		case "Resource", "NotResource":
			out[field] = set(value, asIs)
		case "Principal", "NotPrincipal":
			out[field] = principals(value)
		case "Condition":
			if c := conditions(value); len(c) > 0 {
				out[field] = c
			}
		default:
			out[field] = value
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		// What JSON decoded, JSON can encode. A statement made otherwise equals only itself.
		return fmt.Sprintf("%#v", s)
	}
	return string(text)
}

func asIs(s string) string { return s }

// set returns a string or a list of strings as a sorted list without repetitions. Numbers and truth values are as
// good as strings in conditions. Anything else stays as it is.
func set(value any, form func(string) string) any {
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	}
	out := make([]string, 0, len(values))
	for _, v := range values {
		switch v.(type) {
		case string, bool, json.Number:
			out = append(out, form(fmt.Sprint(v)))
		default:
			return value
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// principals returns {"AWS": [...]} for everything that means it. A bare list, too, is one of AWS's kind to versitygw.
func principals(value any) any {
	byKind, isMap := value.(map[string]any)
	if !isMap {
		byKind = map[string]any{"AWS": value}
	}
	out := map[string]any{}
	for kind, of := range byKind {
		out[kind] = set(of, func(p string) string {
			if account.MatchString(p) {
				return "arn:aws:iam::" + p + ":root"
			}
			return p
		})
	}
	return out
}

// conditions returns each operator's keys in lower case with their values as sets, as keys are without case.
func conditions(value any) map[string]any {
	operators, isMap := value.(map[string]any)
	if !isMap {
		return map[string]any{"": value}
	}
	out := map[string]any{}
	for _, operator := range slices.Sorted(maps.Keys(operators)) {
		keys, isMap := operators[operator].(map[string]any)
		if !isMap {
			out[operator] = operators[operator]
			continue
		}
		normal := map[string]any{}
		for key, values := range keys {
			normal[strings.ToLower(key)] = set(values, asIs)
		}
		out[operator] = normal
	}
	return out
}
