package s3

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
)

// defaultRegion is what servers other than AWS's expect where none is set. MinIO and versitygw both start with it.
const defaultRegion = "us-east-1"

// A Connection is all that a Client is made from. It prints without its secrets.
type Connection struct {
	// Endpoint is a URL of scheme http or https, such as https://s3.example.com:9000. Empty is AWS's own for Region.
	Endpoint string
	// Region is the one that requests are signed for. Default: us-east-1, where Endpoint is given; else it is required.
	Region string
	// PathStyle puts the bucket into the path rather than into the host's name.
	PathStyle bool
	// CABundle holds certificates in PEM that are trusted beside the system's. Default: none.
	CABundle []byte
	// Credentials say as whom to speak.
	Credentials Credentials
}

// Credentials are either those of the environment, or a pair of keys.
type Credentials struct {
	// Environment asks for what the process finds: environment variables, a web identity, a container's or a machine's role.
	Environment bool
	// AccessKeyID and SecretAccessKey are required unless Environment is set. SessionToken is for temporary keys.
	AccessKeyID, SecretAccessKey, SessionToken string
}

// Digest is the same for equal connections, and differs for those that differ in anything, secrets too.
func (c Connection) Digest() [sha256.Size]byte {
	h := sha256.New()
	put(h, "connection", c.Endpoint, c.Region, strconv.FormatBool(c.PathStyle), string(c.CABundle))
	put(h, strconv.FormatBool(c.Credentials.Environment), c.Credentials.AccessKeyID, c.Credentials.SecretAccessKey, c.Credentials.SessionToken)
	return [sha256.Size]byte(h.Sum(nil))
}

// put writes each string with its length before it, so that no two lists of strings are written alike.
func put(h hash.Hash, parts ...string) {
	for _, p := range parts {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		_, _ = io.WriteString(h, p)
	}
}

// normal returns the connection with its defaults filled in, or says what is wrong with it.
func (c Connection) normal() (Connection, error) {
	if c.Endpoint == "" && c.Region == "" {
		return c, &Error{Class: Invalid, words: "the connection has neither an endpoint nor a region; set one of them"}
	}
	if c.Region == "" {
		c.Region = defaultRegion
	}
	if c.Endpoint != "" {
		u, err := url.Parse(c.Endpoint)
		// An error of url.Parse repeats the whole text, which may have a password in it.
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			return c, &Error{Class: Invalid, words: "the endpoint is not a URL such as https://s3.example.com"}
		}
		if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return c, &Error{Class: Invalid, words: "the endpoint has a user, a query or a fragment; leave them out"}
		}
		c.Endpoint = strings.TrimRight(u.String(), "/")
	}
	k := c.Credentials
	switch {
	case k.Environment && (k.AccessKeyID != "" || k.SecretAccessKey != "" || k.SessionToken != ""):
		return c, &Error{Class: BadCredentials, words: "credentials are given both as keys and as those of the environment"}
	case !k.Environment && (k.AccessKeyID == "" || k.SecretAccessKey == ""):
		return c, &Error{Class: BadCredentials, words: "the access key ID or the secret access key is missing"}
	}
	return c, nil
}

// String names the connection, without its secrets.
func (c Connection) String() string {
	endpoint := c.Endpoint
	if u, err := url.Parse(endpoint); err == nil {
		endpoint = u.Redacted()
	}
	return fmt.Sprintf("{Endpoint:%s Region:%s PathStyle:%t CABundle:%d bytes Credentials:%s}", endpoint, c.Region, c.PathStyle, len(c.CABundle), c.Credentials)
}

// Format writes String, whatever the verb.
func (c Connection) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// LogValue is String.
func (c Connection) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText is String, so that encoders cannot see the fields.
func (c Connection) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// String says where the credentials come from.
func (c Credentials) String() string {
	switch {
	case c.Environment:
		return "environment"
	case c == Credentials{}:
		return "none"
	}
	return "redacted"
}

// Format writes String, whatever the verb.
func (c Credentials) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// LogValue is String.
func (c Credentials) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText is String, so that encoders cannot see the fields.
func (c Credentials) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
