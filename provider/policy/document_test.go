package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		// want is the document written again, or the beginning of the error.
		want, err string
	}{
		"One":          {reason: "One statement needs no list.", text: `{"Statement":{"Effect":"Allow"}}`, want: `{"Statement":[{"Effect":"Allow"}]}`},
		"KeepsAll":     {reason: "What we do not know of stays.", text: ` {"Version":"2012-10-17","Id":"i","Statement":[{"Sid":"s","Effect":"Deny","NotPrincipal":{"AWS":"a<b"},"Condition":{"NumericLessThan":{"s3:max-keys":12345678901234567890}}}]} `, want: `{"Version":"2012-10-17","Id":"i","Statement":[{"Condition":{"NumericLessThan":{"s3:max-keys":12345678901234567890}},"Effect":"Deny","NotPrincipal":{"AWS":"a<b"},"Sid":"s"}]}`},
		"Empty":        {reason: "Nothing is no document.", text: ``, err: "the policy is not a JSON object"},
		"List":         {reason: "A list is no document.", text: `[]`, err: "the policy is not a JSON object"},
		"NoStatement":  {reason: "A document has statements.", text: `{"Version":"2012-10-17"}`, err: "the policy has no Statement"},
		"Text":         {reason: "A statement is an object.", text: `{"Statement":["x"]}`, err: "the policy's Statement is neither an object nor a list"},
		"Null":         {reason: "A statement is an object.", text: `{"Statement":[null]}`, err: "Statement[0] is not an object"},
		"Sid":          {reason: "By the Sid we know our own.", text: `{"Statement":[{"Sid":1}]}`, err: "Statement[0].Sid is not a string"},
		"FurtherField": {reason: "What it has beside statements might be meant as one.", text: `{"Statements":[],"Statement":[]}`, err: "the policy is not a JSON object"},
		"FurtherText":  {reason: "Two documents are not one.", text: `{"Statement":[]}{}`, err: "the policy is not a JSON object"},
		"TooLong":      {reason: "Nobody reads that.", text: strings.Repeat(" ", readSize+1), err: "the policy has 163841 bytes, and may have 20480"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got string
			d, err := Parse([]byte(tc.text))
			if err == nil {
				text, merr := d.Marshal()
				if merr != nil {
					t.Fatal(merr)
				}
				got = string(text)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nParse(...): -want, +got:\n%s", tc.reason, diff)
			}
			if tc.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.err)) {
				t.Errorf("\n%s\nParse(...): want error %q, got %v", tc.reason, tc.err, err)
			}
			if tc.err == "" && err != nil {
				t.Errorf("\n%s\nParse(...): %v", tc.reason, err)
			}
		})
	}
}

func TestMarshalBound(t *testing.T) {
	d := Document{}.With(Allow("S", []string{"p"}, []string{"s3:GetObject"}, []string{strings.Repeat("x", MaxSize)}, nil))
	if _, err := d.Marshal(); err == nil {
		t.Error("a policy of more than MaxSize bytes was written")
	}
}

func TestMerge(t *testing.T) {
	declared := parse(t, `{"Version":"2008-10-17","Statement":[{"Sid":"Mine","Effect":"Deny"}]}`)
	ours := Allow(AccessSid+"Read", []string{"K"}, []string{"s3:GetObject"}, []string{"arn:aws:s3:::b/*"}, nil)
	both := declared.With(ours)

	cases := map[string]struct {
		reason    string
		got, want any
	}{
		"Without":        {reason: "Without ours it is as declared.", got: both.Without(AccessSid), want: declared},
		"Having":         {reason: "Ours are known by their Sids.", got: both.Having(AccessSid), want: []Statement{ours}},
		"Declared":       {reason: "The document merged from is not changed.", got: len(declared.Statements), want: 1},
		"VersionKept":    {reason: "Another version might change the declared statements' meaning.", got: both.Version, want: "2008-10-17"},
		"VersionOfOurs":  {reason: "A document that is ours alone has the new language.", got: Document{}.With(ours).Version, want: Version},
		"Principals":     {reason: "Principals are found in whatever form.", got: Statement{"Principal": "x"}.Principals(), want: []string{"x"}},
		"NoPrincipals":   {reason: "An identity's statement has none.", got: Statement{}.Principals(), want: []string(nil)},
		"WithPrincipals": {reason: "All else stays.", got: ours.WithPrincipals([]string{"L"})["Sid"], want: any(AccessSid + "Read")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzParse looks for text that panics, or that is not the same when it is written and read again.
func FuzzParse(f *testing.F) {
	f.Add(`{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Principal":"*","Action":"s3:*","Resource":["x"],"Condition":{"StringLike":{"s3:prefix":["a",1,true]}}}]}`)
	f.Add(`{"Statement":{"Principal":[["x"],{}],"Condition":[],"Action":{"a":null}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse([]byte(text))
		if err != nil {
			return
		}
		written, err := d.Marshal()
		if err != nil {
			return
		}
		again, err := Parse(written)
		if err != nil {
			t.Fatalf("cannot read again what was written: %v", err)
		}
		if !Equal(d, again) || !Equal(again, d) {
			t.Errorf("not equal to what was written: %s", written)
		}
		for _, s := range d.Having("") {
			_ = s.WithPrincipals(s.Principals())
		}
	})
}
