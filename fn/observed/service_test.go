package observed

import "testing"

func TestReadService(t *testing.T) {
	v, err := ReadService(object(t, `
apiVersion: v1
kind: Service
metadata: {name: shop, namespace: team-a}
spec: {type: LoadBalancer, clusterIP: 10.96.0.7, ports: [{port: 80}]}
status: {loadBalancer: {ingress: [{ip: 192.0.2.7}, {hostname: lb.example.com}]}}
`))
	if err != nil {
		t.Fatal(err)
	}

	in := v.Status.LoadBalancer.Ingress
	if v.Metadata.Name != "shop" || v.Spec.Type != "LoadBalancer" || v.Spec.ClusterIP != "10.96.0.7" ||
		len(in) != 2 || in[0].IP != "192.0.2.7" || in[1].Hostname != "lb.example.com" {
		t.Errorf("want the Service's type and addresses, got %+v", v)
	}
}
