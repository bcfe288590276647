package echo

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	inputv1beta1 "my-operator.dev/echo/apis/fn/v1beta1"
	echov1 "my-operator.dev/echo/apis/my-operator/v1"
	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/wire"
	"my-operator.dev/echo/fn/workload"
)

// A composite is an Echo as Crossplane observes it: namespaced and by itself, or
// cluster-scoped and standing behind a claim.
type composite struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
		UID       string `json:"uid"`
	} `json:"metadata"`
	Spec struct {
		echov1.EchoSpec `json:",inline"`

		ClaimRef *struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"claimRef"`
	} `json:"spec"`
}

// read reads the composite and the function's input. What it returns is
// complete: every default is filled in. The error holds all mistakes.
func read(req *composition.Request) (*composite, *workload.App, error) {
	xr, in := &composite{}, &inputv1beta1.Input{}

	var mistakes wire.FieldErrors

	if len(req.Input) > 0 {
		mistakes = append(mistakes, prefixed("input", wire.UnmarshalStrict(req.Input, in))...)
	}

	mistakes = append(mistakes, prefixed("", wire.Unmarshal(req.Composite, xr))...)
	if len(mistakes) > 0 {
		return nil, nil, mistakes
	}

	if mistakes = append(validateInput(in), validate(xr, in)...); len(mistakes) > 0 {
		return nil, nil, mistakes
	}

	return xr, app(xr, in), nil
}

// prefixed are the field errors in err, below the field named.
func prefixed(field string, err error) wire.FieldErrors {
	switch e := err.(type) { //nolint:errorlint // The codec returns it bare.
	case nil:
		return nil
	case wire.FieldErrors:
		out := make(wire.FieldErrors, len(e))
		for i, f := range e {
			out[i] = wire.FieldError{Path: strings.Trim(field+"."+f.Path, "."), Problem: f.Problem}
		}

		return out
	default:
		return wire.FieldErrors{{Path: cmp.Or(field, "composite"), Problem: err.Error()}}
	}
}

// app is the App that the composite asks for. It has the claim's name and
// namespace if there is one: those are what the tenant knows.
func app(xr *composite, in *inputv1beta1.Input) *workload.App {
	a := &workload.App{Namespace: xr.Metadata.Namespace, Name: xr.Metadata.Name, Spec: xr.Spec.EchoSpec}
	if c := xr.Spec.ClaimRef; c != nil {
		a.Namespace, a.Name = c.Namespace, c.Name
	}

	s := &a.Spec
	s.Workload = cmp.Or(s.Workload, in.Defaults.Workload, echov1.WorkloadPods)

	if s.Replicas == nil {
		one := int32(1)
		s.Replicas = &one
	}

	if s.Resources == nil {
		s.Resources = in.Defaults.Resources
	}

	if s.Resources == nil {
		s.Resources = defaultResources()
	}

	for i := range s.Ports {
		p := &s.Ports[i]
		p.Protocol = cmp.Or(p.Protocol, corev1.ProtocolTCP)
		p.Name = portName(*p)

		if p.ServicePort == nil {
			p.ServicePort = &p.Port
		}
	}

	return a
}

// defaultResources suit a stock web image, and let the scheduler and an
// autoscaler reckon with it.
func defaultResources() *corev1.ResourceRequirements {
	return &corev1.ResourceRequirements{Requests: corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("100m"),
		corev1.ResourceMemory: resource.MustParse("128Mi"),
	}}
}

func portName(p echov1.Port) string {
	protocol := cmp.Or(p.Protocol, corev1.ProtocolTCP)
	return cmp.Or(p.Name, fmt.Sprintf("%s-%d", strings.ToLower(string(protocol)), p.Port))
}
