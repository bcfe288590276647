package wire

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// maxMistakes is how many mistakes Unmarshal returns, so that no input makes an error too large for a condition.
	maxMistakes = 32
	// maxQuoted is how many bytes of the input a path element or a problem quotes.
	maxQuoted = 64
	// maxKept is how many mistakes are kept until the first maxMistakes of them are known.
	maxKept = 1024
)

// A FieldError says what is wrong with one field.
type FieldError struct {
	// Path names the field by JSON names, such as spec.ports[1].port or data["a.b"]. It is empty for the whole object.
	Path string
	// Problem is a phrase such as: expected a whole number, got a string "http".
	Problem string
}

// Error returns path and problem, with a colon between.
func (e FieldError) Error() string {
	if e.Path == "" {
		return e.Problem
	}
	return e.Path + ": " + e.Problem
}

// FieldErrors are the mistakes in one object, ordered by path whatever the order on the wire. If there are more
// than 32, the first 32 are followed by one without a path that says so.
type FieldErrors []FieldError

// Error returns all mistakes, with semicolons between.
func (e FieldErrors) Error() string {
	parts := make([]string, len(e))
	for i := range e {
		parts[i] = e[i].Error()
	}
	return strings.Join(parts, "; ")
}

// Unwrap lets errors.As find the first FieldError.
func (e FieldErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i := range e {
		errs[i] = e[i]
	}
	return errs
}

// first returns at most n mistakes in the order of their paths, each once, and one more that says that there are others.
// It leaves e as it is.
func (e FieldErrors) first(n int) FieldErrors {
	e = slices.Clone(e)
	slices.SortFunc(e, func(a, b FieldError) int {
		return cmp.Or(comparePaths(a.Path, b.Path), cmp.Compare(a.Problem, b.Problem))
	})
	e = slices.Compact(e)
	// The note that an earlier call added has no path, so it has been sorted to the front.
	more := FieldError{Problem: "there are more mistakes than the first " + strconv.Itoa(maxMistakes)}
	e, had := cut(e, more)
	if len(e) > n {
		return append(slices.Clip(e[:n]), more)
	}
	if had {
		e = append(e, more)
	}
	return e
}

func cut(e FieldErrors, note FieldError) (FieldErrors, bool) {
	if i := slices.Index(e, note); i >= 0 {
		return slices.Delete(e, i, i+1), true
	}
	return e, false
}

// comparePaths orders ports[2] before ports[10], and otherwise byte by byte.
func comparePaths(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			// Indices have no leading zeros, so the longer is the larger.
			if c := cmp.Or(cmp.Compare(x, y), cmp.Compare(a[:x], b[:y])); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// A step is one element of a path: a field, an entry of a map or an element of a list. A field's index is isField,
// and that of a map's entry isKey.
type step struct {
	name  string
	index int
}

const (
	isField = -1
	isKey   = -2
)

func renderPath(steps []step) string {
	var b []byte
	for _, s := range steps {
		b = s.append(b)
	}
	return string(b)
}

func (s step) append(b []byte) []byte {
	switch {
	case s.index >= 0:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(s.index), 10)
		return append(b, ']')
	case s.index == isKey && !plain(s.name):
		b = append(b, '[')
		b = append(b, quote(s.name)...)
		return append(b, ']')
	}
	if len(b) > 0 {
		b = append(b, '.')
	}
	return append(b, s.name...)
}

// under returns err with s put before its path, if it is a FieldError.
func (s step) under(err error) error {
	e, ok := err.(FieldError) //nolint:errorlint // The encoder makes it and wraps it in nothing on the way.
	if !ok {
		return err
	}
	path := string(s.append(nil))
	if e.Path != "" && e.Path[0] != '[' {
		path += "."
	}
	e.Path = path + e.Path
	return e
}

// plain reports whether a key can stand in a path without quotes.
func plain(key string) bool {
	if key == "" || len(key) > maxQuoted {
		return false
	}
	for i := range len(key) {
		c := key[i]
		if c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

func quote(s string) string { return strconv.Quote(clip(s, maxQuoted)) }

// clip cuts s to n bytes at the start of a character and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
