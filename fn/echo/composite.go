package echo

import (
	"cmp"
	"errors"
	"strings"

	"my-operator.dev/echo/fn/app"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/wire"
)

// A composite is an Echo as Crossplane observes it: namespaced and by itself, or
// cluster-scoped and standing behind a claim.
type composite struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name       string `json:"name"`
		Namespace  string `json:"namespace"`
		UID        string `json:"uid"`
		Generation int64  `json:"generation"`
	} `json:"metadata"`
	Spec struct {
		app.Spec `json:",inline"`

		ClaimRef       *reference `json:"claimRef"`
		CompositionRef reference  `json:"compositionRef"`
		Crossplane     struct {
			CompositionRef reference `json:"compositionRef"`
		} `json:"crossplane"`
	} `json:"spec"`
	Status struct {
		Conditions []turn `json:"conditions"`
	} `json:"status"`
}

// A turn is a condition of the composite, and the generation it was set for.
type turn struct {
	observed.Condition `json:",inline"`

	ObservedGeneration int64 `json:"observedGeneration"`
}

type reference struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// composition is the name of the Composition that holds the platform's policy.
func (xr *composite) composition() string {
	return cmp.Or(xr.Spec.Crossplane.CompositionRef.Name, xr.Spec.CompositionRef.Name)
}

// read reads the composite and the function's input, and finds what is wrong
// with them. The composite is nil if it does not decode.
func read(req *composition.Request) (*composite, *app.Policy, *rejection) {
	xr, in := &composite{}, &app.Policy{}

	var found mistakes

	if len(req.Input) > 0 {
		found.decode("input", wire.UnmarshalStrict(req.Input, in))
	}

	found.decode("", wire.Unmarshal(req.Composite, xr))
	found.decode("input.defaults", in.Defaults.Settle())
	found.decode("spec", xr.Spec.Settle())
	validateInput(&found, in)
	validate(&found, xr)

	if len(found) > 0 {
		return xr, in, reject(ReasonInvalidSpec, found)
	}

	if enforce(&found, xr, in); len(found) > 0 {
		return xr, in, reject(ReasonLimitExceeded, found)
	}

	return xr, in, nil
}

// decode adds what a decoder found, below the field named.
func (m *mistakes) decode(field string, err error) {
	if err == nil {
		return
	}

	var fields wire.FieldErrors
	if !errors.As(err, &fields) {
		m.add(cmp.Or(field, "composite"), "%s", err)
		return
	}

	for _, f := range fields {
		m.add(strings.Trim(field+"."+f.Path, "."), "%s", f.Problem)
	}
}

// newApp is the App that the composite asks for, with every default filled in. It
// has the claim's name and namespace if there is one: those are what the tenant
// knows.
func newApp(xr *composite, in *app.Policy) *app.App {
	a := &app.App{
		Namespace:   xr.Metadata.Namespace,
		Name:        xr.Metadata.Name,
		Spec:        xr.Spec.Spec,
		ExtraLabels: in.Defaults.Labels,
	}
	if c := xr.Spec.ClaimRef; c != nil {
		a.Namespace, a.Name = c.Namespace, c.Name
	}

	s, d := &a.Spec, in.Defaults

	s.Replicas = cmp.Or(s.Replicas, new(int32(1)))
	s.Workload = cmp.Or(s.Workload, d.Workload, app.WorkloadPods)
	s.Resources = cmp.Or(s.Resources, d.Resources, defaultResources())

	s.Service = cmp.Or(s.Service, &app.Service{})
	s.Service.Type = cmp.Or(s.Service.Type, d.ServiceType)
	s.Security = cmp.Or(s.Security, &app.Security{})
	s.Security.Profile = cmp.Or(s.Security.Profile, d.SecurityProfile, app.ProfileBaseline)

	if len(s.ImagePullSecrets) == 0 {
		s.ImagePullSecrets = d.ImagePullSecrets
	}

	if s.Ingress != nil {
		s.Ingress.Path = cmp.Or(s.Ingress.Path, "/")
	}

	if s.Monitoring != nil {
		s.Monitoring.Path = cmp.Or(s.Monitoring.Path, "/metrics")
	}

	for i := range s.Ports {
		p := &s.Ports[i]
		p.Protocol = cmp.Or(p.Protocol, app.ProtocolTCP)
		p.Name = portName(*p)
		p.ServicePort = cmp.Or(p.ServicePort, &p.Port)
	}

	for i := range s.Buckets {
		b := &s.Buckets[i]
		b.Access = cmp.Or(b.Access, app.BucketReadWrite)
		b.Deletion = cmp.Or(b.Deletion, app.DeleteWhenEmpty)
	}

	if r := in.ProviderConfigs.Buckets; r != nil {
		a.BucketConfig = &app.ProviderConfigReference{Kind: cmp.Or(r.Kind, app.KindClusterProviderConfig), Name: r.Name}
	}

	return a
}

// defaultResources suit a stock web image, and let the scheduler and an
// autoscaler reckon with it.
func defaultResources() *app.Resources {
	return &app.Resources{Requests: map[string]app.Amount{"cpu": "100m", "memory": "128Mi"}}
}

//go:fix inline
