package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
)

// A form is how values of a Go type are read, or written.
type form uint8

const (
	formUnsupported form = iota
	formBool
	formInt
	formUint
	formFloat
	formString
	formBytes // base64 in a string
	formSlice
	formMap
	formStringMap // exactly map[string]string
	formPointer
	formObject // a Go struct
	formAny
	formValue
	formStruct
	formJSON // by UnmarshalJSON or MarshalJSON
	formText // by UnmarshalText or MarshalText
)

// A typeInfo is what the codec knows about a Go type.
type typeInfo struct {
	rtype  reflect.Type
	read   form
	write  form
	elem   *typeInfo      // of a pointer, a slice or a map
	fields []fieldInfo    // of a Go struct, sorted by name
	byName map[string]int // index in fields, if there are too many to look through
	boxes  *sync.Pool     // of *box, for a map
}

// A box holds one key and one element of a map, since reflection can only iterate into something.
type box struct {
	key, elem reflect.Value
	iter      reflect.MapIter
}

// searchLimit is the number of fields up to which comparing names one by one beats hashing.
const searchLimit = 8

// field returns the index of the field with the given JSON name, or -1.
func (t *typeInfo) field(name []byte) int {
	if t.byName != nil {
		if i, ok := t.byName[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range t.fields {
		if t.fields[i].name == string(name) {
			return i
		}
	}
	return -1
}

var (
	types    sync.Map // reflect.Type to *typeInfo, complete with all that it leads to
	building sync.Mutex

	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
)

func infoOf(t reflect.Type) *typeInfo {
	if info, ok := types.Load(t); ok {
		return info.(*typeInfo) //nolint:forcetypeassert // Nothing else is stored.
	}
	building.Lock()
	defer building.Unlock()
	made := map[reflect.Type]*typeInfo{}
	info := build(t, made)
	for t, info := range made {
		types.Store(t, info)
	}
	return info
}

// build returns what is known about t and the types it leads to. A type may lead to itself, so what has been begun is
// in made, and is complete when the outermost call returns.
func build(t reflect.Type, made map[reflect.Type]*typeInfo) *typeInfo {
	if info, ok := types.Load(t); ok {
		return info.(*typeInfo) //nolint:forcetypeassert // Nothing else is stored.
	}
	if info, ok := made[t]; ok {
		return info
	}
	info := &typeInfo{rtype: t, read: formOf(t)}
	made[t] = info
	info.write = info.read
	if t.Kind() == reflect.Interface {
		// What is in an interface can always be written, but only an any can be filled.
		info.write = formAny
	} else if t.Kind() != reflect.Pointer {
		ptr := reflect.PointerTo(t)
		switch {
		case ptr.Implements(jsonUnmarshaler):
			info.read = formJSON
		case ptr.Implements(textUnmarshaler):
			info.read = formText
		}
		switch {
		case ptr.Implements(jsonMarshaler):
			info.write = formJSON
		case ptr.Implements(textMarshaler):
			info.write = formText
		}
	}
	for _, f := range []form{info.read, info.write} {
		info.complete(f, made)
	}
	return info
}

// complete adds what reading or writing in that form needs.
func (t *typeInfo) complete(f form, made map[reflect.Type]*typeInfo) {
	switch f { //nolint:exhaustive // The other forms need nothing.
	case formMap, formStringMap:
		t.boxes = &sync.Pool{New: func() any {
			return &box{key: reflect.New(t.rtype.Key()).Elem(), elem: reflect.New(t.rtype.Elem()).Elem()}
		}}
		t.elem = build(t.rtype.Elem(), made)
	case formPointer, formSlice, formBytes:
		t.elem = build(t.rtype.Elem(), made)
	case formObject:
		if t.fields != nil {
			return
		}
		t.fields = fieldsOf(t.rtype)
		if len(t.fields) > searchLimit {
			t.byName = make(map[string]int, len(t.fields))
		}
		for i := range t.fields {
			f := &t.fields[i]
			f.info = build(f.rtype, made)
			if t.byName != nil {
				t.byName[f.name] = i
			}
		}
	}
}

// formOf returns the form that the kind of t suggests.
func formOf(t reflect.Type) form {
	switch t {
	case reflect.TypeFor[Value]():
		return formValue
	case reflect.TypeFor[Struct]():
		return formStruct
	case reflect.TypeFor[map[string]string]():
		return formStringMap
	case reflect.TypeFor[json.Number]():
		return formUnsupported
	}
	switch t.Kind() {
	case reflect.Bool:
		return formBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return formInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return formUint
	case reflect.Float32, reflect.Float64:
		return formFloat
	case reflect.String:
		return formString
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return formBytes
		}
		return formSlice
	case reflect.Map:
		// encoding/json would ask a key for its text, which need not be the string.
		if t.Key().Kind() == reflect.String && !reflect.PointerTo(t.Key()).Implements(textUnmarshaler) &&
			!t.Key().Implements(textMarshaler) {
			return formMap
		}
	case reflect.Pointer:
		return formPointer
	case reflect.Struct:
		return formObject
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return formAny
		}
	case reflect.Invalid, reflect.Complex64, reflect.Complex128, reflect.Array, reflect.Chan, reflect.Func,
		reflect.UnsafePointer:
	}
	return formUnsupported
}
