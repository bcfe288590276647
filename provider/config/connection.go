package config

import (
	"my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

// A Connection is where the server of a managed resource is, and as whom to speak
// to it.
type Connection struct {
	// S3 is what a client is made from.
	S3 s3.Connection

	// IdentityAPI is how the server makes keys; IdentityNone if it makes none.
	IdentityAPI v1beta1.IdentityAPI

	// IdentityEndpoint is the URL of the identity API: the endpoint of S3, unless
	// the config names another. Empty is AWS's own.
	IdentityEndpoint string

	// Region of buckets that name none.
	Region string
}

// connection is what a config says, with its defaults filled in.
func connection(c v1beta1.Connection, credentials s3.Credentials) Connection {
	out := Connection{
		S3: s3.Connection{
			Endpoint:    c.Endpoint,
			Region:      c.Region,
			PathStyle:   c.Endpoint != "",
			CABundle:    []byte(c.CABundle),
			Credentials: credentials,
		},
		IdentityAPI:      c.IdentityAPI,
		IdentityEndpoint: c.IdentityEndpoint,
		Region:           c.Region,
	}

	if c.PathStyle != nil {
		out.S3.PathStyle = *c.PathStyle
	}

	if out.IdentityAPI == "" {
		out.IdentityAPI = v1beta1.IdentityNone
	}

	if out.IdentityEndpoint == "" {
		out.IdentityEndpoint = c.Endpoint
	}

	return out
}
