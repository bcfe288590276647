package controlplane

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// validity of every certificate. A demo may stay up for months; nothing here
// outlives the machine's need for it.
const validity = 365 * 24 * time.Hour

// An authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  crypto.Signer
	// pem is the certificate, PEM encoded.
	pem []byte
}

// A pair is a PEM encoded certificate with its private key.
type pair struct {
	cert, key []byte
}

// newAuthority makes a self-signed authority.
func newAuthority(name string) (authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return authority{}, errors.Wrap(err, "cannot generate the key of an authority")
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Minute),
		NotAfter:              time.Now().Add(validity),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return authority{}, errors.Wrap(err, "cannot sign the certificate of an authority")
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return authority{}, errors.Wrap(err, "cannot parse the certificate of an authority")
	}
	return authority{cert: cert, key: key, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// parseAuthority reads the pair that Crossplane's initializer leaves in its root
// CA Secret: a PKCS#1 key and a certificate.
func parseAuthority(p pair) (authority, error) {
	keyBlock, _ := pem.Decode(p.key)
	certBlock, _ := pem.Decode(p.cert)
	if keyBlock == nil || certBlock == nil {
		return authority{}, errors.New("authority is not PEM encoded")
	}
	key, err := x509.ParsePKCS1PrivateKey(keyBlock.Bytes)
	if err != nil {
		return authority{}, errors.Wrap(err, "cannot parse the key of the authority")
	}
	cert, err := x509.ParseCertificate(certBlock.Bytes)
	if err != nil {
		return authority{}, errors.Wrap(err, "cannot parse the certificate of the authority")
	}
	return authority{cert: cert, key: key, pem: p.cert}, nil
}

// issue signs a certificate that serves as server and client alike. DNS names
// and IP addresses are what a server is dialled by; organizations are the groups
// of a Kubernetes user.
func (a authority) issue(name string, organizations, hosts []string) (pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair{}, errors.Wrapf(err, "cannot generate a key for %s", name)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name, Organization: organizations},
		NotBefore:    time.Now().Add(-time.Minute),
		NotAfter:     time.Now().Add(validity),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, h)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return pair{}, errors.Wrapf(err, "cannot sign a certificate for %s", name)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return pair{}, errors.Wrapf(err, "cannot encode the key of %s", name)
	}
	return pair{
		cert: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		key:  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}),
	}, nil
}

// write writes the pair to base.crt and base.key.
func (p pair) write(base string) error {
	if err := os.WriteFile(base+".crt", p.cert, 0o600); err != nil {
		return errors.Wrap(err, "cannot write a certificate")
	}
	return errors.Wrap(os.WriteFile(base+".key", p.key, 0o600), "cannot write a key")
}
