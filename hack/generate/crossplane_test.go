package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	xpv1 "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
	"github.com/google/go-cmp/cmp"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// TestServable runs what is generated for the repository's own types, and for
// those in testdata, through Crossplane's conversion and the API server's
// validation. A bad marker shows here rather than in a cluster.
func TestServable(t *testing.T) {
	cases := map[string]struct {
		reason string
		root   string
		want   []string
	}{
		"Repository": {
			reason: "Every kind of the repository can be served.",
			root:   "../..",
			want: []string{
				"claim echoes", "composite echoes", "function input inputs", "legacy composite xechoes",
				"provider's bucketaccesses", "provider's buckets", "provider's clusterproviderconfigs", "provider's providerconfigs", "provider's providerconfigusages",
			},
		},
		"Testdata": {
			reason: "Every kind of construct can be served.",
			root:   "testdata",
			want:   []string{"claim widgets", "composite widgets", "function input policies", "legacy composite xwidgets", "provider's gadgets"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for what, crd := range definitions(t, mustGenerate(t, tc.root)) {
				if err := validate(t, crd); err != nil {
					t.Errorf("%s\n%s: %v", tc.reason, what, err)
				}
				got = append(got, what)
			}
			slices.Sort(got)
			missing := slices.DeleteFunc(slices.Clone(tc.want), func(what string) bool { return slices.Contains(got, what) })
			if diff := cmp.Diff([]string{}, missing); diff != "" {
				t.Errorf("%s\nnot generated: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestValidateBites shows that validate notices what TestServable relies on.
func TestValidateBites(t *testing.T) {
	cases := map[string]struct {
		reason string
		spec   extv1.JSONSchemaProps
		want   string
	}{
		"Cost": {
			reason: "A quadratic rule over a list of any length costs too much.",
			spec: extv1.JSONSchemaProps{
				Type:         "array",
				Items:        &extv1.JSONSchemaPropsOrArray{Schema: &extv1.JSONSchemaProps{Type: "string"}},
				XValidations: extv1.ValidationRules{{Rule: "self.all(x, self.exists_one(y, x == y))"}},
			},
			want: "exceeds budget",
		},
		"Compilation": {
			reason: "A rule on a field that is not there does not compile.",
			spec:   extv1.JSONSchemaProps{Type: "object", XValidations: extv1.ValidationRules{{Rule: "self.nothing == 1"}}},
			want:   "undefined field 'nothing'",
		},
		"Default": {
			reason: "A default must obey the limits beside it.",
			spec:   extv1.JSONSchemaProps{Type: "string", Enum: []extv1.JSON{{Raw: []byte(`"a"`)}}, Default: &extv1.JSON{Raw: []byte(`"b"`)}},
			want:   "Unsupported value: \"b\"",
		},
		"Structural": {
			reason: "A schema without a type is not structural.",
			spec:   extv1.JSONSchemaProps{},
			want:   "must not be empty for specified object fields",
		},
	}
	crds := definitions(t, mustGenerate(t, "testdata"))
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			crd := crds["composite widgets"].DeepCopy()
			crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties["extra"] = tc.spec
			if err := validate(t, crd); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s\nvalidate(...): want an error with %q, got: %v", tc.reason, tc.want, err)
			}
		})
	}
}

// TestDefaultCompositions holds the hand-written Compositions against the XRDs:
// a default that names none leaves every new composite without one.
func TestDefaultCompositions(t *testing.T) {
	compositions := map[string]string{}
	paths, err := filepath.Glob("../../package/configuration-*/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := xpv1.Composition{}
		if err := yaml.Unmarshal(content, &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c.Kind == xpv1.CompositionKind {
			configuration := filepath.Base(filepath.Dir(filepath.Dir(path)))
			compositions[configuration+"/"+c.Name] = c.Spec.CompositeTypeRef.APIVersion + "/" + c.Spec.CompositeTypeRef.Kind
		}
	}

	want := map[string]string{}
	for _, f := range mustGenerate(t, "../..") {
		xrd := xpv1.CompositeResourceDefinition{}
		if !strings.HasPrefix(f.Path, dirComposites) && !strings.HasPrefix(f.Path, dirClaims) {
			continue
		}
		if err := yaml.Unmarshal(f.Content, &xrd); err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		configuration := strings.Split(f.Path, "/")[1]
		want[configuration+"/"+xrd.Spec.DefaultCompositionRef.Name] = xrd.GetCompositeGroupVersionKind().GroupVersion().String() + "/" + xrd.Spec.Names.Kind
	}
	if diff := cmp.Diff(want, compositions); diff != "" {
		t.Errorf("Compositions of the packages: -want, +got:\n%s", diff)
	}
}

// TestAdmitEcho says what tenants may and may not write, under each of the
// kinds that an Echo's schema is served as.
func TestAdmitEcho(t *testing.T) {
	port := func(name string, port, servicePort int64, protocol string) any {
		p := map[string]any{"name": name, "port": port}
		if servicePort != 0 {
			p["servicePort"] = servicePort
		}
		if protocol != "" {
			p["protocol"] = protocol
		}
		return p
	}
	cases := map[string]struct {
		reason string
		spec   map[string]any
		// want has the beginnings of the refusals.
		want []string
	}{
		"Original": {
			reason: "The first Echo there ever was stays valid.",
			spec:   map[string]any{"image": "nginx:1.21", "replicas": int64(3)},
		},
		"ImageOnly": {
			reason: "Only the image is required.",
			spec:   map[string]any{"image": "nginx:1.21"},
		},
		"PortsApart": {
			reason: "The same number may serve two protocols, which must be told apart by name.",
			spec:   map[string]any{"image": "dns", "ports": []any{port("dns", 53, 0, ""), port("dns-udp", 53, 0, "UDP")}},
		},
		"EnvAndResources": {
			reason: "Kubernetes' own types take what they take in a Pod: a quantity may be a number.",
			spec: map[string]any{
				"image":     "nginx",
				"env":       []any{map[string]any{"name": "A", "valueFrom": map[string]any{"secretKeyRef": map[string]any{"name": "s", "key": "k"}}}},
				"resources": map[string]any{"requests": map[string]any{"cpu": int64(1), "memory": "64Mi"}},
			},
		},
		"NoImage": {
			reason: "An Echo without an image means nothing.",
			spec:   map[string]any{"replicas": int64(1)},
			want:   []string{"spec.image: Required value"},
		},
		"EmptyImage": {
			reason: "An empty image is no image.",
			spec:   map[string]any{"image": ""},
			want:   []string{"spec.image: Invalid value"},
		},
		"NegativeReplicas": {
			reason: "There is no negative number of Pods.",
			spec:   map[string]any{"image": "nginx", "replicas": int64(-1)},
			want:   []string{"spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0"},
		},
		"TooManyReplicas": {
			reason: "One Echo cannot flood a cluster.",
			spec:   map[string]any{"image": "nginx", "replicas": int64(1001)},
			want:   []string{"spec.replicas: Invalid value: 1001"},
		},
		"UnknownWorkload": {
			reason: "The workloads that there are come with the message.",
			spec:   map[string]any{"image": "nginx", "workload": "StatefulSet"},
			want:   []string{`spec.workload: Unsupported value: "StatefulSet": supported values: "Pods", "Deployment"`},
		},
		"DuplicatePort": {
			reason: "Two ports of one number and protocol are one too many, even where the protocol is a default.",
			spec:   map[string]any{"image": "nginx", "ports": []any{port("a", 80, 8080, ""), port("b", 80, 8081, "TCP")}},
			want:   []string{"spec.ports: Invalid value: two ports have the same port and protocol"},
		},
		"DuplicatePortName": {
			reason: "Others refer to a port by its name.",
			spec:   map[string]any{"image": "nginx", "ports": []any{port("web", 80, 0, ""), port("web", 81, 0, "")}},
			want:   []string{"spec.ports: Invalid value: two ports have the same name"},
		},
		"DuplicateServicePort": {
			reason: "A Service cannot offer two ports as one.",
			spec:   map[string]any{"image": "nginx", "ports": []any{port("a", 80, 0, ""), port("b", 81, 80, "")}},
			want:   []string{"spec.ports: Invalid value: two ports have the same servicePort and protocol"},
		},
		"DuplicateEnv": {
			reason: "An environment variable has one value.",
			spec:   map[string]any{"image": "nginx", "env": []any{map[string]any{"name": "A"}, map[string]any{"name": "A"}}},
			want:   []string{`spec.env[1]: Duplicate value: {"name":"A"}`},
		},
		"UnknownField": {
			reason: "A slip of the pen is told, at any depth.",
			spec:   map[string]any{"image": "nginx", "replica": int64(3), "ports": []any{map[string]any{"port": int64(80), "portName": "web"}}},
			want:   []string{"spec.ports[0].portName: unknown field", "spec.replica: unknown field"},
		},
		"SeveralMistakes": {
			reason: "All mistakes come in one pass.",
			spec:   map[string]any{"image": "", "replicas": int64(-1)},
			want:   []string{"spec.image: Invalid value", "spec.replicas: Invalid value: -1"},
		},
	}

	crds := definitions(t, mustGenerate(t, "../.."))
	for _, served := range []string{"composite echoes", "legacy composite xechoes", "claim echoes"} {
		a := newAdmitter(t, crds[served])
		for name, tc := range cases {
			t.Run(served+"/"+name, func(t *testing.T) {
				object := map[string]any{
					"apiVersion": "my-operator.dev/v1",
					"kind":       crds[served].Spec.Names.Kind,
					"metadata":   map[string]any{"name": "test-echo"},
					"spec":       runtime.DeepCopyJSON(tc.spec),
				}
				got := a.refusals(object)
				// Where the beginning is as wanted, the rest is the API
				// server's affair.
				for i, want := range tc.want {
					if i < len(got) && strings.HasPrefix(got[i], want) {
						got[i] = want
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("%s\nrefusals(...): -want, +got:\n%s", tc.reason, diff)
				}
			})
		}
	}
}
