package wire

import (
	"encoding"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

func appendLength(b []byte, n int) []byte {
	return binary.AppendUvarint(b, uint64(n))
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, tagBool, 1)
	}
	return append(b, tagBool, 0)
}

func appendNumber(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(append(b, tagNumber), math.Float64bits(f))
}

func appendInt(b []byte, i int64) ([]byte, error) {
	f := float64(i)
	if f >= 1<<63 || int64(f) != i {
		return b, FieldError{Problem: "a double cannot hold " + strconv.FormatInt(i, 10)}
	}
	return appendNumber(b, f), nil
}

func appendUint(b []byte, u uint64) ([]byte, error) {
	f := float64(u)
	if f >= 1<<64 || uint64(f) != u {
		return b, FieldError{Problem: "a double cannot hold " + strconv.FormatUint(u, 10)}
	}
	return appendNumber(b, f), nil
}

// appendFloat gives a float32 the value of the decimal number it stands for, as JSON does: 0.1 and not
// 0.10000000149011612.
func appendFloat(b []byte, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return b, FieldError{Problem: "want a finite number, got " + strconv.FormatFloat(f, 'g', -1, 64)}
	}
	if bits == 32 {
		var text [32]byte
		var err error
		if f, err = strconv.ParseFloat(string(strconv.AppendFloat(text[:0], f, 'g', -1, 32)), 64); err != nil {
			return b, err
		}
	}
	return appendNumber(b, f), nil
}

func appendString(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return b, FieldError{Problem: "the string " + quote(s) + " is not valid UTF-8"}
	}
	b = appendLength(append(b, tagString), len(s))
	return append(b, s...), nil
}

func appendBytes(b []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return b
	}
	data := v.Bytes()
	b = appendLength(append(b, tagString), base64.StdEncoding.EncodedLen(len(data)))
	return base64.StdEncoding.AppendEncode(b, data)
}

// any appends what an interface holds. Nobody but the caller has chosen it, so nothing of it is left out but null.
func (e *encoder) any(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return b, nil
	case string:
		return appendString(b, v)
	case bool:
		return appendBool(b, v), nil
	case float64:
		return appendFloat(b, v, 64)
	case int:
		return appendInt(b, int64(v))
	case int64:
		return appendInt(b, v)
	case map[string]any:
		if v == nil {
			return b, nil
		}
		b = append(b, tagStruct, 0)
		start := len(b)
		b, err := e.anyEntries(b, v)
		return closeMessage(b, start), err
	case []any:
		if v == nil {
			return b, nil
		}
		b = append(b, tagList, 0)
		start := len(b)
		b, err := e.anyElements(b, v)
		return closeMessage(b, start), err
	}
	r := reflect.ValueOf(v)
	t := infoOf(r.Type())
	return e.value(b, t, addressable(t, r))
}

func (e *encoder) anyElements(b []byte, l []any) ([]byte, error) {
	if err := e.enter(); err != nil {
		return b, err
	}
	for i, v := range l {
		b = append(b, tagValues, 0)
		start := len(b)
		var err error
		if b, err = e.any(b, v); err != nil {
			return b, step{index: i}.under(err)
		}
		b = closeElement(b, start)
	}
	e.depth--
	return b, nil
}

// json appends a value by its own JSON.
func (e *encoder) json(b []byte, v reflect.Value) ([]byte, error) {
	text, err := v.Addr().Interface().(json.Marshaler).MarshalJSON() //nolint:forcetypeassert // The form says so.
	if err != nil {
		return b, FieldError{Problem: err.Error()}
	}
	// Quantities, times and the like are a string or a number.
	if isPlainJSONString(text) {
		inner := text[1 : len(text)-1]
		b = appendLength(append(b, tagString), len(inner))
		return append(b, inner...), nil
	}
	if n, ok := smallInteger(text); ok {
		return appendNumber(b, n), nil
	}
	var content any
	if err := json.Unmarshal(text, &content); err != nil {
		return b, FieldError{Problem: "the JSON of " + v.Type().String() + " is wrong: " + err.Error()}
	}
	return e.any(b, content)
}

// smallInteger returns the number that text is, if it is one without sign, point and exponent, such as a port.
func smallInteger(text []byte) (float64, bool) {
	const most = 15 // digits that a double holds for sure
	if len(text) == 0 || len(text) > most || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	var n uint64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return float64(n), true
}

func (e *encoder) text(b []byte, v reflect.Value) ([]byte, error) {
	text, err := v.Addr().Interface().(encoding.TextMarshaler).MarshalText() //nolint:forcetypeassert // The form says so.
	if err != nil {
		return b, FieldError{Problem: err.Error()}
	}
	return appendString(b, string(text))
}
