package controlplane

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Names of S3 servers, for Options.S3 and for everything that takes the name of a
// component. Those with TLS have a certificate of an authority of their own, which
// nothing else trusts, and stand in another region.
const (
	Versitygw    = "versitygw"
	VersitygwTLS = "versitygw-tls"
	MinIO        = "minio"
	MinIOTLS     = "minio-tls"
)

// Identity APIs of S3 servers, by the names that a ProviderConfig has for them.
const (
	IdentityVersitygw = "Versitygw"
	IdentityMinIO     = "MinIO"
)

// Regions of the servers. In us-east-1 a bucket is made without naming the
// region, elsewhere by naming it.
const (
	regionPlain = "us-east-1"
	regionTLS   = "eu-north-1"
)

// An S3Server is a running S3 server, and how to reach it as its administrator.
type S3Server struct {
	// Name is one of the constants.
	Name string
	// Endpoint is a URL on loopback without a path. Buckets are addressed by
	// path.
	Endpoint string
	// Region that requests are to be signed for.
	Region string
	// AccessKey and SecretKey of the administrator, made when the control plane
	// starts.
	AccessKey, SecretKey string
	// Identity is the API by which users are made, at the same endpoint.
	Identity string
	// CABundle holds the authority that signed the server's certificate, PEM
	// encoded, and CAFile is a file of it. Empty without TLS.
	CABundle []byte
	CAFile   string
	// EncryptionKey is the name of the key that objects can be encrypted with by
	// aws:kms. Empty where the server has no encryption.
	EncryptionKey string
}

// Environment returns the variables that SDKs and command line tools read.
func (s S3Server) Environment() []string {
	env := []string{
		"AWS_ENDPOINT_URL_S3=" + s.Endpoint,
		"AWS_REGION=" + s.Region,
		"AWS_ACCESS_KEY_ID=" + s.AccessKey,
		"AWS_SECRET_ACCESS_KEY=" + s.SecretKey,
	}
	if s.CAFile != "" {
		env = append(env, "AWS_CA_BUNDLE="+s.CAFile)
	}
	return env
}

// StartS3 starts the S3 servers of the options, and nothing else: for tests that
// need no Kubernetes. The methods that need one must not be called on what it
// returns.
func StartS3(ctx context.Context, o Options) (*ControlPlane, error) {
	return begin(ctx, o, (*ControlPlane).startS3)
}

// S3 returns a server that the options name.
func (cp *ControlPlane) S3(name string) (S3Server, error) {
	for _, s := range cp.s3 {
		if s.Name == name {
			return s, nil
		}
	}
	return S3Server{}, errors.Errorf("no S3 server is named %q: Options.S3 names those that are started", name)
}

// startS3 starts the S3 servers side by side.
func (cp *ControlPlane) startS3(ctx context.Context) error {
	processes := make([]*process, 0, len(cp.options.S3))
	for _, name := range cp.options.S3 {
		s, p, err := cp.s3Server(name)
		if err != nil {
			return errors.Wrapf(err, "cannot prepare S3 server %s", name)
		}
		cp.s3, processes = append(cp.s3, s), append(processes, p)
	}
	return cp.startStage(ctx, processes...)
}

func (cp *ControlPlane) s3Server(name string) (S3Server, *process, error) {
	port, err := cp.ports.take()
	if err != nil {
		return S3Server{}, nil, err
	}
	dir := cp.dir.join(dirS3, name)
	certs := filepath.Join(dir, "certificates")
	if err := os.MkdirAll(certs, 0o700); err != nil {
		return S3Server{}, nil, errors.Wrap(err, "cannot make its directory")
	}
	s := S3Server{
		Name: name, Endpoint: "http://" + loopback(port), Region: regionPlain,
		// MinIO takes access keys of 3 to 20 characters and secrets of 8 to 40.
		AccessKey: "admin" + rand.Text()[:12], SecretKey: rand.Text(),
	}
	if slices.Contains([]string{VersitygwTLS, MinIOTLS}, name) {
		s.Endpoint, s.Region = "https://"+loopback(port), regionTLS
		if s.CABundle, err = writeServing(certs); err != nil {
			return S3Server{}, nil, err
		}
		s.CAFile = filepath.Join(certs, fileCA)
	}
	client, err := trusting(s.CABundle)
	if err != nil {
		return S3Server{}, nil, err
	}
	switch name {
	case Versitygw, VersitygwTLS:
		p, err := cp.versitygw(&s, dir, loopback(port))
		if err == nil {
			p.healthy = answers(client, s.Endpoint+versitygwHealth)
		}
		return s, p, err
	case MinIO, MinIOTLS:
		p, err := cp.minio(&s, dir, loopback(port))
		if err == nil {
			// Unlike live, this waits for the users to be read.
			p.healthy = answers(client, s.Endpoint+"/minio/health/cluster")
		}
		return s, p, err
	default:
		return S3Server{}, nil, errors.Errorf("there is no such server: choose among %v", []string{Versitygw, VersitygwTLS, MinIO, MinIOTLS})
	}
}

// versitygwHealth is a path that no bucket can have: names of buckets have three
// characters at least.
const versitygwHealth = "/-/"

func (cp *ControlPlane) versitygw(s *S3Server, dir, address string) (*process, error) {
	data, versions, metadata, users := filepath.Join(dir, "data"), filepath.Join(dir, "versions"), filepath.Join(dir, "metadata"), filepath.Join(dir, "users")
	if err := makeDirectories(data, versions, metadata, users); err != nil {
		return nil, err
	}
	args := []string{"--port", address, "--region", s.Region, "--health", versitygwHealth, "--iam-dir", users, "--quiet"}
	if s.CAFile != "" {
		certs := filepath.Dir(s.CAFile)
		args = append(args, "--cert", filepath.Join(certs, filePublic), "--key", filepath.Join(certs, filePrivate))
	}
	// Extended attributes, where metadata is by default, cannot be had in every
	// file system, and some hold no more than 4 KiB for all that a bucket has.
	p := cp.newProcess(s.Name, toolVersitygw, append(args, "posix", "--sidecar", metadata, "--versioning-dir", versions, data)...)
	p.env = append(p.env, "ROOT_ACCESS_KEY_ID="+s.AccessKey, "ROOT_SECRET_ACCESS_KEY="+s.SecretKey)
	s.Identity = IdentityVersitygw
	return p, nil
}

func (cp *ControlPlane) minio(s *S3Server, dir, address string) (*process, error) {
	const keyName = "echo"
	data := filepath.Join(dir, "data")
	if err := makeDirectories(data); err != nil {
		return nil, err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // It never fails.
	// The directory of certificates has none unless the server is to use TLS.
	p := cp.newProcess(s.Name, toolMinIO, "server", "--quiet", "--address", address, "--certs-dir", filepath.Join(dir, "certificates"), data)
	p.env = append(p.env,
		"MINIO_ROOT_USER="+s.AccessKey, "MINIO_ROOT_PASSWORD="+s.SecretKey, "MINIO_SITE_REGION="+s.Region,
		// Users and settings are encrypted with this key too, so that it stays
		// the same for as long as the data.
		fmt.Sprintf("MINIO_KMS_SECRET_KEY=%s:%s", keyName, base64.StdEncoding.EncodeToString(key)),
		// It serves no pages, asks nobody for a newer version, and may keep its
		// data on the disk of the operating system.
		"MINIO_BROWSER=off", "MINIO_UPDATE=off", "MINIO_CI_CD=1",
	)
	s.Identity, s.EncryptionKey = IdentityMinIO, keyName
	return p, nil
}

func makeDirectories(paths ...string) error {
	for _, path := range paths {
		if err := os.Mkdir(path, 0o700); err != nil {
			return errors.Wrap(err, "cannot make a directory of the server")
		}
	}
	return nil
}

// Files of a server with TLS, by the names that MinIO looks for.
const (
	filePublic  = "public.crt"
	filePrivate = "private.key"
	fileCA      = "ca.crt"
)

// writeServing makes an authority and a server's certificate, writes them to dir,
// and returns the authority's certificate.
func writeServing(dir string) ([]byte, error) {
	ca, err := newAuthority("echo-s3")
	if err != nil {
		return nil, err
	}
	serving, err := ca.issue("localhost", nil, []string{"localhost", "127.0.0.1"})
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{filePublic: serving.cert, filePrivate: serving.key, fileCA: ca.pem} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, errors.Wrapf(err, "cannot write %s", name)
		}
	}
	return ca.pem, nil
}

// trusting returns a client that trusts a bundle of authorities and nobody else.
func trusting(bundle []byte) (*http.Client, error) {
	roots := x509.NewCertPool()
	if len(bundle) > 0 && !roots.AppendCertsFromPEM(bundle) {
		return nil, errors.New("the bundle of authorities holds none")
	}
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		// Health is asked for rarely, and of servers that restart.
		DisableKeepAlives: true,
	}}, nil
}
