package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// The tags of the messages in google/protobuf/struct.proto: field number << 3 | wire type.
const (
	tagFields = 0x0a // Struct.fields: entries
	tagKey    = 0x0a // Struct.FieldsEntry.key
	tagValue  = 0x12 // Struct.FieldsEntry.value
	tagNull   = 0x08 // Value.null_value
	tagNumber = 0x11 // Value.number_value
	tagString = 0x1a // Value.string_value
	tagBool   = 0x20 // Value.bool_value
	tagStruct = 0x2a // Value.struct_value
	tagList   = 0x32 // Value.list_value
	tagValues = 0x0a // ListValue.values
)

// parseError is a length that protowire.ParseError takes for an error without a name of its own.
const parseError = -1 << 10

// A kind says which member of the oneof a Value has set.
type kind uint8

const (
	kindNull kind = iota // also a Value that has nothing set
	kindNumber
	kindString
	kindBool
	kindStruct
	kindList
)

var (
	errUTF8  = errors.New("a string or key is not valid UTF-8")
	errMerge = errors.New("too many repeated fields to merge")
)

// A node is one Value, its own fields read and what is nested in them not yet.
type node struct {
	kind kind
	bits uint64 // of the number, or 0 or 1 for a bool
	data []byte // the characters of a string, or the message that is a struct or a list
	raw  []byte // the Value itself, nil for the outermost object
}

// consume reads one field off the front of b: its tag, and its content as far as the messages here use that
// wire type. It returns how long the field is, or a negative number that protowire.ParseError understands.
func consume(b []byte) (tag, number uint64, data []byte, n int) {
	// Nearly all fields have a tag of one byte and a length of one byte.
	if len(b) > 1 && b[0]&0x87 == byte(protowire.BytesType) && b[0] > 7 && b[1] < 0x80 {
		if end := 2 + int(b[1]); end <= len(b) {
			return uint64(b[0]), 0, b[2:end:end], end
		}
	}
	num, typ, n := protowire.ConsumeTag(b)
	if n < 0 {
		return 0, 0, nil, n
	}
	if num > protowire.MaxValidNumber {
		return 0, 0, nil, parseError
	}
	tag = protowire.EncodeTag(num, typ)
	var m int
	switch typ {
	case protowire.BytesType:
		data, m = protowire.ConsumeBytes(b[n:])
		data = slices.Clip(data)
	case protowire.VarintType:
		number, m = protowire.ConsumeVarint(b[n:])
	case protowire.Fixed64Type:
		number, m = protowire.ConsumeFixed64(b[n:])
	default:
		m = protowire.ConsumeFieldValue(num, typ, b[n:])
	}
	if m < 0 {
		return 0, 0, nil, m
	}
	return tag, number, data, n + m
}

func malformed(n int) error {
	return fmt.Errorf("malformed message: %w", protowire.ParseError(n))
}

// A merger puts together messages that the wire form has in several pieces, which mean the same as one. Encoders
// do not write such pieces, so this need not be fast, but it must not let nested pieces multiply the input.
type merger struct {
	budget int // bytes that may still be copied
}

// merge appends piece to whole. It must be told whether whole is a copy already, and returns one.
func (m *merger) merge(whole, piece []byte, copied bool) ([]byte, error) {
	cost := len(piece)
	if !copied {
		cost += len(whole)
		whole = append(make([]byte, 0, 2*cost), whole...)
	}
	if m.budget -= cost; m.budget < 0 {
		return nil, errMerge
	}
	return append(whole, piece...), nil
}

// entry reads one entry of Struct.fields. Key and value are empty but never nil if the entry lacks them. A value in
// several pieces is merged, as the members of a message are.
func (m *merger) entry(b []byte, depth int) (key, value []byte, err error) {
	key, value = b[:0:0], nil
	copied := false
	for len(b) > 0 {
		tag, _, data, n := consume(b)
		if n < 0 {
			return nil, nil, malformed(n)
		}
		b = b[n:]
		switch tag {
		case tagKey:
			if !utf8.Valid(data) {
				return nil, nil, errUTF8
			}
			key = data
		case tagValue:
			if value == nil {
				value = data
				break
			}
			// Pieces are checked one by one, for a broken one could look whole together with the next.
			if !copied {
				if err := checkValue(value, depth); err != nil {
					return nil, nil, err
				}
			}
			if err := checkValue(data, depth); err != nil {
				return nil, nil, err
			}
			if value, err = m.merge(value, data, copied); err != nil {
				return nil, nil, err
			}
			copied = true
		}
	}
	if value == nil {
		value = key[:0:0]
	}
	return key, value, nil
}

// read reads a Value whose wire form is raw. The last member of the oneof that is set counts, but a struct that follows
// upon a struct, or a list upon a list, is merged with it.
func (m *merger) read(raw []byte, depth int) (node, error) {
	v := node{raw: raw}
	copied := false
	for b := raw; len(b) > 0; {
		tag, number, data, n := consume(b)
		if n < 0 {
			return node{}, malformed(n)
		}
		b = b[n:]
		next := node{raw: raw, bits: number}
		switch tag {
		case tagNull:
			next.kind = kindNull
		case tagNumber:
			next.kind = kindNumber
		case tagBool:
			next.kind = kindBool
		case tagString:
			if !utf8.Valid(data) {
				return node{}, errUTF8
			}
			next.kind, next.data = kindString, data
		case tagStruct:
			next.kind, next.data = kindStruct, data
		case tagList:
			next.kind, next.data = kindList, data
		default:
			continue
		}
		if v.kind != kindStruct && v.kind != kindList {
			v = next
			continue
		}
		if !copied {
			if err := v.check(depth); err != nil {
				return node{}, err
			}
		}
		if v.kind != next.kind {
			v, copied = next, false
			continue
		}
		if err := next.check(depth); err != nil {
			return node{}, err
		}
		whole, err := m.merge(v.data, next.data, copied)
		if err != nil {
			return node{}, err
		}
		v.data, copied = whole, true
	}
	return v, nil
}

// count returns how many fields of b have the tag.
func count(b []byte, tag uint64) (int, error) {
	total := 0
	for len(b) > 0 {
		t, _, _, n := consume(b)
		if n < 0 {
			return 0, malformed(n)
		}
		if t == tag {
			total++
		}
		b = b[n:]
	}
	return total, nil
}

// closeMessage puts the length of the message that b ends with before it. The message starts at start, and the byte
// before that was left free for the length.
func closeMessage(b []byte, start int) []byte {
	size := len(b) - start
	if size < 0x80 {
		b[start-1] = byte(size)
		return b
	}
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(size))
	b = append(b, length[1:n]...) // makes room, whatever the content
	copy(b[start-1+n:], b[start:start+size])
	copy(b[start-1:], length[:n])
	return b
}
