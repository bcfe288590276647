package s3

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"syscall"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// unreachable puts a transport's failure in plain words. What the system says is not repeated: it has ports and addresses
// in it that change from one call to the next.
func unreachable(site string, err error) *Error {
	if why := untrusted(err); why != "" {
		return &Error{Class: Untrusted, cause: err, words: "no trusted connection to " + site + ": " + why}
	}
	return &Error{Class: Unreachable, cause: err, words: site + " cannot be reached: " + unreachableWhy(err)}
}

func unreachableWhy(err error) string {
	var dns *net.DNSError
	var dialing dialError
	var timeout net.Error
	switch {
	case errors.Is(err, errLinkLocal):
		return errLinkLocal.Error()
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return "its name does not resolve"
		}
		return "the resolver of names does not answer"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no route to it"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer to the attempt to connect"
	case errors.As(err, &dialing):
		return "no connection can be made"
	default:
		return "it breaks off the connection"
	}
}

// untrusted says why TLS failed, or "" if it is something else that did.
func untrusted(err error) string {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		name         x509.HostnameError
		invalid      x509.CertificateInvalidError
		record       tls.RecordHeaderError
		op           *net.OpError
	)
	switch {
	case errors.As(err, &authority):
		return "its certificate is signed by an unknown authority; give the CA bundle"
	case errors.As(err, &name):
		return "its certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired or is not valid yet"
	case errors.As(err, &invalid), errors.As(err, &verification):
		return "its certificate is not valid"
	case errors.As(err, &record):
		return "it does not speak TLS; is the endpoint one of http?"
	case errors.As(err, &op) && op.Op == "remote error":
		return "it refuses the TLS handshake"
	default:
		return ""
	}
}
