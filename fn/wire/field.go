package wire

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// A fieldInfo is one field of a Go struct that has a JSON name, be it the struct's own or promoted from one that is
// inlined.
type fieldInfo struct {
	name      string
	index     []int  // as for reflect.Value.FieldByIndex
	head      string // what precedes the length of the value in an entry: the tagged key and the tag of the value
	rtype     reflect.Type
	info      *typeInfo
	omitEmpty bool
	omitZero  bool
	isZero    bool // omitZero goes by the method IsZero
	tagged    bool // the name is from a tag
}

// tagOptions are what a `json` tag says.
type tagOptions struct {
	name                                string
	skip, inline, empty, zero, asString bool
}

func parseTag(f reflect.StructField) tagOptions {
	tag := f.Tag.Get("json")
	name, rest, _ := strings.Cut(tag, ",")
	options := strings.Split(rest, ",")
	return tagOptions{
		name:     name,
		skip:     tag == "-",
		inline:   slices.Contains(options, "inline"),
		empty:    slices.Contains(options, "omitempty"),
		zero:     slices.Contains(options, "omitzero"),
		asString: slices.Contains(options, "string"),
	}
}

// An inlined is a Go struct whose fields count as fields of another.
type inlined struct {
	rtype reflect.Type
	index []int
}

// fieldsOf returns the fields of struct type t sorted by JSON name. Where several have one name, the rules are those
// of encoding/json: the least deeply inlined one wins, then the one whose tag gives the name, and if that leaves
// more than one, all are ignored.
func fieldsOf(t reflect.Type) []fieldInfo {
	all := []fieldInfo{}
	seen := map[reflect.Type]bool{}
	for level := []inlined{{rtype: t}}; len(level) > 0; {
		var next []inlined
		for _, in := range level {
			seen[in.rtype] = true
		}
		for _, in := range level {
			for i := range in.rtype.NumField() {
				f := in.rtype.Field(i)
				index := append(slices.Clone(in.index), i)
				options := parseTag(f)
				inner := f.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				switch {
				case options.skip || !f.IsExported() && (!f.Anonymous || inner.Kind() != reflect.Struct):
				case inner.Kind() == reflect.Struct && options.name == "" && (f.Anonymous || options.inline):
					// A pointer to an unexported struct could not be set.
					if !seen[inner] && (f.IsExported() || f.Type.Kind() == reflect.Struct) {
						next = append(next, inlined{inner, index})
					}
				case f.IsExported():
					all = append(all, newField(f, options, index))
				}
			}
		}
		level = next
	}
	return dominant(all)
}

func newField(f reflect.StructField, options tagOptions, index []int) fieldInfo {
	name := cmp.Or(options.name, f.Name)
	head := protowire.AppendString([]byte{tagKey}, name)
	zeroer := reflect.TypeFor[interface{ IsZero() bool }]()
	info := fieldInfo{
		name:      name,
		index:     index,
		head:      string(append(head, tagValue)),
		rtype:     f.Type,
		omitEmpty: options.empty,
		omitZero:  options.zero,
		isZero:    f.Type.Kind() != reflect.Interface && reflect.PointerTo(f.Type).Implements(zeroer),
		tagged:    options.name != "",
	}
	if options.asString {
		info.rtype = reflect.TypeFor[unsupportedOption]()
	}
	return info
}

// unsupportedOption stands for the type of a field whose tag has the option "string", so that using the field is
// an error.
type unsupportedOption chan struct{}

func dominant(all []fieldInfo) []fieldInfo {
	tagFirst := func(tagged bool) int {
		if tagged {
			return 0
		}
		return 1
	}
	rank := func(a, b fieldInfo) int {
		return cmp.Or(cmp.Compare(len(a.index), len(b.index)), cmp.Compare(tagFirst(a.tagged), tagFirst(b.tagged)))
	}
	slices.SortStableFunc(all, func(a, b fieldInfo) int {
		return cmp.Or(strings.Compare(a.name, b.name), rank(a, b))
	})
	out := make([]fieldInfo, 0, len(all))
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].name == all[i].name {
			j++
		}
		if j == i+1 || rank(all[i], all[i+1]) != 0 {
			out = append(out, all[i])
		}
		i = j
	}
	return out
}

// in returns the field of object v. Where a pointer to an inlined struct is nil on the way, it is set if fill
// says so, and otherwise there is no such field.
func (f *fieldInfo) in(v reflect.Value, fill bool) (reflect.Value, bool) {
	if len(f.index) == 1 {
		return v.Field(f.index[0]), true
	}
	for _, i := range f.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !fill {
					return reflect.Value{}, false
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

// unset reports whether a field that has the value v is left out.
func (f *fieldInfo) unset(v reflect.Value) bool {
	switch v.Kind() { //nolint:exhaustive // All others go by the tag.
	case reflect.Pointer, reflect.Interface:
		return v.IsNil()
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		if f.info.write == formObject && v.IsZero() {
			return true
		}
	}
	if f.omitZero && f.isZero {
		return v.Addr().Interface().(interface{ IsZero() bool }).IsZero() //nolint:forcetypeassert // isZero says so.
	}
	return (f.omitEmpty || f.omitZero) && v.IsZero()
}
