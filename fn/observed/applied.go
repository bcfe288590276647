package observed

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"my-operator.dev/echo/fn/wire"
)

// composedManager is what the name of the field manager begins with under which
// Crossplane applies composed resources.
const composedManager = "apiextensions.crossplane.io/composed"

// An account is what is read of the account that the API server keeps of who has
// applied which fields of an object.
type account struct {
	Metadata struct {
		ManagedFields []struct {
			Manager     string      `json:"manager"`
			Operation   string      `json:"operation"`
			Subresource string      `json:"subresource"`
			FieldsV1    wire.Struct `json:"fieldsV1"`
		} `json:"managedFields"`
	} `json:"metadata"`
}

// Applied is the part of a Pod's spec that was applied on behalf of its composite:
// neither what Kubernetes filled in, nor what others have added. It is what has to
// be applied again for the Pod to stay as it is.
//
// The API server keeps account of it, see
// https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management.
// Of a Pod that comes without that account, as in a local render, it is all of
// the spec.
func (p *Pod) Applied() (wire.Struct, error) {
	var a account
	if err := wire.Unmarshal(p.whole, &a); err != nil {
		return nil, fmt.Errorf("cannot read managed fields: %w", err)
	}

	for _, m := range a.Metadata.ManagedFields {
		if !strings.HasPrefix(m.Manager, composedManager) || m.Operation != "Apply" || m.Subresource != "" {
			continue
		}

		var fields struct {
			Spec map[string]any `json:"f:spec"`
		}

		if err := wire.Unmarshal(m.FieldsV1, &fields); err != nil {
			return nil, fmt.Errorf("cannot read managed fields: %w", err)
		}

		spec := map[string]any{}
		if err := wire.Unmarshal(p.Spec, &spec); err != nil {
			return nil, fmt.Errorf("cannot read spec: %w", err)
		}

		return wire.Marshal(applied(spec, fields.Spec))
	}

	return p.Spec, nil
}

// applied is the part of a value that a set of fields names. A set that names no
// parts stands for all of the value.
func applied(v any, fields map[string]any) any {
	named := false
	for name := range fields {
		named = named || name != "."
	}

	if !named {
		return v
	}

	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}

		for name, value := range v {
			if parts, ok := fields["f:"+name].(map[string]any); ok {
				out[name] = applied(value, parts)
			}
		}

		return out
	case []any:
		return appliedItems(v, fields)
	default:
		return v
	}
}

// appliedItems are the items of a list that a set of fields names: by their keys,
// or by their values.
func appliedItems(items []any, fields map[string]any) []any {
	out := []any{}

	for _, item := range items {
		for name, parts := range fields {
			kind, text, _ := strings.Cut(name, ":")

			var key any
			if json.Unmarshal([]byte(text), &key) != nil {
				continue
			}

			switch parts, _ := parts.(map[string]any); {
			case kind == "k" && has(item, key):
				out = append(out, applied(item, parts))
			case kind == "v" && reflect.DeepEqual(item, key):
				out = append(out, item)
			}
		}
	}

	return out
}

// has is true of an item with the fields of a key.
func has(item, key any) bool {
	i, isObject := item.(map[string]any)
	k, isKey := key.(map[string]any)

	for name, want := range k {
		if got, ok := i[name]; !ok || !reflect.DeepEqual(got, want) {
			return false
		}
	}

	return isObject && isKey
}
