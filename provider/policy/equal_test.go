package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEqual(t *testing.T) {
	const plain = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":["*"]},"Action":["s3:GetObject"],"Resource":["arn:aws:s3:::b/*"]}]}`

	cases := map[string]struct {
		reason string
		a, b   string
		want   bool
	}{
		"Same":             {reason: "A document equals itself.", a: plain, b: plain, want: true},
		"StringOrList":     {reason: "AWS writes a list of one as a string.", a: plain, b: `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}}`, want: true},
		"AnyPrincipal":     {reason: `"*" and {"AWS": "*"} are the same to a bucket's policy.`, a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`, want: true},
		"SidAndID":         {reason: "Names mean nothing.", a: plain, b: `{"Version":"2012-10-17","Id":"x","Statement":[{"Sid":"y","Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`, want: true},
		"CaseOfAction":     {reason: "Actions are without case.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"S3:getobject","Resource":"arn:aws:s3:::b/*"}]}`, want: true},
		"EmptyCondition":   {reason: "No condition and an empty one are the same.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*","Condition":{}}]}`, want: true},
		"Repetition":       {reason: "Saying it twice means no more.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":["s3:GetObject","s3:GetObject"],"Resource":"arn:aws:s3:::b/*"},{"Sid":"Z","Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`, want: true},
		"OtherVersion":     {reason: "Variables mean themselves in the old language.", a: plain, b: `{"Version":"2008-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`},
		"NoVersion":        {reason: "No version is the old language.", a: `{"Version":"2008-10-17","Statement":[{"Effect":"Deny"}]}`, b: `{"Statement":[{"Effect":"Deny"}]}`, want: true},
		"OtherAction":      {reason: "Another action.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::b/*"}]}`},
		"OtherEffect":      {reason: "The opposite.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`},
		"NotAction":        {reason: "All but an action is not the action.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","NotAction":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`},
		"CaseOfResource":   {reason: "Keys of objects have case.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::B/*"}]}`},
		"OtherPrincipal":   {reason: "One user is not everyone.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"x"},"Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`},
		"KindOfPrincipal":  {reason: "A service is not a user.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"*"},"Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"}]}`},
		"FurtherStatement": {reason: "More is not the same.", a: plain, b: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"},{"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::b/x"}]}`},
		"Account": {
			reason: "AWS turns an account's number into the ARN of its root.",
			a:      `{"Statement":[{"Principal":{"AWS":"123456789012"}}]}`, b: `{"Statement":[{"Principal":{"AWS":["arn:aws:iam::123456789012:root"]}}]}`, want: true,
		},
		"Condition": {
			reason: "Keys of conditions are without case, and values are sets, of strings or of what reads the same.",
			a:      `{"Statement":[{"Condition":{"Bool":{"aws:SecureTransport":false},"StringLike":{"s3:prefix":["b","a"]}}}]}`,
			b:      `{"Statement":[{"Condition":{"StringLike":{"S3:Prefix":["a","b"]},"Bool":{"aws:securetransport":["false"]}}}]}`, want: true,
		},
		"OtherCondition": {
			reason: "Another value is another condition.",
			a:      `{"Statement":[{"Condition":{"NumericLessThan":{"s3:max-keys":10}}}]}`, b: `{"Statement":[{"Condition":{"NumericLessThan":{"s3:max-keys":11}}}]}`,
		},
		"LostCondition": {
			reason: "Without its condition a statement says more.",
			a:      `{"Statement":[{"Effect":"Allow","Condition":{"Bool":{"aws:SecureTransport":"true"}}}]}`, b: `{"Statement":[{"Effect":"Allow"}]}`,
		},
		"Nothing": {reason: "Whatever its version, nothing is nothing.", a: `{"Version":"2012-10-17","Statement":[]}`, b: `{"Statement":[]}`, want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a, b := parse(t, tc.a), parse(t, tc.b)
			if diff := cmp.Diff([]bool{tc.want, tc.want}, []bool{Equal(a, b), Equal(b, a)}); diff != "" {
				t.Errorf("\n%s\nEqual(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func parse(t *testing.T, text string) Document {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
