package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// within says in which part of a message err arose, if there is one.
func within(err error, part string, args ...any) error {
	if err == nil {
		return nil
	}

	return fmt.Errorf("%s: %w", fmt.Sprintf(part, args...), err)
}

// fields calls fn with each length-delimited field of a message, in order. Other
// fields are passed over: none that this function reads is of another kind.
func fields(b []byte, fn func(n protowire.Number, v []byte) error) error {
	for len(b) > 0 {
		n, t, l := protowire.ConsumeTag(b)
		if l < 0 {
			return protowire.ParseError(l)
		}

		b = b[l:]

		if t != protowire.BytesType {
			l = protowire.ConsumeFieldValue(n, t, b)
			if l < 0 {
				return protowire.ParseError(l)
			}

			b = b[l:]

			continue
		}

		v, l := protowire.ConsumeBytes(b)
		if l < 0 {
			return protowire.ParseError(l)
		}

		b = b[l:]

		if err := fn(n, v); err != nil {
			return err
		}
	}

	return nil
}

// A merged field is a message field that may occur more than once. The
// concatenation of the encodings is then the encoding of the merged message. All
// but the very first are copied, into a slice that grows as slices do.
type merged struct {
	b       []byte
	own     bool // b is a copy
	present bool // of which being empty and being absent are two things
}

func (m *merged) add(b []byte) {
	m.present = true

	switch {
	case m.own:
		m.b = append(m.b, b...)
	case len(m.b) == 0:
		m.b = b
	default:
		m.b, m.own = slices.Concat(m.b, b), true
	}
}

func text(b []byte) (string, error) {
	if !utf8.Valid(b) {
		return "", errors.New("a string is not valid UTF-8")
	}

	return string(b), nil
}

// appendMessage appends field n, a message that body appends.
func appendMessage(b []byte, n protowire.Number, body func(b []byte) ([]byte, error)) ([]byte, error) {
	b = protowire.AppendTag(b, n, protowire.BytesType)
	start := len(b)

	b, err := body(b)
	if err != nil {
		return nil, err
	}

	return insertLength(b, start), nil
}

// insertLength puts the length of b[start:] before it. The length of a length is
// only known once the message is, and moving the message by a few bytes is
// cheaper than measuring it first.
func insertLength(b []byte, start int) []byte {
	size := len(b) - start
	l := protowire.SizeVarint(uint64(size))

	for range l {
		b = append(b, 0)
	}

	copy(b[start+l:], b[start:start+size])
	protowire.AppendVarint(b[:start], uint64(size))

	return b
}

func appendText(b []byte, n protowire.Number, s string) []byte {
	if s == "" {
		return b
	}

	// A message may quote what it complains about, and one string that is not
	// valid makes the whole answer unreadable.
	return protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), strings.ToValidUTF8(s, "\uFFFD"))
}

func appendEnum(b []byte, n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
}
