package wire

import (
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// appendKey begins an entry of a Struct, up to where the value starts.
func appendKey(b []byte, key string) ([]byte, error) {
	if !utf8.ValidString(key) {
		return b, FieldError{Path: string(step{name: key, index: isKey}.append(nil)), Problem: "the key is not valid UTF-8"}
	}
	b = append(b, tagFields, 0, tagKey)
	b = appendLength(b, len(key))
	b = append(b, key...)
	return append(b, tagValue, 0), nil
}

// closeEntry ends the entry that was begun at entry and whose value starts at value, or takes it back if there is no
// value.
func closeEntry(b []byte, entry, value int) []byte {
	if len(b) == value {
		return b[:entry]
	}
	return closeMessage(closeMessage(b, value), entry+2)
}

// entries appends the entries of a map in the order of their keys. They are written as they come and then put in
// order, since reflection would have to allocate to get at an element by its key.
func (e *encoder) entries(b []byte, t *typeInfo, v reflect.Value) ([]byte, error) {
	if t.write == formStringMap {
		return e.strings(b, v.Interface().(map[string]string)) //nolint:forcetypeassert // The form says so.
	}
	if err := e.enter(); err != nil {
		return b, err
	}
	box := t.boxes.Get().(*box) //nolint:forcetypeassert // Nothing else is put there.
	defer box.free(t)
	base := len(e.spans)
	box.iter.Reset(v)
	for box.iter.Next() {
		box.key.SetIterKey(&box.iter)
		box.elem.SetIterValue(&box.iter)
		key, start := box.key.String(), len(b)
		var err error
		if b, err = appendKey(b, key); err != nil {
			return b, err
		}
		value := len(b)
		if b, err = e.value(b, t.elem, box.elem); err != nil {
			return b, step{name: key, index: isKey}.under(err)
		}
		b = closeEntry(b, start, value)
		e.spans = append(e.spans, span{key, start, len(b)})
	}
	b = e.order(b, e.spans[base:])
	e.spans = e.spans[:base]
	e.depth--
	return b, nil
}

// order sorts the entries that b ends with.
func (e *encoder) order(b []byte, spans []span) []byte {
	byKey := func(x, y span) int { return strings.Compare(x.key, y.key) }
	if slices.IsSortedFunc(spans, byKey) {
		return b
	}
	first := spans[0].start
	slices.SortFunc(spans, byKey)
	e.scratch = append(e.scratch[:0], b[first:]...)
	b = b[:first]
	for _, s := range spans {
		b = append(b, e.scratch[s.start-first:s.end-first]...)
	}
	return b
}

// strings appends the entries of what most maps are.
func (e *encoder) strings(b []byte, m map[string]string) ([]byte, error) {
	base := len(e.keys)
	for k := range m {
		e.keys = append(e.keys, k)
	}
	keys := e.keys[base:]
	slices.Sort(keys)
	for _, k := range keys {
		start := len(b)
		var err error
		if b, err = appendKey(b, k); err != nil {
			return b, err
		}
		value := len(b)
		if b, err = appendString(b, m[k]); err != nil {
			return b, step{name: k, index: isKey}.under(err)
		}
		b = closeEntry(b, start, value)
	}
	e.keys = e.keys[:base]
	return b, nil
}

// anyEntries appends the entries of what most objects without a type are.
func (e *encoder) anyEntries(b []byte, m map[string]any) ([]byte, error) {
	if err := e.enter(); err != nil {
		return b, err
	}
	base := len(e.keys)
	for k := range m {
		e.keys = append(e.keys, k)
	}
	end := len(e.keys)
	slices.Sort(e.keys[base:])
	for i := base; i < end; i++ {
		// The keys may have moved since the last one.
		k, start := e.keys[i], len(b)
		var err error
		if b, err = appendKey(b, k); err != nil {
			return b, err
		}
		value := len(b)
		if b, err = e.any(b, m[k]); err != nil {
			return b, step{name: k, index: isKey}.under(err)
		}
		b = closeEntry(b, start, value)
	}
	e.keys = e.keys[:base]
	e.depth--
	return b, nil
}
