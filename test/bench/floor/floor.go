// Package floor serves functions that do nothing, which bound from below what a
// function can cost.
//
// Errors are wrapped with fmt, because importing crossplane-runtime would triple
// the memory of a server that is there to show how little one needs.
package floor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"my-operator.dev/echo/test/bench/raw"
)

// Flags are those of a server of this package. They are named as a function's.
type Flags struct {
	// Answers is a directory with one stored RunFunctionResponse for each
	// request, in a file named for the request's length in bytes and its
	// tag ("14044-A"). The length is the only thing that a server which
	// does not decode can tell requests by.
	Answers string

	address  string
	insecure bool
	certs    string
}

// ParseFlags reads the command line.
func ParseFlags() Flags {
	f := Flags{}
	flag.StringVar(&f.Answers, "answers", "", "directory of responses, each named LENGTH-TAG for its request")
	flag.StringVar(&f.address, "address", "127.0.0.1:9443", "address to serve on")
	flag.BoolVar(&f.insecure, "insecure", false, "serve without TLS")
	flag.StringVar(&f.certs, "tls-certs-dir", "", "directory of tls.crt, tls.key and ca.crt")
	flag.Parse()

	return f
}

// Read calls add with each stored answer and the name of its file.
func (f Flags) Read(add func(name string, answer []byte) error) error {
	entries, err := os.ReadDir(f.Answers)
	if err != nil {
		return fmt.Errorf("cannot list answers: %w", err)
	}

	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(f.Answers, e.Name()))
		if err != nil {
			return fmt.Errorf("cannot read an answer: %w", err)
		}

		if err := add(e.Name(), b); err != nil {
			return fmt.Errorf("cannot use answer %q: %w", e.Name(), err)
		}
	}

	return nil
}

// Serve serves what register registers, until the process is ended.
func (f Flags) Serve(register func(*grpc.Server), o ...grpc.ServerOption) error {
	if !f.insecure {
		c, err := mutualTLS(f.certs)
		if err != nil {
			return fmt.Errorf("cannot load certificates: %w", err)
		}

		o = append(o, grpc.Creds(credentials.NewTLS(c)))
	}

	l, err := net.Listen("tcp", f.address)
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}

	s := grpc.NewServer(append(o, grpc.MaxRecvMsgSize(raw.MaxMessage))...)
	register(s)

	if err := s.Serve(l); err != nil {
		return fmt.Errorf("cannot serve: %w", err)
	}

	return nil
}

func mutualTLS(dir string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	if err != nil {
		return nil, err
	}

	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return nil, err
	}

	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("ca.crt holds no certificate")
	}

	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{pair},
		ClientCAs:    pool,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}, nil
}
