package wire

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxProblem is how many bytes are quoted of what another type says is wrong.
const maxProblem = 256

// json has a type decode itself from the JSON of n.
func (d *decoder) json(n *node, into reflect.Value) error {
	failures := d.failures
	text, err := d.appendJSON(d.text[:0], n)
	d.text = text
	if err != nil {
		return err
	}
	if d.failures != failures {
		return nil
	}
	u := into.Addr().Interface().(json.Unmarshaler) //nolint:forcetypeassert // The form says so.
	if err := u.UnmarshalJSON(text); err != nil {
		d.fail(clip(strings.ToValidUTF8(err.Error(), "?"), maxProblem))
	}
	return nil
}

func (d *decoder) unmarshalText(n *node, into reflect.Value) {
	if n.kind != kindString {
		d.expected("a string", n)
		return
	}
	// A copy, so that the type can neither keep nor change the input.
	d.text = append(d.text[:0], n.data...)
	u := into.Addr().Interface().(encoding.TextUnmarshaler) //nolint:forcetypeassert // The form says so.
	if err := u.UnmarshalText(d.text); err != nil {
		d.fail(clip(strings.ToValidUTF8(err.Error(), "?"), maxProblem))
	}
}

func (d *decoder) appendJSON(b []byte, n *node) ([]byte, error) {
	switch n.kind {
	case kindNull:
		return append(b, "null"...), nil
	case kindNumber:
		f, ok := d.finite(n)
		if !ok {
			return b, nil
		}
		return appendJSONNumber(b, f), nil
	case kindString:
		return appendJSONString(b, n.data), nil
	case kindBool:
		return strconv.AppendBool(b, n.bits != 0), nil
	case kindStruct:
		return d.appendJSONObject(b, n)
	case kindList:
		return d.appendJSONArray(b, n)
	}
	return b, nil
}

// A member is one entry of a struct.
type member struct{ key, value []byte }

// appendJSONObject writes each key once, and sorts the keys, since some types keep the text as they get it.
func (d *decoder) appendJSONObject(b []byte, n *node) ([]byte, error) {
	if err := d.enter(); err != nil {
		return b, err
	}
	base := len(d.members)
	for rest := n.data; len(rest) > 0; {
		tag, _, data, size := consume(rest)
		if size < 0 {
			return b, malformed(size)
		}
		rest = rest[size:]
		if tag != tagFields {
			continue
		}
		key, value, err := d.entry(data, d.depth)
		if err != nil {
			return b, err
		}
		d.members = append(d.members, member{key, value})
	}
	end := len(d.members)
	slices.SortStableFunc(d.members[base:], func(a, b member) int { return bytes.Compare(a.key, b.key) })
	b = append(b, '{')
	for i := base; i < end; i++ {
		m := d.members[i]
		if i+1 < end && bytes.Equal(d.members[i+1].key, m.key) {
			if err := checkValue(m.value, d.depth); err != nil {
				return b, err
			}
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = appendJSONString(b, m.key)
		b = append(b, ':')
		var err error
		if b, err = d.appendJSONValue(b, m.value); err != nil {
			return b, err
		}
	}
	d.members = d.members[:base]
	d.depth--
	return append(b, '}'), nil
}

func (d *decoder) appendJSONArray(b []byte, n *node) ([]byte, error) {
	if err := d.enter(); err != nil {
		return b, err
	}
	b = append(b, '[')
	for rest := n.data; len(rest) > 0; {
		tag, _, data, size := consume(rest)
		if size < 0 {
			return b, malformed(size)
		}
		rest = rest[size:]
		if tag != tagValues {
			continue
		}
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		var err error
		if b, err = d.appendJSONValue(b, data); err != nil {
			return b, err
		}
	}
	d.depth--
	return append(b, ']'), nil
}

func (d *decoder) appendJSONValue(b, raw []byte) ([]byte, error) {
	n, err := d.read(raw, d.depth)
	if err != nil {
		return b, err
	}
	return d.appendJSON(b, &n)
}

// appendJSONNumber writes f as encoding/json and protojson do: very large and very small numbers with an exponent,
// as in JavaScript.
func appendJSONNumber(b []byte, f float64) []byte {
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	b = strconv.AppendFloat(b, f, format, -1, 64)
	// e-09 is to be e-9.
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// appendJSONString writes s, which is valid UTF-8.
func appendJSONString(b, s []byte) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for len(s) > 0 {
		i := slices.IndexFunc(s, func(c byte) bool { return c < ' ' || c == '"' || c == '\\' })
		if i < 0 {
			b = append(b, s...)
			break
		}
		b = append(b, s[:i]...)
		if c := s[i]; c < ' ' {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		} else {
			b = append(b, '\\', c)
		}
		s = s[i+1:]
	}
	return append(b, '"')
}

// isPlainJSONString reports whether text is a JSON string that needs no unescaping.
func isPlainJSONString(text []byte) bool {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return false
	}
	inner := text[1 : len(text)-1]
	return utf8.Valid(inner) &&
		!slices.ContainsFunc(inner, func(c byte) bool { return c < ' ' || c == '"' || c == '\\' })
}
