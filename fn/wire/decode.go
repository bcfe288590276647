package wire

import (
	"reflect"
	"sync"
)

// A decoder fills one Go value. What its methods return as an error is the end of it; mistakes of type are gathered
// while it goes on.
type decoder struct {
	merger

	strict   bool
	depth    int    // objects and lists around what is being read
	path     []step // to what is being read
	slots    []slot
	members  []member
	text     []byte // JSON or text for a type that decodes itself
	words    map[string]string
	mistakes FieldErrors
	failures int // mistakes made so far, those forgotten since included
}

// A slot is where a field's value is on the wire. Structs are gone through twice: first for the last entry of
// each field, then, in an order that does not depend on the wire, to decode those.
type slot struct {
	value []byte // nil if there is none
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func newDecoder(size int, strict bool) *decoder {
	d := decoders.Get().(*decoder) //nolint:forcetypeassert // Nothing else is put there.
	d.strict = strict
	d.budget = 1<<20 + 8*size
	return d
}

// free returns d to the pool, rid of all that refers to the input or the output.
func (d *decoder) free() {
	const keep = 64 << 10
	clear(d.slots[:cap(d.slots)])
	clear(d.members[:cap(d.members)])
	clear(d.path[:cap(d.path)])
	text := d.text[:0]
	if cap(text) > keep {
		text = nil
	}
	*d = decoder{path: d.path[:0], slots: d.slots[:0], members: d.members[:0], text: text, words: d.words}
	if cap(d.slots)+cap(d.members) < keep/16 {
		decoders.Put(d)
	}
}

func (d *decoder) push(name string, index int) {
	d.path = append(d.path, step{name: name, index: index})
}

func (d *decoder) pop() { d.path = d.path[:len(d.path)-1] }

// enter notes that d goes one object or list deeper. The caller counts back.
func (d *decoder) enter() error {
	if d.depth >= maxDepth {
		return errTooDeep
	}
	d.depth++
	return nil
}

// fail adds a mistake at the current path.
func (d *decoder) fail(problem string) {
	d.failures++
	if len(d.mistakes) >= maxKept {
		d.mistakes = d.mistakes.first(maxMistakes)
	}
	d.mistakes = append(d.mistakes, FieldError{Path: renderPath(d.path), Problem: problem})
}

// value reads a Value from raw and decodes it into what into refers to, which can be set.
func (d *decoder) value(t *typeInfo, raw []byte, into reflect.Value) error {
	if t.read == formValue {
		into.SetBytes(raw)
		return nil
	}
	n, err := d.read(raw, d.depth)
	if err != nil {
		return err
	}
	return d.decode(t, &n, into)
}

func (d *decoder) decode(t *typeInfo, n *node, into reflect.Value) error {
	if n.kind == kindNull {
		return d.null(t, n, into)
	}
	switch t.read {
	case formBool:
		d.bool(n, into)
	case formInt, formUint, formFloat:
		d.number(t, n, into)
	case formString, formBytes:
		return d.string(t, n, into)
	case formSlice:
		return d.list(t, n, into)
	case formMap:
		return d.mapping(t, n, into)
	case formStringMap:
		return d.stringMap(n, into)
	case formPointer:
		if into.IsNil() {
			into.Set(reflect.New(t.rtype.Elem()))
		}
		return d.decode(t.elem, n, into.Elem())
	case formObject:
		return d.object(t, n, into)
	case formAny:
		v, err := d.any(n)
		if err != nil {
			return err
		}
		if v == nil {
			into.SetZero()
			return nil
		}
		into.Set(reflect.ValueOf(v))
	case formValue:
		into.SetBytes(n.value())
	case formStruct:
		if n.kind != kindStruct {
			d.expected("an object", n)
			return nil
		}
		into.SetBytes(n.data)
	case formJSON:
		return d.json(n, into)
	case formText:
		d.unmarshalText(n, into)
	case formUnsupported:
		d.unsupported(t)
	}
	return nil
}

// null makes nil what can be nil, and leaves all else as it is.
func (d *decoder) null(t *typeInfo, n *node, into reflect.Value) error {
	switch t.read {
	case formBytes, formSlice, formMap, formStringMap, formPointer, formAny, formStruct:
		into.SetZero()
	case formValue:
		into.SetBytes(n.value())
	case formJSON:
		return d.json(n, into)
	case formUnsupported:
		if into.Kind() == reflect.Interface {
			into.SetZero()
			return nil
		}
		d.unsupported(t)
	case formBool, formInt, formUint, formFloat, formString, formObject, formText:
	}
	return nil
}

func (d *decoder) object(t *typeInfo, n *node, into reflect.Value) error {
	if n.kind != kindStruct {
		d.expected("an object", n)
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	base := len(d.slots)
	for range t.fields {
		d.slots = append(d.slots, slot{})
	}
	if err := d.locate(t, n.data, base); err != nil {
		return err
	}
	for i := range t.fields {
		// The slots may have moved since the last field.
		s := d.slots[base+i]
		if s.value == nil {
			continue
		}
		f := &t.fields[i]
		field, _ := f.in(into, true)
		d.push(f.name, isField)
		if err := d.value(f.info, s.value, field); err != nil {
			return err
		}
		d.pop()
	}
	d.slots = d.slots[:base]
	d.depth--
	return nil
}

// locate notes in the slots from base on where the fields of t are in the Struct b.
func (d *decoder) locate(t *typeInfo, b []byte, base int) error {
	for len(b) > 0 {
		tag, _, data, n := consume(b)
		if n < 0 {
			return malformed(n)
		}
		b = b[n:]
		if tag != tagFields {
			continue
		}
		key, value, err := d.entry(data, d.depth)
		if err != nil {
			return err
		}
		i := t.field(key)
		if i < 0 {
			if d.strict {
				d.push(string(key), isKey)
				d.fail("unknown field")
				d.pop()
			}
			continue
		}
		s := &d.slots[base+i]
		if s.value != nil {
			if err := checkValue(s.value, d.depth); err != nil {
				return err
			}
		}
		s.value = value
	}
	return nil
}

func (d *decoder) list(t *typeInfo, n *node, into reflect.Value) error {
	if n.kind != kindList {
		d.expected("a list", n)
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	size, err := count(n.data, tagValues)
	if err != nil {
		return err
	}
	if size == 0 {
		into.Set(reflect.MakeSlice(t.rtype, 0, 0))
	} else {
		into.SetZero()
		into.Grow(size)
		into.SetLen(size)
	}
	i := 0
	for b := n.data; len(b) > 0; {
		tag, _, data, n := consume(b)
		if n < 0 {
			return malformed(n)
		}
		b = b[n:]
		if tag != tagValues {
			continue
		}
		d.push("", i)
		if err := d.value(t.elem, data, into.Index(i)); err != nil {
			return err
		}
		d.pop()
		i++
	}
	d.depth--
	return nil
}
