package wire

// Canonical returns the object with the keys of all objects in order, each once, and without nulls in them: two objects
// that mean the same are the same bytes then, which protobuf does not promise of what it encodes.
func (s Struct) Canonical() (Struct, error) {
	meaning := map[string]any{}
	if err := Unmarshal(s, &meaning); err != nil {
		return nil, err
	}
	return Marshal(meaning)
}
