package readiness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/observed"
)

func TestService(t *testing.T) {
	cases := map[string]struct {
		reason  string
		service string
		want    Verdict
	}{
		"ClusterIP": {
			reason:  "A Service inside the cluster does its job once it exists.",
			service: `{spec: {type: ClusterIP, clusterIP: 10.96.0.7}, status: {loadBalancer: {}}}`,
			want:    Verdict{Ready: true, Reason: ReasonReady},
		},
		"NodePort": {
			reason:  "So does one on the nodes' ports.",
			service: `{spec: {type: NodePort}}`,
			want:    Verdict{Ready: true, Reason: ReasonReady},
		},
		"LoadBalancerPending": {
			reason:  "A load balancer that nobody can reach yet does not do its job.",
			service: `{spec: {type: LoadBalancer}, status: {loadBalancer: {}}}`,
			want:    Verdict{Reason: ReasonProgressing, Message: "it has no address of a load balancer yet"},
		},
		"LoadBalancerByIP": {
			reason:  "An address is an address, be it a number",
			service: `{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{ip: 192.0.2.7}]}}}`,
			want:    Verdict{Ready: true, Reason: ReasonReady},
		},
		"LoadBalancerByName": {
			reason:  "or a name.",
			service: `{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{hostname: lb.example.com}]}}}`,
			want:    Verdict{Ready: true, Reason: ReasonReady},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := observed.ReadService(object(t, tc.service))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, Service(s)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
