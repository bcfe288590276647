package server

import (
	"crypto/tls"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestMutualTLS(t *testing.T) {
	ca, other := newAuthority(t, "ca"), newAuthority(t, "other")
	r := start(t, Options{Handler: echo, TLSCertsDir: newSecretVolume(t, ca.secret(t)).dir})

	old := ca.client(t, "core", ca)
	old.MaxVersion = tls.VersionTLS12

	cases := map[string]struct {
		reason string
		client *tls.Config
		want   codes.Code
	}{
		"Core":     {reason: "A client that the authority vouches for is served.", client: ca.client(t, "core", ca)},
		"NoCert":   {reason: "A client without a certificate is refused.", client: ca.stranger(), want: codes.Unavailable},
		"WrongCA":  {reason: "A client of another authority is refused.", client: other.client(t, "core", ca), want: codes.Unavailable},
		"OldTLS":   {reason: "TLS 1.2 is refused.", client: old, want: codes.Unavailable},
		"Insecure": {reason: "A client that does not speak TLS is refused.", want: codes.Unavailable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := fnv1.NewFunctionRunnerServiceClient(r.dial(t, tc.client)).RunFunction(t.Context(), tagged("a"))
			if got := status.Code(err); got != tc.want {
				t.Errorf("%s\nwant %s, got %s: %v", tc.reason, tc.want, got, err)
			}
		})
	}
}

// TestRotation renews everything, the authority too, under a server that goes on.
func TestRotation(t *testing.T) {
	first, second := newAuthority(t, "first"), newAuthority(t, "second")
	v := newSecretVolume(t, first.secret(t))
	r := start(t, Options{Handler: echo, TLSCertsDir: v.dir})
	r.certs.interval = 0

	connected := fnv1.NewFunctionRunnerServiceClient(r.dial(t, first.client(t, "core", first)))
	call := func(reason string, c fnv1.FunctionRunnerServiceClient, want codes.Code) {
		t.Helper()
		if _, err := c.RunFunction(t.Context(), tagged("a")); status.Code(err) != want {
			t.Errorf("%s\nwant %s, got %v", reason, want, err)
		}
	}
	connect := func(client, server *authority) fnv1.FunctionRunnerServiceClient {
		return fnv1.NewFunctionRunnerServiceClient(r.dial(t, client.client(t, "core", server)))
	}

	call("The first client is served.", connected, codes.OK)
	call("A client of an authority yet to come is refused.", connect(second, first), codes.Unavailable)

	v.update(t, map[string][]byte{"tls.crt": []byte("half"), "tls.key": []byte("done"), "ca.crt": second.pem})
	call("Files that cannot be used leave the old ones in force.", connect(first, first), codes.OK)

	v.update(t, second.secret(t))
	call("A client of the new authority is served.", connect(second, second), codes.OK)
	call("A client of the old authority is refused.", connect(first, second), codes.Unavailable)
	call("A client that is connected is not disturbed.", connected, codes.OK)
}
