package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// certsCheckInterval is how often, at most, handshakes look whether the files have changed. Handshakes are rare
// (see Options.MaxConnectionAge); the limit is for a client that fails and comes again in a tight loop.
const certsCheckInterval = time.Second

// certFiles are the files of a Crossplane TLS Secret: the server's certificate and key, and the certificates
// that vouch for clients.
//
//nolint:gochecknoglobals // A constant, were there constant arrays.
var certFiles = [...]string{"tls.crt", "tls.key", "ca.crt"}

// stamps tell one version of the files from another without reading them.
type stamps [len(certFiles)]os.FileInfo

func (s stamps) equal(o stamps) bool {
	for i := range s {
		// The kubelet swaps a symbolic link, which gives another file, even where size and time are the same.
		if !os.SameFile(s[i], o[i]) || s[i].Size() != o[i].Size() || !s[i].ModTime().Equal(o[i].ModTime()) {
			return false
		}
	}
	return true
}

// certs holds the TLS configuration made from the files in a directory, and makes a new one when they change.
//
// It looks when a client connects and at no other time, so it needs no goroutine and no file watch, and an idle
// process does nothing. Connections live on with what they were admitted by until their age ends them. Files
// that cannot be used, such as those of a renewal half done, leave what was there in force and are logged once.
type certs struct {
	dir      string
	log      *slog.Logger
	interval time.Duration

	mu      sync.Mutex
	checked time.Time
	config  *tls.Config // made from the files that had the stamps seen
	seen    stamps
	failure string // why the files that are there now cannot be used, as it was logged
}

// newCerts loads the files in dir, which must be usable at start.
func newCerts(dir string, log *slog.Logger) (*certs, error) {
	c := &certs{dir: dir, log: log, interval: certsCheckInterval, checked: time.Now()}
	var err error
	if c.seen, err = stat(dir); err != nil {
		return nil, err
	}
	c.config, err = load(dir)
	return c, err
}

// serverConfig returns the configuration to listen with: it asks for the current one at each connection.
func (c *certs) serverConfig() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS13,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.current(), nil },
	}
}

// current returns the configuration that the files ask for now, or the last usable one.
func (c *certs) current() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()

	if time.Since(c.checked) < c.interval {
		return c.config
	}
	c.checked = time.Now()

	// The stamps are taken before the files are read: should the files change in between, the next look finds
	// other stamps and reads again.
	s, err := stat(c.dir)
	if err == nil && s.equal(c.seen) {
		c.failure = ""
		return c.config
	}
	var fresh *tls.Config
	if err == nil {
		fresh, err = load(c.dir)
	}
	if err != nil {
		// It is tried again at the next look, since what failed may not have been the files, but said only once.
		if err.Error() != c.failure {
			c.log.Error("Cannot use changed TLS certificates, keeping the old ones", "directory", c.dir, "error", err)
		}
		c.failure = err.Error()
		return c.config
	}
	c.log.Info("TLS certificates reloaded", "directory", c.dir)
	c.seen, c.config, c.failure = s, fresh, ""
	return c.config
}

// stat returns the stamps of the files in dir, and zero stamps with an error if one is missing.
func stat(dir string) (stamps, error) {
	var s stamps
	for i, name := range certFiles {
		fi, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return stamps{}, fmt.Errorf("cannot find %s: %w", name, err)
		}
		s[i] = fi
	}
	return s, nil
}

// load makes a configuration from the files in dir.
func load(dir string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, certFiles[0]), filepath.Join(dir, certFiles[1]))
	if err != nil {
		return nil, fmt.Errorf("cannot load tls.crt and tls.key: %w", err)
	}
	ca, err := os.ReadFile(filepath.Join(dir, certFiles[2]))
	if err != nil {
		return nil, fmt.Errorf("cannot read ca.crt: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("cannot find a certificate in ca.crt")
	}
	return &tls.Config{
		// Core's client asks for 1.2 or later and is written in Go, which has offered 1.3 since long before core
		// had functions.
		MinVersion:   tls.VersionTLS13,
		NextProtos:   []string{"h2"},
		Certificates: []tls.Certificate{pair},
		ClientCAs:    pool,
		ClientAuth:   tls.RequireAndVerifyClientCert,
		// A resumed session is not checked against ca.crt again, and core's client never resumes one.
		SessionTicketsDisabled: true,
	}, nil
}
