package controlplane

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Files below the PKI directory.
const (
	filePKIServing = "serving" // .crt and .key of every server.
	filePKIClient  = "admin"   // .crt and .key of the administrator.
	filePKISA      = "sa"      // .key and .crt that sign service account tokens.
	filePKICA      = "ca.crt"
)

// groupMasters is bound to cluster-admin by the API server itself.
const groupMasters = "system:masters"

// A pki holds the credentials of one control plane. No other one accepts them.
type pki struct {
	ca authority
	// client presents the administrator's certificate and trusts ca.
	client *http.Client
	// admin is the administrator's certificate.
	admin pair
}

// newPKI makes the credentials and writes those that servers read from files.
func newPKI(w workDir) (pki, error) {
	ca, err := newAuthority("echo-controlplane")
	if err != nil {
		return pki{}, err
	}
	p := pki{ca: ca}
	serving, err := ca.issue("localhost", nil, []string{"localhost", "127.0.0.1", "kubernetes.default.svc", "10.96.0.1"})
	if err != nil {
		return pki{}, err
	}
	tokens, err := ca.issue("service-accounts", nil, nil)
	if err != nil {
		return pki{}, err
	}
	if p.admin, err = ca.issue("admin", []string{groupMasters}, nil); err != nil {
		return pki{}, err
	}
	for name, pair := range map[string]pair{filePKIServing: serving, filePKISA: tokens, filePKIClient: p.admin} {
		if err := pair.write(w.join(dirPKI, name)); err != nil {
			return pki{}, err
		}
	}
	if err := os.WriteFile(w.join(dirPKI, filePKICA), ca.pem, 0o600); err != nil {
		return pki{}, errors.Wrap(err, "cannot write the certificate authority")
	}

	cert, err := tls.X509KeyPair(p.admin.cert, p.admin.key)
	if err != nil {
		return pki{}, errors.Wrap(err, "cannot use the administrator's certificate")
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca.cert)
	p.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12},
		// Health is asked for rarely, and of servers that restart.
		DisableKeepAlives: true,
	}}
	return p, nil
}

// writeKubeconfig writes a kubeconfig for one user and namespace.
func writeKubeconfig(path string, c *rest.Config, namespace string) error {
	k := api.NewConfig()
	k.Clusters["echo"] = &api.Cluster{Server: c.Host, CertificateAuthorityData: c.CAData}
	k.AuthInfos["user"] = &api.AuthInfo{ClientCertificateData: c.CertData, ClientKeyData: c.KeyData, Token: c.BearerToken}
	k.Contexts["echo"] = &api.Context{Cluster: "echo", AuthInfo: "user", Namespace: namespace}
	k.CurrentContext = "echo"
	return errors.Wrapf(clientcmd.WriteToFile(*k, path), "cannot write kubeconfig %s", path)
}

// certificateConfig returns a client configuration for a user known by a
// certificate.
func certificateConfig(host string, ca authority, p pair) *rest.Config {
	return &rest.Config{Host: host, TLSClientConfig: rest.TLSClientConfig{CAData: ca.pem, CertData: p.cert, KeyData: p.key}}
}

// tokenConfig returns a client configuration for a service account's token.
func tokenConfig(host string, ca authority, token string) *rest.Config {
	return &rest.Config{Host: host, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: ca.pem}}
}
