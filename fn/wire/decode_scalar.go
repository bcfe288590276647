package wire

import (
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// expected notes that n is not what the Go type wants.
func (d *decoder) expected(what string, n *node) {
	d.fail("expected " + what + ", got " + n.describe())
}

func (d *decoder) unsupported(t *typeInfo) {
	if t.rtype == reflect.TypeFor[unsupportedOption]() {
		d.fail(`the tag option "string" is not supported`)
		return
	}
	d.fail("the Go type " + t.rtype.String() + " is not supported")
}

// describe says what n is, for an error message.
func (n *node) describe() string {
	switch n.kind {
	case kindNull:
		return "null"
	case kindNumber:
		return "a number " + strconv.FormatFloat(math.Float64frombits(n.bits), 'g', -1, 64)
	case kindString:
		return "a string " + strconv.Quote(clip(string(n.data[:min(len(n.data), maxQuoted+1)]), maxQuoted))
	case kindBool:
		return strconv.FormatBool(n.bits != 0)
	case kindStruct:
		return "an object"
	case kindList:
		return "a list"
	}
	return fmt.Sprintf("kind %d", n.kind)
}

// value returns the wire form of n, which the outermost object lacks.
func (n *node) value() []byte {
	if n.raw != nil || n.kind != kindStruct {
		return n.raw
	}
	return closeMessage(append([]byte{tagStruct, 0}, n.data...), 2)
}

func (d *decoder) bool(n *node, into reflect.Value) {
	if n.kind != kindBool {
		d.expected("true or false", n)
		return
	}
	into.SetBool(n.bits != 0)
}

func (d *decoder) string(t *typeInfo, n *node, into reflect.Value) error {
	switch {
	case t.read == formBytes && n.kind == kindList:
		return d.list(t, n, into)
	case n.kind != kindString:
		d.expected("a string", n)
	case t.read == formString:
		into.SetString(d.word(n.data))
	default:
		data := make([]byte, base64.StdEncoding.DecodedLen(len(n.data)))
		size, err := base64.StdEncoding.Decode(data, n.data)
		if err != nil {
			d.expected("a string in base64", n)
			return nil //nolint:nilerr // It is among the mistakes.
		}
		into.SetBytes(data[:size])
	}
	return nil
}

// finite returns the number n, unless it is none that JSON has.
func (d *decoder) finite(n *node) (float64, bool) {
	f := math.Float64frombits(n.bits)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		d.expected("a finite number", n)
		return 0, false
	}
	return f, true
}

func (d *decoder) number(t *typeInfo, n *node, into reflect.Value) {
	if n.kind != kindNumber {
		what := "a whole number"
		if t.read == formFloat {
			what = "a number"
		}
		d.expected(what, n)
		return
	}
	f, ok := d.finite(n)
	if !ok {
		return
	}
	bits := into.Type().Bits()
	switch {
	case t.read == formFloat:
		if bits == 32 && math.IsInf(float64(float32(f)), 0) {
			d.expected("a number that fits 32 bits", n)
			return
		}
		into.SetFloat(f)
	case f != math.Trunc(f):
		d.expected("a whole number", n)
	case t.read == formInt:
		// Both limits are powers of two, so they are exact as doubles, and the upper one is the first too large.
		limit := math.Ldexp(1, bits-1)
		if f < -limit || f >= limit {
			d.outOfRange(n, strconv.FormatInt(-1<<(bits-1), 10), strconv.FormatInt(1<<(bits-1)-1, 10))
			return
		}
		into.SetInt(int64(f))
	default:
		if f < 0 || f >= math.Ldexp(1, bits) {
			d.outOfRange(n, "0", strconv.FormatUint(1<<bits-1, 10))
			return
		}
		into.SetUint(uint64(f))
	}
}

func (d *decoder) outOfRange(n *node, least, most string) {
	d.expected("a whole number from "+least+" to "+most, n)
}
