package server

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An authority signs the certificates of a test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := certificate(name)
	tmpl.IsCA, tmpl.BasicConstraintsValid, tmpl.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert: cert, key: key, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

// issue returns a certificate and its key in PEM, good for a server on localhost and for a client.
func (a *authority) issue(t *testing.T, name string) (cert, key []byte) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate(name), a.cert, k.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	b, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: b})
}

// client returns the TLS configuration of a client that this authority vouches for, and that trusts server's.
func (a *authority) client(t *testing.T, name string, server *authority) *tls.Config {
	t.Helper()
	pair, err := tls.X509KeyPair(a.issue(t, name))
	if err != nil {
		t.Fatal(err)
	}
	c := server.stranger()
	c.Certificates = []tls.Certificate{pair}
	return c
}

// stranger returns the TLS configuration of a client that trusts this authority but has no certificate.
func (a *authority) stranger() *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return &tls.Config{RootCAs: pool, ServerName: "localhost", MinVersion: tls.VersionTLS12}
}

func certificate(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62))
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		DNSNames:     []string{"localhost"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

// A secretVolume is a directory kept as the kubelet keeps a mounted Secret: the files are links through one link
// to a directory of the current version, and an update is a swap of that one link.
type secretVolume struct {
	dir     string
	version int
}

func newSecretVolume(t *testing.T, files map[string][]byte) *secretVolume {
	t.Helper()
	v := &secretVolume{dir: t.TempDir()}
	v.update(t, files)
	for name := range files {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(v.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

func (v *secretVolume) update(t *testing.T, files map[string][]byte) {
	t.Helper()
	v.version++
	data := "..v" + string(rune('0'+v.version))
	if err := os.Mkdir(filepath.Join(v.dir, data), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(v.dir, data, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(data, filepath.Join(v.dir, "..data_tmp")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(v.dir, "..data_tmp"), filepath.Join(v.dir, "..data")); err != nil {
		t.Fatal(err)
	}
}

// secret returns the content of a Crossplane TLS Secret for a server.
func (a *authority) secret(t *testing.T) map[string][]byte {
	t.Helper()
	cert, key := a.issue(t, "function-echo")
	return map[string][]byte{"tls.crt": cert, "tls.key": key, "ca.crt": a.pem}
}

func TestCertsReload(t *testing.T) {
	ca := newAuthority(t, "first")
	good := ca.secret(t)
	other := ca.secret(t)

	without := func(name string) map[string][]byte {
		files := ca.secret(t)
		delete(files, name)
		return files
	}
	with := func(name string, content []byte) map[string][]byte {
		files := ca.secret(t)
		files[name] = content
		return files
	}

	cases := map[string]struct {
		reason   string
		update   map[string][]byte // nil to leave the files as they are
		reloaded bool
		failed   int // lines logged at error
	}{
		"Unchanged":     {reason: "Files that stay as they are not read again.", update: nil},
		"Renewed":       {reason: "A renewed certificate is taken up.", update: other, reloaded: true},
		"WrongKey":      {reason: "A key of another certificate leaves the old pair in force.", update: with("tls.key", good["tls.key"]), failed: 1},
		"NotPEM":        {reason: "A certificate that is none leaves the old one in force.", update: with("tls.crt", []byte("x")), failed: 1},
		"NoAuthorities": {reason: "Without an authority no client could be verified.", update: with("ca.crt", nil), failed: 1},
		"Missing":       {reason: "A file that is gone leaves the old ones in force.", update: without("ca.crt"), failed: 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			v := newSecretVolume(t, good)
			log := &bytes.Buffer{}
			c, err := newCerts(v.dir, slog.New(slog.NewTextHandler(log, nil)))
			if err != nil {
				t.Fatal(err)
			}
			c.interval = 0
			before := c.current()
			if tc.update != nil {
				v.update(t, tc.update)
			}
			after := c.current()
			c.current() // Looks again, and must have nothing new to say.

			if got := before != after; got != tc.reloaded {
				t.Errorf("%s\nreloaded: want %t, got %t", tc.reason, tc.reloaded, got)
			}
			if got := strings.Count(log.String(), "level=ERROR"); got != tc.failed {
				t.Errorf("%s\nlines at error: want %d, got %d: %s", tc.reason, tc.failed, got, log)
			}

			v.update(t, ca.secret(t))
			if c.current() == after {
				t.Error("Usable files that follow must be taken up, whatever came before.")
			}
		})
	}
}

func TestCertsInterval(t *testing.T) {
	ca := newAuthority(t, "first")
	v := newSecretVolume(t, ca.secret(t))
	c, err := newCerts(v.dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	c.interval = time.Hour
	before := c.current()
	v.update(t, ca.secret(t))
	if c.current() != before {
		t.Error("Files must not be looked at again before the interval is over.")
	}
}
