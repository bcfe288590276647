package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

var (
	str  = func(s string) []byte { return message(tagString, []byte(s)) }
	one  = []byte{tagBool, 1}
	null = []byte{tagNull, 0}
	obj  = func(s ...Struct) []byte { return message(tagStruct, join(s...)) }
	list = func(values ...[]byte) []byte {
		var l []byte
		for _, v := range values {
			l = append(l, message(tagValues, v)...)
		}
		return message(tagList, l)
	}
)

// oddStructs are Structs that no encoder writes but that the protocol allows, or just not.
var oddStructs = map[string]struct {
	reason string
	wire   Struct
}{
	"RepeatedKey": {"The last entry wins.", join(entryOf("a", str("x")), entryOf("b", one), entryOf("a", str("y")))},
	"RepeatedKeyObject": {"An entry replaces an earlier one, rather than being merged with it.",
		join(entryOf("a", obj(entryOf("x", one))), entryOf("a", obj(entryOf("y", one))))},
	"SeveralMembers":  {"The last member of a oneof wins.", entryOf("a", one, str("x"), null, str("y"))},
	"MergedStructs":   {"A struct that is set twice is merged.", entryOf("a", obj(entryOf("x", one), entryOf("z", one)), obj(entryOf("y", one), entryOf("x", null)))},
	"MergedLists":     {"A list that is set twice is continued.", entryOf("a", list(one), list(null), list(str("x")))},
	"InterruptedList": {"What was in between drops the first.", entryOf("a", list(one), null, list(str("x")))},
	"MergedAcrossPieces": {"A value in two pieces is one value.",
		message(tagFields, append(append(message(tagKey, []byte("a")), message(tagValue, list(one))...), message(tagValue, list(null))...))},
	"BrokenPieces": {"Each piece has to be whole, even if both together are.",
		message(tagFields, append(message(tagValue, []byte{tagString, 2, 'a'}), message(tagValue, []byte{'b'})...))},
	"BrokenReplaced":  {"What is replaced has to be whole as well.", join(entryOf("a", message(tagStruct, []byte{tagFields, 9})), entryOf("a", one))},
	"BrokenOverruled": {"And so has what another member overrules.", entryOf("a", message(tagList, []byte{tagValues, 9}), one)},
	"TwoKeys":         {"The last key of an entry counts.", message(tagFields, append(append(message(tagKey, []byte("a")), message(tagKey, []byte("b"))...), message(tagValue, one)...))},
	"NoKey":           {"An entry without a key has the empty key.", message(tagFields, message(tagValue, one))},
	"NoValue":         {"An entry without a value is null.", message(tagFields, message(tagKey, []byte("a")))},
	"NoKind":          {"So is a value without a kind.", entryOf("a")},
	"UnknownFields": {"Unknown fields are passed over, groups included.", join(
		[]byte{0x9a, 0x06, 1, 'x', 0x0b, 0x10, 1, 0x0c}, entryOf("a", []byte{0x38, 5}, one, []byte{0x3d, 1, 2, 3, 4}))},
	"WrongWireType":    {"A known field of the wrong wire type is an unknown one.", entryOf("a", one, []byte{0x18, 7}, []byte{0x22, 1, 'x'})},
	"LongTag":          {"A tag may be longer than need be.", entryOf("a", []byte{0x9a, 0x00, 1, 'x'})},
	"LongLength":       {"And so may a length.", entryOf("a", []byte{tagString, 0x81, 0x00, 'x'})},
	"EndGroup":         {"A group that ends without having begun is an error.", Struct{0x0c}},
	"FieldZero":        {"Field numbers start at 1.", Struct{0x02, 0x00}},
	"LargeField":       {"Field numbers end at 2^29 - 1.", Struct{0x80, 0x80, 0x80, 0x80, 0x10, 0}},
	"ReservedType":     {"Wire types 6 and 7 do not exist.", Struct{0x0e, 0}},
	"InvalidKey":       {"Keys are UTF-8.", entryOf("\xff", one)},
	"InvalidString":    {"Strings are UTF-8.", entryOf("a", str("\xff"))},
	"InvalidOverruled": {"Even those that do not count.", entryOf("a", str("\xff"), one)},
	"Bools":            {"Any number but zero is true.", join(entryOf("a", []byte{tagBool, 0x80, 0x02}), entryOf("b", []byte{tagBool, 0}))},
	"OddNull":          {"Any enum number is null.", entryOf("a", []byte{tagNull, 7})},
}

// TestOdd compares with the generated code what we make of messages that no encoder writes.
func TestOdd(t *testing.T) {
	for name, tc := range oddStructs {
		t.Run(name, func(t *testing.T) {
			s := &structpb.Struct{}
			theirs := proto.Unmarshal(tc.wire, s)
			got := map[string]any{}
			ours := Unmarshal(tc.wire, &got)
			if (theirs == nil) != (ours == nil) {
				t.Fatalf("\n%s\nUnmarshal(...): generated code: %v, ours: %v", tc.reason, theirs, ours)
			}
			if ours != nil {
				return
			}
			if diff := cmp.Diff(s.AsMap(), got); diff != "" {
				t.Errorf("\n%s\nUnmarshal(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// nest returns a Struct whose nesting is as deep as given.
func nest(depth int, wrap func(v []byte) []byte) Struct {
	v := one
	for range depth - 1 {
		v = wrap(v)
	}
	return entryOf("a", v)
}

func TestDepth(t *testing.T) {
	inObject := func(v []byte) []byte { return obj(entryOf("a", v)) }
	inList := func(v []byte) []byte { return list(v) }
	type recursive struct {
		A *recursive `json:"a"`
	}
	cases := map[string]struct {
		reason string
		wire   Struct
		into   any
		want   error
	}{
		"Objects":         {"As deep as may be.", nest(maxDepth, inObject), &map[string]any{}, nil},
		"TooManyObjects":  {"One deeper.", nest(maxDepth+1, inObject), &map[string]any{}, errTooDeep},
		"Lists":           {"The outermost object counts.", nest(maxDepth, inList), &map[string]any{}, nil},
		"TooManyLists":    {"One deeper.", nest(maxDepth+1, inList), &map[string]any{}, errTooDeep},
		"FarTooManyLists": {"The stack is safe.", nest(5_000, inList), &map[string]any{}, errTooDeep},
		"RecursiveType":   {"A Go type can lead as deep.", nest(maxDepth+1, inObject), &recursive{}, errTooDeep},
		"Skipped":         {"What is skipped may be as deep as it likes.", nest(5_000, inList), &struct{ B int }{}, nil},
		"TooDeepJSON":     {"The same for a type that decodes itself.", nest(maxDepth+1, inList), &map[string]text{}, errTooDeep},
		"TooDeepReplaced": {"And for what counts no more.", join(nest(maxDepth+1, inList), entryOf("a", one)), &struct {
			A bool `json:"a"`
		}{}, errTooDeep},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if err := Unmarshal(tc.wire, tc.into); !errors.Is(err, tc.want) {
				t.Errorf("\n%s\nUnmarshal(...): want %v, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

// text is a type that decodes itself and takes anything.
type text string

func (x *text) UnmarshalJSON(b []byte) error {
	*x = text(b)
	return nil
}

// TestMergeLimit shows that repeated pieces within pieces cannot multiply a message in memory.
func TestMergeLimit(t *testing.T) {
	v := str(strings.Repeat("x", 1<<20))
	for range 100 {
		v = append(list(), list(v)...)
	}
	if err := Unmarshal(entryOf("a", v), &map[string]any{}); !errors.Is(err, errMerge) {
		t.Errorf("Unmarshal(...): want %v, got %v", errMerge, err)
	}
}

func TestCloseMessage(t *testing.T) {
	for _, size := range []int{0, 1, 127, 128, 300, 16383, 16384, 1 << 21} {
		content := bytes.Repeat([]byte{7}, size)
		got := closeMessage(append([]byte{1, tagStruct, 0}, content...), 3)
		want := protowire.AppendBytes([]byte{1, tagStruct}, content)
		if !bytes.Equal(want, got) {
			t.Errorf("closeMessage of %d bytes differs", size)
		}
	}
}
