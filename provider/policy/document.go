package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const (
	// Version is the language that all documents of ours are in.
	Version = "2012-10-17"

	// MaxSize is how many bytes a bucket's policy may have. It is the limit of AWS and MinIO, 20 KiB.
	MaxSize = 20 << 10

	// AccessSid begins the Sid of each statement in a bucket's policy that belongs to a BucketAccess. Whoever else
	// writes the policy keeps these statements as they are, and whoever compares it looks past them.
	AccessSid = "EchoAccess"

	// readSize is how many bytes Parse takes at most. It is more than MaxSize, as white space counts here.
	readSize = 8 * MaxSize

	// versionUnset is what a document without a version is in.
	versionUnset = "2008-10-17"
)

// A Document is a policy. The zero value is a policy that says nothing, which on a server is none.
type Document struct {
	// Version of the language. Empty means 2008-10-17.
	Version string
	// ID has no meaning.
	ID string
	// Statements in any order.
	Statements []Statement
}

// A Statement is one statement of a policy, as JSON decodes it. What this package does not know of stays in it.
type Statement map[string]any

// Parse reads a document. Its error says in one line what is wrong, without the document's text.
func Parse(text []byte) (Document, error) {
	if len(text) > readSize {
		return Document{}, errors.Errorf("the policy has %d bytes, and may have %d", len(text), MaxSize)
	}
	var raw struct {
		Version   *string         `json:"Version"`
		ID        string          `json:"Id"` //nolint:tagliatelle // AWS's own.
		Statement json.RawMessage `json:"Statement"`
	}
	if err := decode(text, &raw); err != nil {
		return Document{}, errors.Wrap(err, "the policy is not a JSON object with Version and Statement")
	}
	statements, err := parseStatements(raw.Statement)
	if err != nil {
		return Document{}, err
	}
	d := Document{ID: raw.ID, Statements: statements}
	if raw.Version != nil {
		d.Version = *raw.Version
	}
	return d, nil
}

// parseStatements takes a list of statements, or one.
func parseStatements(text json.RawMessage) ([]Statement, error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil, errors.New("the policy has no Statement")
	}
	if text[0] == '{' {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	var all []Statement
	if err := decode(text, &all); err != nil {
		return nil, errors.Wrap(err, "the policy's Statement is neither an object nor a list of objects")
	}
	for i, s := range all {
		if s == nil {
			return nil, errors.Errorf("Statement[%d] is not an object", i)
		}
		if sid, set := s["Sid"]; set {
			if _, isString := sid.(string); !isString {
				return nil, errors.Errorf("Statement[%d].Sid is not a string", i)
			}
		}
	}
	return all, nil
}

// decode is json.Unmarshal that refuses fields that there are not, and keeps numbers as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more text after its end")
	}
	return nil
}

// Marshal returns the document as JSON, the same for the same document. It fails if that has more than MaxSize bytes.
func (d Document) Marshal() ([]byte, error) {
	out := struct {
		Version   string      `json:"Version,omitempty"`
		ID        string      `json:"Id,omitempty"` //nolint:tagliatelle // AWS's own.
		Statement []Statement `json:"Statement"`
	}{d.Version, d.ID, d.Statements}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	// Keys of objects may have <, > and & in them, which need not be six bytes each.
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		return nil, errors.Wrap(err, "cannot write the policy as JSON")
	}
	body := bytes.TrimRight(text.Bytes(), "\n")
	if len(body) > MaxSize {
		return nil, errors.Errorf("the policy would have %d bytes, and may have %d", len(body), MaxSize)
	}
	return body, nil
}

// Sid returns the statement's Sid, or "".
func (s Statement) Sid() string {
	sid, _ := s["Sid"].(string)
	return sid
}

// With returns the document with further statements. A document that said nothing gets the version of ours.
func (d Document) With(more ...Statement) Document {
	if len(d.Statements) == 0 && d.Version == "" {
		d.Version = Version
	}
	d.Statements = slices.Concat(d.Statements, more)
	return d
}

// Without returns the document without the statements whose Sid begins so.
func (d Document) Without(sidPrefix string) Document {
	d.Statements = slices.DeleteFunc(slices.Clone(d.Statements), func(s Statement) bool {
		return strings.HasPrefix(s.Sid(), sidPrefix)
	})
	return d
}

// Having returns the statements whose Sid begins so.
func (d Document) Having(sidPrefix string) []Statement {
	return slices.DeleteFunc(slices.Clone(d.Statements), func(s Statement) bool {
		return !strings.HasPrefix(s.Sid(), sidPrefix)
	})
}

// Allow makes a statement. Without principals it is one of an identity's policy, else of a bucket's. A condition is
// by operator, then by key.
func Allow(sid string, principals, actions, resources []string, condition map[string]map[string][]string) Statement {
	s := Statement{"Sid": sid, "Effect": "Allow", "Action": list(actions), "Resource": list(resources)}
	if len(principals) > 0 {
		s["Principal"] = map[string]any{"AWS": list(principals)}
	}
	if len(condition) > 0 {
		operators := map[string]any{}
		for operator, keys := range condition {
			values := map[string]any{}
			for key, of := range keys {
				values[key] = list(of)
			}
			operators[operator] = values
		}
		s["Condition"] = operators
	}
	return s
}

// list returns strings as JSON decodes a list of them.
func list(of []string) []any {
	out := make([]any, 0, len(of))
	for _, s := range of {
		out = append(out, s)
	}
	return out
}

// String counts the statements, as a policy may be long.
func (d Document) String() string { return fmt.Sprintf("policy of %d statements", len(d.Statements)) }

// Principals returns the statement's principals of AWS's kind, sorted.
func (s Statement) Principals() []string {
	byKind, _ := principals(s["Principal"]).(map[string]any)
	of, _ := byKind["AWS"].([]string)
	return of
}

// WithPrincipals returns the statement with these principals of AWS's kind in place of all that it has.
func (s Statement) WithPrincipals(these []string) Statement {
	s = maps.Clone(s)
	s["Principal"] = map[string]any{"AWS": list(these)}
	return s
}
