package wire

import "fmt"

// Canonical returns the value with the keys of all objects in order, each once, and without nulls in them: two values
// that mean the same are the same bytes then, which protobuf does not promise of what it encodes. It returns nothing
// of a value that is Empty.
func (v Value) Canonical() (Value, error) {
	if v.Empty() {
		return nil, nil
	}
	d := newDecoder(len(v), false)
	defer d.free()
	n, err := d.read(v, 0)
	if err != nil {
		return nil, fmt.Errorf("cannot decode a Value: %w", err)
	}
	meaning, err := d.any(&n)
	if err != nil {
		return nil, fmt.Errorf("cannot decode a Value: %w", err)
	}
	if len(d.mistakes) > 0 {
		return nil, d.mistakes.first(maxMistakes)
	}
	e := encoders.Get().(*encoder) //nolint:forcetypeassert // Nothing else is put there.
	defer e.free()
	out, err := e.any(nil, meaning)
	if err != nil {
		return nil, fmt.Errorf("cannot encode a Value: %w", err)
	}
	return out, nil
}
