package protocol

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/composition"
)

// field is a field of a message, its content the parts put together.
func field(n protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), bytes.Join(parts, nil))
}

func name(n protowire.Number, s string) []byte { return field(n, []byte(s)) }

func TestDecodeMeansTheSame(t *testing.T) {
	a, b := encoded(t, object(t, `{a: 1, both: {a: 1}}`)), encoded(t, object(t, `{b: 2, both: {b: 2}}`))

	cases := map[string]struct {
		reason  string
		request []byte
	}{
		"Empty": {
			reason:  "An empty request is one that holds nothing.",
			request: nil,
		},
		"OneOfEach": {
			reason:  "All that a request may hold should be read, or passed over.",
			request: encoded(t, request(t)),
		},
		"Twice": {
			reason:  "A request that comes in two halves is one request.",
			request: append(encoded(t, request(t)), encoded(t, request(t))...),
		},
		"CompositeInPieces": {
			reason:  "A composite in pieces, at any level, is one composite.",
			request: bytes.Join([][]byte{field(2, field(1, field(1, a)), field(1, field(1, b), field(1, b))), field(2, field(1, field(1, a)))}, nil),
		},
		"EntryTwice": {
			reason:  "Of two entries with one key the last counts, and nothing of the first is left.",
			request: field(2, field(2, name(1, "k"), field(2, field(1, a))), field(2, name(1, "k"), field(2, field(1, b)))),
		},
		"EntryInTwoStates": {
			reason:  "Entries with one key in two pieces of a state replace each other too.",
			request: bytes.Join([][]byte{field(2, field(2, name(1, "k"), field(2, field(1, a)))), field(2, field(2, name(1, "k")))}, nil),
		},
		"EntryValueInPieces": {
			reason:  "The value of one entry may come in pieces, before the key and after it.",
			request: field(2, field(2, field(2, field(1, a)), name(1, "k"), field(2, field(1, b)))),
		},
		"EntryKeyTwice": {
			reason:  "Of two keys of one entry the last counts.",
			request: field(2, field(2, name(1, "j"), name(1, "k"))),
		},
		"EntryEmpty": {
			reason:  "An entry without key and value is an empty message under the empty key.",
			request: bytes.Join([][]byte{field(2, field(2)), field(3, field(2)), field(8), field(9)}, nil),
		},
		"RequiredTwice": {
			reason:  "Of two answers to one requirement the last counts, and does not add to the first.",
			request: bytes.Join([][]byte{field(8, name(1, "k"), field(2, field(1, field(1, a)), field(1, field(1, a)))), field(8, name(1, "k"), field(2, field(1, field(1, b))))}, nil),
		},
		"RequiredInPieces": {
			reason:  "One answer in pieces holds the items of all of them.",
			request: field(8, name(1, "k"), field(2, field(1, field(1, a))), field(2, field(1, field(1, b)))),
		},
		"SchemaGone": {
			reason:  "A schema that a later entry does not have is not there.",
			request: bytes.Join([][]byte{field(9, name(1, "k"), field(2, field(1, a))), field(9, name(1, "k"), field(2))}, nil),
		},
		"SchemaEmpty": {
			reason:  "A schema that says nothing is one.",
			request: field(9, name(1, "k"), field(2, field(1))),
		},
		"InputInPieces": {
			reason:  "Input in pieces is one input.",
			request: bytes.Join([][]byte{field(4, a), field(4), field(4, b)}, nil),
		},
		"TagTwice": {
			reason:  "Of two tags the last counts, even where it is empty.",
			request: bytes.Join([][]byte{field(1, name(1, "first")), field(1, name(1, ""))}, nil),
		},
		"WrongWireType": {
			reason:  "A known field of another type is an unknown field.",
			request: bytes.Join([][]byte{{1<<3 | 0, 5}, {2<<3 | 5, 1, 2, 3, 4}, {3<<3 | 3, 3<<3 | 4}, field(2, []byte{1<<3 | 0, 5}), field(1, []byte{1<<3 | 0, 5})}, nil),
		},
		"LongVarints": {
			reason:  "A number may be written with more bytes than it needs.",
			request: []byte{0x92, 0x80, 0x00, 0x84, 0x80, 0x00, 0x0a, 0x02, 0x0a, 0x00},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Log(tc.reason)
			same(t, tc.request)
		})
	}
}

// TestDecodeMeansTheSameOfAny compares Decode with the generated code on requests of
// all shapes. Two encodings put together are the encoding of the two merged.
func TestDecodeMeansTheSameOfAny(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var b []byte
		for range rapid.IntRange(1, 3).Draw(r, "pieces") {
			b = append(b, encoded(t, drawRequest(r))...)
		}

		same(t, b)
	})
}

func TestDecodeKeepsItsInput(t *testing.T) {
	b := bytes.Join([][]byte{encoded(t, request(t)), encoded(t, request(t))}, nil)
	before := bytes.Clone(b)

	e, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}

	if _, err := Encode(e, &composition.Response{Status: map[string]any{"a": 1}}); err != nil {
		t.Fatal(err)
	}

	if !bytes.Equal(before, b) {
		t.Error("a request is the server's: it should be read and not be written to")
	}
}

// TestDecodeTruncated cuts a request everywhere. It is either refused or, where the
// cut is between two fields, read as the generated code reads it.
func TestDecodeTruncated(t *testing.T) {
	b := encoded(t, request(t))

	for i := range b {
		generated := proto.Unmarshal(b[:i], &fnv1.RunFunctionRequest{})

		if _, err := Decode(b[:i]); (err == nil) != (generated == nil) {
			t.Fatalf("cut after %d bytes of %d: generated code: %v, Decode: %v", i, len(b), generated, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	bad := []byte{0x0a} // a field of which all but the tag is missing

	cases := map[string]struct {
		reason  string
		request []byte
		want    string
		tag     string
	}{
		"NotAMessage": {
			reason:  "Bytes that are no message should be told so.",
			request: []byte("\xff\xff\xff"),
			want:    "cannot read RunFunctionRequest: ",
		},
		"TagNotUTF8": {
			reason:  "A tag that is no text could not be sent back.",
			request: field(1, name(1, "\xff")),
			want:    "meta: a string is not valid UTF-8",
		},
		"Composite": {
			reason:  "Where the mistake is should be told, and the tag be kept for the answer.",
			request: append(field(1, name(1, "t")), field(2, field(1, bad))...),
			want:    "observed: composite: ",
			tag:     "t",
		},
		"ObservedKey": {
			reason:  "A key that is no text is refused.",
			request: field(2, field(2, name(1, "\xff"))),
			want:    "observed: resources: a string is not valid UTF-8",
		},
		"Observed": {
			reason:  "Which resource is broken should be told.",
			request: field(2, field(2, name(1, "pod-0"), field(2, bad))),
			want:    `observed: resources["pod-0"]: `,
		},
		"Desired": {
			reason:  "What earlier functions want cannot be kept if it cannot be read.",
			request: field(3, field(2, bad)),
			want:    "desired: resources: ",
		},
		"DesiredStatus": {
			reason:  "A status that is no object cannot be added to.",
			request: encoded(t, &fnv1.RunFunctionRequest{Desired: &fnv1.State{Composite: composed(t, `{status: good}`)}}),
			want:    "desired: composite: status: ",
		},
		"Required": {
			reason:  "Which requirement's answer is broken should be told.",
			request: field(8, name(1, "service"), field(2, field(1, bad))),
			want:    `required_resources: ["service"]: `,
		},
		"Schema": {
			reason:  "Which schema is broken should be told.",
			request: field(9, name(1, "monitor"), field(2, bad)),
			want:    `required_schemas: ["monitor"]: `,
		},
		"EndGroup": {
			reason:  "The end of a group that never began is a mistake.",
			request: []byte{7<<3 | 4},
			want:    "cannot read RunFunctionRequest: ",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			e, err := Decode(tc.request)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("\n%s\nwant an error with: %s\ngot: %v", tc.reason, tc.want, err)
			}

			rsp := &fnv1.RunFunctionResponse{}
			if err := proto.Unmarshal(EncodeFatal(e, errors.New("x")), rsp); tc.tag != "" && (err != nil || rsp.GetMeta().GetTag() != tc.tag) {
				t.Errorf("\n%s\nwant an answer with tag %q, got %v (%v)", tc.reason, tc.tag, rsp, err)
			}
		})
	}
}

// TestUndecodable shows that there is something to answer a request with, whatever
// became of it.
func TestUndecodable(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("\xff"), encoded(t, request(t))} {
		if e := Undecodable(b); e == nil || EncodeFatal(e, errors.New("x")) == nil {
			t.Errorf("want an answer to %x", b)
		}
	}

	if e := Undecodable(encoded(t, request(t))); e.tag != "t" {
		t.Errorf("want the tag of a request that can be read, got %q", e.tag)
	}
}
