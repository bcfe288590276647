package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// clientCredentials are what a client of a server with mutual TLS needs.
type clientCredentials struct{ config *tls.Config }

// writeCertificates writes a server's tls.crt, tls.key and ca.crt to dir, and
// returns what a client of it needs. Keys are RSA of 2048 bits, as those are that
// Crossplane makes for functions.
func writeCertificates(dir string) (clientCredentials, error) {
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bench-ca"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}

	caKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return clientCredentials{}, err
	}

	der, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return clientCredentials{}, err
	}

	caPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})

	var pairs [2]tls.Certificate

	for i, usage := range []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return clientCredentials{}, err
		}

		leaf, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
			SerialNumber: big.NewInt(int64(i) + 2), Subject: pkix.Name{CommonName: "bench"},
			NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
			DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{usage},
		}, ca, key.Public(), caKey)
		if err != nil {
			return clientCredentials{}, err
		}

		certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf})
		keyPEM := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})

		if pairs[i], err = tls.X509KeyPair(certPEM, keyPEM); err != nil {
			return clientCredentials{}, err
		}

		if i > 0 {
			break // The client's pair stays in memory.
		}

		for name, content := range map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM, "ca.crt": caPEM} {
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				return clientCredentials{}, err
			}
		}
	}

	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(caPEM)

	return clientCredentials{&tls.Config{
		MinVersion: tls.VersionTLS13, RootCAs: roots, ServerName: "localhost", Certificates: pairs[1:],
	}}, nil
}
