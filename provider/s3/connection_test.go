package s3

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func connectionOf(change func(*Connection)) Connection {
	c := Connection{
		Endpoint:    "https://s3.example.com:9000",
		Region:      "eu-north-1",
		PathStyle:   true,
		CABundle:    []byte("a bundle"),
		Credentials: Credentials{AccessKeyID: "id-that-is-secret", SecretAccessKey: "key-that-is-secret", SessionToken: "token-that-is-secret"},
	}
	change(&c)
	return c
}

func TestDigest(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*Connection)
		same   bool
	}{
		"Equal":       {"Equal connections share a client, whoever made them.", func(c *Connection) { c.CABundle = []byte("a bundle") }, true},
		"Endpoint":    {"Another server needs another client.", func(c *Connection) { c.Endpoint += "0" }, false},
		"Region":      {"The region is signed.", func(c *Connection) { c.Region = "" }, false},
		"PathStyle":   {"The style decides about hosts.", func(c *Connection) { c.PathStyle = false }, false},
		"CABundle":    {"Trust is not shared.", func(c *Connection) { c.CABundle = nil }, false},
		"Environment": {"The environment is another identity.", func(c *Connection) { c.Credentials = Credentials{Environment: true} }, false},
		"Secret":      {"A rotated key is another one.", func(c *Connection) { c.Credentials.SecretAccessKey += "2" }, false},
		"Shifted": {"Fields do not run into each other.", func(c *Connection) {
			c.Credentials.AccessKeyID += c.Credentials.SecretAccessKey[:1]
			c.Credentials.SecretAccessKey = c.Credentials.SecretAccessKey[1:]
		}, false},
	}
	want := connectionOf(func(*Connection) {}).Digest()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.same, connectionOf(tc.change).Digest() == want); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	c := connectionOf(func(c *Connection) { c.Endpoint = "https://user:password-that-is-secret@s3.example.com" })
	type holder struct {
		Connection  Connection
		Credentials *Credentials
		Any         any
	}
	h := holder{c, &c.Credentials, []Connection{c}}
	client, err := newClients(t, Options{}).For(t.Context(), connectionOf(func(c *Connection) { c.CABundle = nil }))
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]string{}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		printed["fmt "+verb] = fmt.Sprintf(strings.Repeat(verb+" ", 7), c, &c, c.Credentials, &c.Credentials, h, &h, client)
	}
	encoded, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	printed["json"] = string(encoded)
	encoded, err = json.Marshal(map[string]any{"c": c, "k": c.Credentials})
	if err != nil {
		t.Fatal(err)
	}
	printed["json of a map"] = string(encoded)
	out := strings.Builder{}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("about to connect", "connection", c, "credentials", c.Credentials, "holder", h, "client", client)
	}
	printed["slog"] = out.String()

	for name, text := range printed {
		if strings.Contains(text, "that-is-secret") {
			t.Errorf("%s prints a secret: %s", name, text)
		}
		if strings.Contains(text, fmt.Sprintf("%x", "that-is-secret")) {
			t.Errorf("%s prints a secret in hexadecimal: %s", name, text)
		}
	}
	if diff := cmp.Diff("{Endpoint:https://s3.example.com:9000 Region:eu-north-1 PathStyle:true CABundle:8 bytes Credentials:redacted}", fmt.Sprint(connectionOf(func(*Connection) {}))); diff != "" {
		t.Errorf("What is not secret shows.\n-want, +got:\n%s", diff)
	}
}

func TestConnectionIsRefused(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*Connection)
		class  Class
		words  string
	}{
		"Nowhere":  {"Either says where to go.", func(c *Connection) { c.Endpoint, c.Region = "", "" }, Invalid, "the connection has neither an endpoint nor a region; set one of them"},
		"Scheme":   {"Only these can be spoken.", func(c *Connection) { c.Endpoint = "ftp://s3.example.com" }, Invalid, "the endpoint is not a URL such as https://s3.example.com"},
		"NoScheme": {"A host alone is ambiguous.", func(c *Connection) { c.Endpoint = "s3.example.com:9000" }, Invalid, "the endpoint is not a URL such as https://s3.example.com"},
		"NoHost":   {"A host is needed.", func(c *Connection) { c.Endpoint = "https:///x" }, Invalid, "the endpoint is not a URL such as https://s3.example.com"},
		"Control":  {"The text of the URL is not repeated.", func(c *Connection) { c.Endpoint = "https://a:hidden@b\n" }, Invalid, "the endpoint is not a URL such as https://s3.example.com"},
		"User":     {"Credentials belong elsewhere.", func(c *Connection) { c.Endpoint = "https://a:b@s3.example.com" }, Invalid, "the endpoint has a user, a query or a fragment; leave them out"},
		"Query":    {"It would be lost.", func(c *Connection) { c.Endpoint = "https://s3.example.com/?a=b" }, Invalid, "the endpoint has a user, a query or a fragment; leave them out"},
		"Bundle":   {"A bundle that says nothing is a mistake.", func(*Connection) {}, Invalid, "the CA bundle holds no certificate in PEM"},
		"Region": {"A region must not become another host.", func(c *Connection) { c.Endpoint, c.Region = "", "x.evil.example.com/#" }, Invalid,
			"the region is not one of AWS: correct it, or set an endpoint"},
		"NoKeys": {"An emptied Secret is told apart from a wrong one.", func(c *Connection) { c.Credentials = Credentials{AccessKeyID: "a"} }, BadCredentials,
			"the access key ID or the secret access key is missing"},
		"Both": {"One of them would not be used.", func(c *Connection) { c.Credentials.Environment = true }, BadCredentials,
			"credentials are given both as keys and as those of the environment"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := newClients(t, Options{}).For(t.Context(), connectionOf(tc.change))
			if diff := cmp.Diff(tc.words, fmt.Sprint(err)); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.class, ClassOf(err)); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
