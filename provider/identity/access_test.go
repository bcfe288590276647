package identity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/policy"
)

func TestWithAccess(t *testing.T) {
	mine, other := Owner{Namespace: "a", Name: "x", UID: "1"}, Owner{Namespace: "b", Name: "x", UID: "2"}
	k1, k2, theirs := mine.base()+"KEY1AAAA", mine.base()+"KEY2AAAA", other.base()+"KEY3AAAA"
	read, write, prefix := Grant{Bucket: "b"}, Grant{Bucket: "b", Write: true}, Grant{Bucket: "b", Write: true, Prefix: "p/"}
	none := policy.Document{}
	declared := none.With(policy.Statement{"Sid": "Mine", "Effect": "Deny", "Principal": "*"})

	cases := map[string]struct {
		reason string
		before policy.Document
		grant  Grant
		keys   []string
		// want is each statement's Sid and principals.
		want []string
	}{
		"First":    {reason: "Access stands beside what is declared.", before: declared, grant: read, keys: []string{k1}, want: []string{"Mine *", "EchoAccessRead " + k1}},
		"Shared":   {reason: "Equal grants share a statement.", before: withAccess(none, other, read, []string{theirs}), grant: read, keys: []string{k1, k2}, want: []string{"EchoAccessRead " + sorted(k1, k2, theirs)}},
		"Unshared": {reason: "Unequal grants do not, though their Sids begin alike.", before: withAccess(none, other, prefix, []string{theirs}), grant: write, keys: []string{k1}, want: []string{prefix.accessSid() + " " + theirs, prefix.accessSid() + "L " + theirs, "EchoAccessWrite " + k1}},
		"Moved":    {reason: "A grant that changes leaves nothing of before.", before: withAccess(none, mine, write, []string{k1}), grant: prefix, keys: []string{k1}, want: []string{prefix.accessSid() + " " + k1, prefix.accessSid() + "L " + k1}},
		"Rotated":  {reason: "A key that goes is taken out.", before: withAccess(withAccess(none, other, read, []string{theirs}), mine, read, []string{k1, k2}), grant: read, keys: []string{k2}, want: []string{"EchoAccessRead " + sorted(k2, theirs)}},
		"Removed":  {reason: "Without keys all of the owner's goes, and of nobody else.", before: withAccess(withAccess(declared, other, write, []string{theirs}), mine, read, []string{k1}), grant: write, want: []string{"Mine *", "EchoAccessWrite " + theirs}},
		"Nothing":  {reason: "What is not there need not go.", before: none, grant: read},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := withAccess(tc.before, mine, tc.grant, tc.keys)
			if diff := cmp.Diff(tc.want, summary(got)); diff != "" {
				t.Errorf("\n%s\nwithAccess(...): -want, +got:\n%s", tc.reason, diff)
			}

			if again := withAccess(got, mine, tc.grant, tc.keys); !policy.Equal(got, again) {
				t.Errorf("\n%s\nwithAccess(...): done twice, it differs: %v", tc.reason, summary(again))
			}

			if diff := cmp.Diff(len(tc.keys) > 0, hasAccess(got, mine)); diff != "" {
				t.Errorf("\n%s\nhasAccess(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func sorted(ids ...string) string {
	return strings.Join(policy.Statement{"Principal": anys(ids)}.Principals(), " ")
}

func anys(ids []string) []any {
	out := make([]any, 0, len(ids))
	for _, id := range ids {
		out = append(out, id)
	}

	return out
}

func summary(d policy.Document) []string {
	var out []string
	for _, s := range d.Statements {
		out = append(out, s.Sid()+" "+strings.Join(s.Principals(), " "))
	}

	return out
}

func TestOwner(t *testing.T) {
	o := Owner{Namespace: "team-a", Name: "app", UID: "1"}
	key, further := o.key(), o.key()

	cases := map[string]struct {
		reason    string
		got, want any
	}{
		"Same":      {reason: "Names are derived.", got: o.base(), want: Owner{Namespace: "team-a", Name: "app", UID: "1"}.base()},
		"UID":       {reason: "One of the same name that is made later is another.", got: o.base() == Owner{Namespace: "team-a", Name: "app", UID: "2"}.base(), want: false},
		"ID":        {reason: "An ID tells the owner and is 24 characters long.", got: []any{o.has(key.AccessKeyID), len(key.AccessKeyID)}, want: []any{true, 24}},
		"Secret":    {reason: "A secret has 40 characters.", got: len(key.SecretAccessKey), want: 40},
		"Random":    {reason: "Two keys have nothing in common but the owner.", got: key.AccessKeyID != further.AccessKeyID && key.SecretAccessKey != further.SecretAccessKey, want: true},
		"Stranger":  {reason: "Others' keys are not the owner's.", got: o.has("AKIAIOSFODNN7EXAMPLE"), want: false},
		"PolicySid": {reason: "Sids begin with the mark of ours.", got: strings.HasPrefix(o.sid(), policy.AccessSid), want: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestKeyPrintsNoSecret(t *testing.T) {
	key := Key{AccessKeyID: "ID", SecretAccessKey: "hush"}

	text, err := key.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}

	for _, got := range []string{
		fmt.Sprintf("%v %+v %#v %s %q %x %d", key, key, key, key, key, key, key), fmt.Sprint(&key, []Key{key}), fmt.Sprintf("%+v", struct{ K Key }{key}),
		key.LogValue().String(), string(text),
	} {
		if strings.Contains(got, "hush") || strings.Contains(got, "68757368") {
			t.Errorf("a key prints as %s", got)
		}
	}
}
