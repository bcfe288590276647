package config

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

func TestEndpoints(t *testing.T) {
	const (
		refused  = `spec.endpoint: this platform does not let a ProviderConfig use `
		identity = `spec.identityEndpoint: this platform does not let a ProviderConfig use `
	)

	cases := map[string]struct {
		reason   string
		list     string
		endpoint string
		region   string
		identity string
		want     string
	}{
		"Any":               {reason: "any is any.", list: "any", endpoint: "http://169.254.169.254"},
		"None":              {reason: "none is none.", list: "none", endpoint: "https://s3.example.com", want: refused + `"https://s3.example.com"`},
		"Nothing":           {reason: "An empty list is none.", list: "", endpoint: "https://s3.example.com", want: refused + `"https://s3.example.com"`},
		"Host":              {reason: "A host that is listed may be used.", list: "a.example.com, S3.example.com", endpoint: "https://s3.EXAMPLE.com/"},
		"TrailingDot":       {reason: "A dot at the end is the same host.", list: "s3.example.com", endpoint: "https://s3.example.com."},
		"OtherHost":         {reason: "No other may, not even one that ends alike.", list: "s3.example.com", endpoint: "https://evil-s3.example.com", want: refused + `"https://evil-s3.example.com"`},
		"OtherPort":         {reason: "A host is not all of its ports.", list: "s3.example.com", endpoint: "https://s3.example.com:6443", want: refused + `"https://s3.example.com:6443"`},
		"Port":              {reason: "A port that is listed may be used.", list: "s3.example.com:9000", endpoint: "http://s3.example.com:9000"},
		"PortWithout":       {reason: "And then no other.", list: "s3.example.com:9000", endpoint: "http://s3.example.com", want: refused + `"http://s3.example.com"`},
		"Wildcard":          {reason: "A star is any name below a domain.", list: "*.example.com", endpoint: "https://eu.s3.example.com"},
		"WildcardApex":      {reason: "But not the domain itself.", list: "*.example.com", endpoint: "https://example.com", want: refused + `"https://example.com"`},
		"WildcardLookalike": {reason: "Nor one that looks like it.", list: "*.example.com", endpoint: "https://badexample.com", want: refused + `"https://badexample.com"`},
		"IPv6":              {reason: "Addresses are compared as addresses.", list: "[::1]:9000", endpoint: "http://[0:0:0:0:0:0:0:1]:9000"},
		"AWS":               {reason: "AWS's own endpoints are a domain like others.", list: "*.amazonaws.com", region: "eu-west-1"},
		"NotAWS":            {reason: "And are not allowed unless listed.", list: "s3.example.com", region: "eu-west-1", want: "spec.endpoint: this platform does not let a ProviderConfig use AWS's own endpoints"},
		"BadRegion":         {reason: "A region cannot smuggle in another host.", list: "*.amazonaws.com", region: "x.evil.com/", want: "spec.endpoint: this platform does not let a ProviderConfig use AWS's own endpoints"},
		"Identity":          {reason: "The identity API's endpoint is one too.", list: "s3.example.com", endpoint: "https://s3.example.com", identity: "http://10.0.0.1", want: identity + `"http://10.0.0.1"`},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			endpoints, err := ParseEndpoints(tc.list)
			if err != nil {
				t.Fatal(err)
			}

			got := ""
			if err := endpoints.Allow(v1beta1.Connection{Endpoint: tc.endpoint, Region: tc.region, IdentityEndpoint: tc.identity}); err != nil {
				got = err.Error()
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nAllow(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestParseEndpointsRefuses(t *testing.T) {
	for _, list := range []string{"https://s3.example.com", "s3.example.com/x", "*", "s3.*.com", "s3.example.com,a b"} {
		if _, err := ParseEndpoints(list); err == nil {
			t.Errorf("ParseEndpoints(%q): no error", list)
		}
	}
}

func TestAllowRegion(t *testing.T) {
	cases := map[string]struct {
		reason string
		kind   string
		conn   s3.Connection
		region string
		want   string
	}{
		"Same":   {reason: "The endpoint there is one that is listed.", kind: v1beta1.KindProviderConfig, region: "eu-central-1"},
		"Other":  {reason: "Another region's endpoint is another host.", kind: v1beta1.KindProviderConfig, region: "us-east-1", want: `spec.forProvider.region: this platform does not let a ProviderConfig use AWS's own endpoint in region "us-east-1"`},
		"Server": {reason: "Any other server has one endpoint.", kind: v1beta1.KindProviderConfig, conn: s3.Connection{Endpoint: "https://s3.example.com"}, region: "us-east-1"},
		"Ours":   {reason: "The platform's own config may.", kind: v1beta1.KindClusterProviderConfig, region: "us-east-1"},
	}

	endpoints, err := ParseEndpoints("s3.eu-central-1.amazonaws.com, s3.example.com")
	if err != nil {
		t.Fatal(err)
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := NewResolver(nil, nil, endpoints, logging.NewNopLogger())

			got := ""
			if err := r.AllowRegion(bucket(tc.kind, "mine"), Connection{S3: tc.conn}, tc.region); err != nil {
				got = err.Error()
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nAllowRegion(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
