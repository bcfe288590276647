package wire

import (
	"errors"
	"reflect"
	"sync"
)

// An encoder appends one Go value to a slice, in one go: each message is written behind a byte left free for its
// length, and moved in the rare case that the length needs more.
//
// Its methods append a Value, or nothing if there is nothing to write. An error is a FieldError whose path grows on
// the way up.
type encoder struct {
	depth   int
	keys    []string
	spans   []span
	scratch []byte
}

// A span is where an entry of a map has been written.
type span struct {
	key        string
	start, end int
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// free returns e to the pool, rid of all that refers to what was encoded.
func (e *encoder) free() {
	const keep = 64 << 10
	clear(e.keys[:cap(e.keys)])
	clear(e.spans[:cap(e.spans)])
	*e = encoder{keys: e.keys[:0], spans: e.spans[:0], scratch: e.scratch[:0]}
	if cap(e.scratch)+cap(e.keys)+cap(e.spans) < keep {
		encoders.Put(e)
	}
}

// appendObject appends v as a Struct.
func appendObject(b []byte, v any) ([]byte, error) {
	if s, ok := v.(Struct); ok {
		return append(b, s...), nil
	}
	source := reflect.ValueOf(v)
	for source.Kind() == reflect.Pointer || source.Kind() == reflect.Interface {
		source = source.Elem()
	}
	if source.Kind() != reflect.Struct && source.Kind() != reflect.Map {
		return b, errors.New("want a struct, a pointer to one that is not nil, or a map")
	}
	e := encoders.Get().(*encoder) //nolint:forcetypeassert // Nothing else is put there.
	defer e.free()
	t := infoOf(source.Type())
	source = addressable(t, source)
	switch t.write { //nolint:exhaustive // The others are not objects, or only their JSON tells.
	case formObject:
		return e.fields(b, t, source)
	case formMap, formStringMap:
		return e.entries(b, t, source)
	}
	// A type with MarshalJSON: a Value that must turn out to be an object.
	start := len(b)
	b, err := e.value(b, t, source)
	if err != nil {
		return b, err
	}
	n, err := new(merger).read(b[start:], 0)
	if err != nil {
		return b, err
	}
	if n.kind != kindStruct {
		return b, errors.New("want an object, got " + n.describe())
	}
	return append(b[:start], n.data...), nil
}

// addressable returns v, or a copy of it if v cannot be addressed and has methods or fields for which it must be.
func addressable(t *typeInfo, v reflect.Value) reflect.Value {
	if v.CanAddr() || t.write != formObject && t.write != formJSON && t.write != formText {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func (e *encoder) value(b []byte, t *typeInfo, v reflect.Value) ([]byte, error) {
	switch t.write {
	case formBool:
		return appendBool(b, v.Bool()), nil
	case formInt:
		return appendInt(b, v.Int())
	case formUint:
		return appendUint(b, v.Uint())
	case formFloat:
		return appendFloat(b, v.Float(), v.Type().Bits())
	case formString:
		return appendString(b, v.String())
	case formBytes:
		return appendBytes(b, v), nil
	case formSlice:
		return e.list(b, t, v)
	case formMap, formStringMap:
		if v.IsNil() {
			return b, nil
		}
		return e.nested(b, tagStruct, t, v, (*encoder).entries)
	case formObject:
		return e.nested(b, tagStruct, t, v, (*encoder).fields)
	case formPointer:
		if v.IsNil() {
			return b, nil
		}
		return e.value(b, t.elem, v.Elem())
	case formAny:
		return e.any(b, v.Interface())
	case formValue:
		return append(b, v.Bytes()...), nil
	case formStruct:
		if v.Len() == 0 {
			return b, nil
		}
		b = append(b, tagStruct, 0)
		start := len(b)
		return closeMessage(append(b, v.Bytes()...), start), nil
	case formJSON:
		return e.json(b, v)
	case formText:
		return e.text(b, v)
	case formUnsupported:
	}
	return b, unsupportedType(t)
}

func unsupportedType(t *typeInfo) error {
	if t.rtype == reflect.TypeFor[unsupportedOption]() {
		return FieldError{Problem: `the tag option "string" is not supported`}
	}
	return FieldError{Problem: "the Go type " + t.rtype.String() + " is not supported"}
}

// nested appends the message that a Value of that tag holds.
func (e *encoder) nested(b []byte, tag byte, t *typeInfo, v reflect.Value,
	content func(*encoder, []byte, *typeInfo, reflect.Value) ([]byte, error),
) ([]byte, error) {
	b = append(b, tag, 0)
	start := len(b)
	b, err := content(e, b, t, v)
	return closeMessage(b, start), err
}

// enter notes that e goes one object or list deeper. The caller counts back.
func (e *encoder) enter() error {
	if e.depth >= maxDepth {
		return FieldError{Problem: errTooDeep.Error()}
	}
	e.depth++
	return nil
}

// fields appends the entries of a Struct, one for each field of v that is set.
func (e *encoder) fields(b []byte, t *typeInfo, v reflect.Value) ([]byte, error) {
	if err := e.enter(); err != nil {
		return b, err
	}
	for i := range t.fields {
		f := &t.fields[i]
		field, ok := f.in(v, false)
		if !ok || f.unset(field) {
			continue
		}
		entry := len(b) + 2
		b = append(b, tagFields, 0)
		b = append(b, f.head...)
		b = append(b, 0)
		value := len(b)
		var err error
		if b, err = e.value(b, f.info, field); err != nil {
			return b, step{name: f.name, index: isField}.under(err)
		}
		if len(b) == value || isEmptyObject(b[value:]) && field.Kind() == reflect.Struct {
			b = b[:entry-2]
			continue
		}
		b = closeMessage(closeMessage(b, value), entry)
	}
	e.depth--
	return b, nil
}

func isEmptyObject(value []byte) bool {
	return len(value) == 2 && value[0] == tagStruct
}

// list appends a list. Other than an object, it needs its nulls.
func (e *encoder) list(b []byte, t *typeInfo, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return b, nil
	}
	return e.nested(b, tagList, t, v, (*encoder).elements)
}

func (e *encoder) elements(b []byte, t *typeInfo, v reflect.Value) ([]byte, error) {
	if err := e.enter(); err != nil {
		return b, err
	}
	for i := range v.Len() {
		b = append(b, tagValues, 0)
		start := len(b)
		var err error
		if b, err = e.value(b, t.elem, v.Index(i)); err != nil {
			return b, step{index: i}.under(err)
		}
		b = closeElement(b, start)
	}
	e.depth--
	return b, nil
}

func closeElement(b []byte, start int) []byte {
	if len(b) == start {
		b = append(b, tagNull, 0)
	}
	return closeMessage(b, start)
}
