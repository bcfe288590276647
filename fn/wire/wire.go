package wire

import (
	"errors"
	"fmt"
	"reflect"
)

// maxDepth limits how deep objects and lists may be nested, the outermost object counted. Kubernetes objects stay
// below 30. Generated code allows 10,000 messages, which is about 3,300 nested objects.
const maxDepth = 128

var errTooDeep = errors.New("objects and lists are nested more than 128 deep")

// A Value is the wire form of one google.protobuf.Value. A field of this type keeps a field of an object as it is:
// decoding aliases the input without looking into it, and encoding writes the bytes through. Empty means unset.
type Value []byte

// A Struct is the wire form of one google.protobuf.Struct: what Unmarshal reads and Marshal returns. As the type of a
// field it keeps an object as it is, as Value does. Empty means unset there, so a field that must tell {} from
// unset has to be a Value.
type Struct []byte

// Unmarshal fills the value that into points to from s: a struct, a map with string keys, or an any, which becomes
// a map[string]any. A map that is not nil may also be given itself. Fields of s that the Go type lacks are
// skipped.
//
// It returns FieldErrors if fields of s do not fit the Go type. All that do fit are filled then. Any other error
// means that s is malformed or nested too deep, or that into cannot be filled at all, and leaves into partly filled.
func Unmarshal(s Struct, into any) error {
	return unmarshal(s, into, false)
}

// UnmarshalStrict does what Unmarshal does, and a field that the Go type lacks is a mistake too.
func UnmarshalStrict(s Struct, into any) error {
	return unmarshal(s, into, true)
}

func unmarshal(s Struct, into any, strict bool) error {
	target := reflect.ValueOf(into)
	switch {
	case target.Kind() == reflect.Pointer && !target.IsNil():
		target = target.Elem()
	case target.Kind() == reflect.Map && !target.IsNil():
	default:
		return fmt.Errorf("cannot decode a Struct into %T: want a pointer or a map, not nil", into)
	}
	d := newDecoder(len(s), strict)
	defer d.free()
	if err := d.decode(infoOf(target.Type()), &node{kind: kindStruct, data: s}, target); err != nil {
		return fmt.Errorf("cannot decode a Struct into %T: %w", into, err)
	}
	if len(d.mistakes) > 0 {
		return d.mistakes.first(maxMistakes)
	}
	return nil
}

// Marshal returns the wire form of v, which is a struct, a pointer to one, a map whose keys are strings, or a Struct,
// which is written through. If a field
// cannot be written, errors.As finds a FieldError that says which.
func Marshal(v any) (Struct, error) {
	return Append(nil, v)
}

// Append appends to b what Marshal returns for v. It returns b as it was if v cannot be written. Unless v has fields
// of types with MarshalJSON or MarshalText, it allocates nothing once b is large enough.
func Append(b []byte, v any) ([]byte, error) {
	out, err := appendObject(b, v)
	if err != nil {
		return b, fmt.Errorf("cannot encode %T as a Struct: %w", v, err)
	}
	return out, nil
}
