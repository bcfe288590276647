package network

import "testing"

func TestNewService(t *testing.T) {
	cases := map[string]struct {
		reason string
		golden string
		spec   string
	}{
		"OnePort": {
			reason: "A Service should say where it leads, and leave to Kubernetes what it does not care about.",
			golden: "service",
			spec:   `ports: [{name: tcp-80, port: 80, servicePort: 80, protocol: TCP}]`,
		},
		"Whole": {
			reason: "Each port should have a name, and aim at the container's port of that name; the order is the tenant's.",
			golden: "service-whole",
			spec: `
ports:
- {name: http, port: 8080, servicePort: 80, protocol: TCP, appProtocol: kubernetes.io/h2c}
- {name: dns, port: 5353, servicePort: 53, protocol: UDP}
- {name: dns-tcp, port: 5353, servicePort: 53, protocol: TCP}
service:
  type: LoadBalancer
  annotations: {example.com/internal: "true"}
`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			golden(t, tc.golden, tc.reason, NewService(newApp(t, tc.spec)))
		})
	}
}

func TestAddress(t *testing.T) {
	cases := map[string]struct {
		reason string
		spec   string
		want   string
	}{
		"ServicePort": {
			reason: "The address should be the Service's port, not the container's.",
			spec:   `ports: [{name: http, port: 8080, servicePort: 80}]`,
			want:   "shop.team-a.svc:80",
		},
		"First": {
			reason: "Of several ports the first should count, whatever its number.",
			spec:   `ports: [{name: b, port: 9000, servicePort: 9000}, {name: a, port: 80, servicePort: 80}]`,
			want:   "shop.team-a.svc:9000",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Address(newApp(t, tc.spec)); got != tc.want {
				t.Errorf("\n%s\nwant %s, got %s", tc.reason, tc.want, got)
			}
		})
	}
}
