package provider

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

// TestTLS connects to a server whose certificate only its own authority vouches for. It
// stands in another region than the others, and one such server is enough.
func TestTLS(t *testing.T) {
	t.Parallel()

	tm := newTeam(t, tlsServer, "")
	untrusted := fmt.Sprintf("no trusted connection to %s: its certificate is signed by an unknown authority; give the CA bundle", tlsServer.Endpoint)
	plain := servers[controlplane.Versitygw]

	cases := map[string]struct {
		reason string
		change func(c *providerv1beta1.Connection)
		want   string
	}{
		"Bundle": {
			reason: "The bundle in the config is trusted.",
			change: func(*providerv1beta1.Connection) {},
		},
		"NoBundle": {
			reason: "Nobody else vouches for the server.",
			change: func(c *providerv1beta1.Connection) { c.CABundle = "" },
			want:   untrusted,
		},
		"OtherBundle": {
			reason: "Another authority's bundle does not help.",
			change: func(c *providerv1beta1.Connection) { c.CABundle = otherAuthority(t) },
			want:   untrusted,
		},
		"BrokenBundle": {
			reason: "What is no bundle is said to be none.",
			change: func(c *providerv1beta1.Connection) { c.CABundle = "-----BEGIN NONSENSE-----" },
			want:   "CA bundle",
		},
		"NoTLS": {
			reason: "A server without TLS is no server with it.",
			change: func(c *providerv1beta1.Connection) {
				c.Endpoint = strings.Replace(plain.Endpoint, "http://", "https://", 1)
			},
			want: "it does not speak TLS; is the endpoint one of http?",
		},
		"WrongRegion": {
			reason: "The server says that its region is another.",
			change: func(c *providerv1beta1.Connection) { c.Region = "us-east-1" },
			want:   "the region is not that of the bucket or of the server: set the right one",
		},
		"NoServer": {
			reason: "Nobody listens there.",
			change: func(c *providerv1beta1.Connection) { c.Endpoint, c.CABundle = "http://127.0.0.1:1", "" },
			want:   "http://127.0.0.1:1 cannot be reached: connection refused",
		},
	}
	for name, tc := range cases {
		tm.sub(name, func(t *team) {
			c := t.server.connection()
			tc.change(&c)
			b := t.bucket(unfitted(name), parameters{}, with(t.allow(t.tenant.Namespace+"-"+unfitted(name), c)))
			if tc.want != "" {
				t.refused(b, tc.want)
				return
			}

			a := t.access(unfitted(name), b.GetName(), grant{}, func(a *access) { a.Spec.ProviderConfigReference = b.Spec.ProviderConfigReference })
			t.ready(b)
			t.ready(a)
			keys, _ := t.keys(a)
			if err := writes("a")(t, keys, meta.GetExternalName(b)); err != nil {
				t.Errorf("\n%s\nwith the keys: %v", tc.reason, err)
			}
		})
	}
}

// otherAuthority is the certificate of an authority that vouches for nobody.
func otherAuthority(t *testing.T) string {
	t.Helper()

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "other"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}

	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
