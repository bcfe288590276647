package observed

import "my-operator.dev/echo/fn/wire"

// A Service is what is read of a Service.
type Service struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   Metadata `json:"metadata"`
	Spec       struct {
		Type      string `json:"type"`
		ClusterIP string `json:"clusterIP"`
	} `json:"spec"`
	Status struct {
		LoadBalancer struct {
			Ingress []struct {
				IP       string `json:"ip"`
				Hostname string `json:"hostname"`
			} `json:"ingress"`
		} `json:"loadBalancer"`
	} `json:"status"`
}

// ReadService reads a Service.
func ReadService(s wire.Struct) (*Service, error) {
	v := &Service{}
	return v, wire.Unmarshal(s, v)
}
