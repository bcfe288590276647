package network

import "testing"

func TestNewIngress(t *testing.T) {
	const ports = `
ports:
- {name: http, port: 8080, servicePort: 80, protocol: TCP}
- {name: metrics, port: 9090, servicePort: 9090, protocol: TCP}
`

	cases := map[string]struct {
		reason string
		golden string
		spec   string
	}{
		"HostAlone": {
			reason: "Without a class the cluster's default holds, and without a certificate there is no TLS.",
			golden: "ingress",
			spec:   ports + `ingress: {host: shop.example.com, path: /}`,
		},
		"Whole": {
			reason: "The certificate should be for the host that the rule is for.",
			golden: "ingress-whole",
			spec: ports + `
ingress:
  host: shop.example.com
  path: /api
  className: internal
  tlsSecretName: shop-tls
  annotations: {example.com/timeout: 30s}
`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			golden(t, tc.golden, tc.reason, NewIngress(newApp(t, tc.spec)))
		})
	}
}
