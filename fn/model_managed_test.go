package main

import (
	"encoding/json"
	"strings"
)

// managed is an object with the account that the API server keeps of the fields
// that core has applied.
func managed(o *stored) tree {
	if len(o.owned) == 0 {
		return o.tree
	}

	out := clone(o.tree)
	child(out, "metadata")["managedFields"] = []any{tree{
		"manager": "apiextensions.crossplane.io/composed/1", "operation": "Apply",
		"fieldsType": "FieldsV1", "fieldsV1": managedFields(o.tree, "", o.owned),
	}}

	return out
}

// managedFields is the set of owned fields in the form in which an object has it.
func managedFields(v any, path string, owned map[string]bool) tree {
	out := tree{}

	switch v := v.(type) {
	case tree:
		for k, e := range v {
			p := path + "." + k
			if fields := managedFields(e, p, owned); owned[p] || len(fields) > 0 {
				out["f:"+k] = fields
			}
		}
	case []any:
		for _, e := range v {
			p := element(path, e)
			if p == "" || !owned[p] {
				continue
			}

			fields := managedFields(e, p, owned)
			fields["."] = tree{}
			out["k:"+key(path, e)] = fields
		}
	}

	return out
}

// key is the key of an element of a list, as JSON.
func key(path string, e any) string {
	m, _ := e.(tree)
	k := tree{}

	for _, name := range listKeys[path[strings.LastIndexByte(path, '.')+1:]] {
		if v, ok := m[name]; ok {
			k[name] = v
		}
	}

	b, err := json.Marshal(k)
	if err != nil {
		panic(err)
	}

	return string(b)
}
