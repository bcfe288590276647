package ownership

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDeriveName(t *testing.T) {
	cases := map[string]struct {
		reason               string
		namespace, name, uid string
		want                 string
	}{
		"Plain": {
			reason:    "A name shows the namespace and the name, and ends in the digest.",
			namespace: "team-a", name: "assets", uid: "6f0c5e2e-9d6e-4f2f-8d70-0d2f8f0a3c11",
			want: "team-a-assets-ctb744yozl",
		},
		"Dots": {
			reason:    "Dots break the certificates of virtual hosts.",
			namespace: "team-a", name: "www.example.com", uid: "u",
			want: "team-a-www-example-com-3haos6z4qe",
		},
		"Reserved": {
			reason:    "A namespace may begin as no bucket may.",
			namespace: "xn--caf-dma", name: "menu", uid: "u",
			want: "b-xn--caf-dma-menu-ezjjpcynbz",
		},
		"Long": {
			reason:    "What is too long is cut, and no hyphen stands before the digest's own.",
			namespace: "a-namespace-of-some-length", name: "a-name-of-twenty-fiv-and-then-some", uid: "u",
			want: "a-namespace-of-some-length-a-name-of-twenty-fiv-and-kd7nliualx",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := DeriveName(tc.namespace, tc.name, tc.uid)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nDeriveName(...): -want, +got:\n%s", tc.reason, diff)
			}
			if err := ValidateName(got); err != nil {
				t.Errorf("%s\nValidateName(%q): %v", tc.reason, got, err)
			}
		})
	}
}

// A derived name is valid whatever the resource is called, and no two resources share one.
func TestDeriveNameHolds(t *testing.T) {
	label := rapid.StringMatching(`(xn--|sthree-|amzn-s3-demo-)?[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?`)
	name := rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?){0,3}`)
	uid := rapid.StringMatching(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`)

	rapid.Check(t, func(t *rapid.T) {
		a := [3]string{label.Draw(t, "namespace"), name.Draw(t, "name"), uid.Draw(t, "uid")}
		b := a
		switch rapid.IntRange(0, 3).Draw(t, "difference") {
		case 0:
			b[0] = label.Draw(t, "other namespace")
		case 1:
			b[1] = name.Draw(t, "other name")
		case 2:
			b[2] = uid.Draw(t, "other uid")
		default:
			// The likeliest to meet: the same letters, split elsewhere.
			b[0], b[1] = a[0]+"-"+a[0], a[1]
			a[1] = a[0] + "-" + a[1]
		}

		derived, other := DeriveName(a[0], a[1], a[2]), DeriveName(b[0], b[1], b[2])
		if err := ValidateName(derived); err != nil {
			t.Fatal(err)
		}
		if (a == b) != (derived == other) {
			t.Fatalf("%v is %q, and %v is %q", a, derived, b, other)
		}
	})
}

func TestValidateName(t *testing.T) {
	cases := map[string]struct {
		reason string
		name   string
		want   string
	}{
		"Good":     {reason: "Letters, digits, dots and hyphens are good.", name: "assets.example-2.com"},
		"Short":    {reason: "Two characters are too few.", name: "ab", want: `a bucket's name has 3 to 63 characters, and "ab" has 2`},
		"Empty":    {reason: "A name is needed.", name: "", want: `a bucket's name has 3 to 63 characters, and "" has 0`},
		"Upper":    {reason: "Upper case is not DNS's.", name: "Assets", want: `a bucket's name has lower case letters, digits, dots and hyphens alone, and "Assets" has others`},
		"Slash":    {reason: "A slash would name an object.", name: "a/../b", want: `a bucket's name has lower case letters, digits, dots and hyphens alone, and "a/../b" has others`},
		"Hyphen":   {reason: "No hyphen at an end.", name: "assets-", want: `a bucket's name begins and ends with a letter or a digit, and "assets-" does not`},
		"Dots":     {reason: "No empty label.", name: "a..b", want: `a bucket's name has no two dots side by side, and "a..b" has`},
		"Address":  {reason: "An address is no name.", name: "192.168.5.4", want: `a bucket's name is not an IP address, and "192.168.5.4" is`},
		"Prefix":   {reason: "AWS keeps some beginnings.", name: "xn--assets", want: `a bucket's name begins with none of xn--, sthree-, amzn-s3-demo-, and "xn--assets" does`},
		"Suffix":   {reason: "AWS keeps some endings.", name: "assets-s3alias", want: `a bucket's name ends with none of -s3alias, --ol-s3, .mrap, --x-s3, --table-s3, and "assets-s3alias" does`},
		"NoPrefix": {reason: "Only the beginning counts.", name: "my-xn--assets"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := ValidateName(tc.name); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nValidateName(%q): -want, +got:\n%s", tc.reason, tc.name, diff)
			}
		})
	}
}
