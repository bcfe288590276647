package config

import (
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/apis/provider/v1beta1"
)

// Values of the list of endpoints that are no hosts.
const (
	anyEndpoint = "any"
	noEndpoint  = "none"
)

// awsDomain is what AWS's own endpoints end in.
const awsDomain = "amazonaws.com"

var (
	// label is what a region must look like to be part of a host's name.
	label = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

	// hostPattern and portPattern are what is allowed may be written as.
	hostPattern = regexp.MustCompile(`^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	portPattern = regexp.MustCompile(`^[0-9]{0,5}$`)
)

// Endpoints are those that the ProviderConfigs of tenants may name. The zero value
// has none.
type Endpoints struct {
	any   bool
	hosts []hostPort
}

// hostPort is one allowed host. A host that begins with "*." is all that end in the
// rest. Without a port it is 80 or 443.
type hostPort struct {
	host, port string
}

// ParseEndpoints reads a list of hosts, separated by commas: "s3.example.com",
// "s3.example.com:9000", "*.example.com", "[::1]:9000". "any" allows every one,
// "none" and nothing allow none. AWS's own are allowed by "*.amazonaws.com".
func ParseEndpoints(list string) (Endpoints, error) {
	var out Endpoints

	for item := range strings.SplitSeq(list, ",") {
		item = strings.ToLower(strings.TrimSpace(item))

		switch item {
		case "", noEndpoint:
			continue
		case anyEndpoint:
			out.any = true
			continue
		}

		host, port := item, ""
		if h, p, err := net.SplitHostPort(item); err == nil {
			host, port = h, p
		}

		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		if net.ParseIP(host) == nil && !hostPattern.MatchString(host) || !portPattern.MatchString(port) {
			return Endpoints{}, errors.Errorf("%q is not a host such as s3.example.com, s3.example.com:9000 or *.example.com", item)
		}

		out.hosts = append(out.hosts, hostPort{host: host, port: port})
	}

	return out, nil
}

// Allow returns an error that says which field of a tenant's config names what may
// not be used.
func (e Endpoints) Allow(c v1beta1.Connection) error {
	if e.any {
		return nil
	}

	if c.Endpoint == "" && (!label.MatchString(c.Region) || !e.has(hostPort{host: "s3." + c.Region + "." + awsDomain, port: "443"})) {
		return errors.New("spec.endpoint: this platform does not let a ProviderConfig use AWS's own endpoints")
	}

	if c.Endpoint != "" && !e.hasURL(c.Endpoint) {
		return errors.Errorf("spec.endpoint: this platform does not let a ProviderConfig use %q", c.Endpoint)
	}

	if c.IdentityEndpoint != "" && !e.hasURL(c.IdentityEndpoint) {
		return errors.Errorf("spec.identityEndpoint: this platform does not let a ProviderConfig use %q", c.IdentityEndpoint)
	}

	return nil
}

// hasURL tells whether a URL's host is allowed.
func (e Endpoints) hasURL(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil || u.Hostname() == "" {
		return false
	}

	port := u.Port()
	if port == "" {
		port = defaultPort(u.Scheme)
	}

	return e.has(hostPort{host: strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port: port})
}

func (e Endpoints) has(it hostPort) bool {
	return slices.ContainsFunc(e.hosts, it.matches)
}

// matches tells whether a host is one that is allowed.
func (h hostPort) matches(allowed hostPort) bool {
	usual := h.port == defaultPort("http") || h.port == defaultPort("https")
	if h.port != allowed.port && (allowed.port != "" || !usual) {
		return false
	}

	if domain, ok := strings.CutPrefix(allowed.host, "*"); ok {
		return strings.HasSuffix(h.host, domain)
	}

	if ip := net.ParseIP(allowed.host); ip != nil {
		return ip.Equal(net.ParseIP(h.host))
	}

	return h.host == allowed.host
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}

	return "443"
}
