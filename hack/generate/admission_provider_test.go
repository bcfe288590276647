package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// An object is a piece of YAML.
type object = map[string]any

// secretRef names a Secret of the resource's own namespace.
func secretRef(name string) object { return object{"name": name} }

// An admission is a spec, and what an API server has against it.
type admission struct {
	reason string

	// was is the spec before, if it is a change.
	was, spec object

	// want has the beginnings of the refusals.
	want []string
}

// admit holds the cases against the CRD that is generated under the given name.
func admit(t *testing.T, definition string, cases map[string]admission) {
	t.Helper()
	crd := definitions(t, mustGenerate(t, "../.."))[definition]
	if crd == nil {
		t.Fatalf("there is no CRD of %s", definition)
	}
	a := newAdmitter(t, crd)
	resource := func(spec object) object {
		o := object{"apiVersion": crd.Spec.Group + "/v1beta1", "kind": crd.Spec.Names.Kind, "metadata": object{"name": "assets"}}
		if spec != nil {
			o["spec"] = runtime.DeepCopyJSON(spec)
		}
		return o
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var was object
			if tc.was != nil {
				was = resource(tc.was)
			}
			got := a.changeRefusals(resource(tc.spec), was)
			// Where the beginning is as wanted, the rest is the API server's
			// affair.
			for i, want := range tc.want {
				if i < len(got) && strings.HasPrefix(got[i], want) {
					got[i] = want
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nrefusals: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestManagedDefaults shows what becomes of the least that a tenant can write.
func TestManagedDefaults(t *testing.T) {
	cases := map[string]struct {
		reason     string
		definition string
		spec, want object
	}{
		"Bucket": {
			reason:     "A Bucket of no spec is made with the default config, and all may be done to it.",
			definition: "provider's buckets",
			want: object{
				"forProvider":        object{},
				"managementPolicies": []any{"*"},
				"providerConfigRef":  object{"kind": "ClusterProviderConfig", "name": "default"},
			},
		},
		"BucketAccess": {
			reason:     "Keys read and write unless told otherwise.",
			definition: "provider's bucketaccesses",
			spec:       object{"forProvider": object{"bucketRef": object{"name": "a"}, "rotation": object{"trigger": "1"}}},
			want: object{
				"forProvider":        object{"bucketRef": object{"name": "a"}, "access": "ReadWrite", "rotation": object{"trigger": "1", "overlap": "1h"}},
				"managementPolicies": []any{"*"},
				"providerConfigRef":  object{"kind": "ClusterProviderConfig", "name": "default"},
			},
		},
		"ClusterProviderConfig": {
			reason:     "No namespace is allowed and no keys can be made unless the platform team says so.",
			definition: "provider's clusterproviderconfigs",
			spec:       object{"credentials": object{"source": "Environment"}},
			want:       object{"credentials": object{"source": "Environment"}, "identityAPI": "None", "region": "us-east-1"},
		},
	}
	crds := definitions(t, mustGenerate(t, "../.."))
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := object{}
			if tc.spec != nil {
				got["spec"] = runtime.DeepCopyJSON(tc.spec)
			}
			newAdmitter(t, crds[tc.definition]).refusals(got)
			if diff := cmp.Diff(object{"spec": tc.want}, got); diff != "" {
				t.Errorf("%s\ndefaulted: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNamesApart holds what people type after `kubectl get` apart: a category
// that is called like a kind hides the kind.
func TestNamesApart(t *testing.T) {
	var categories, names []string
	for _, crd := range definitions(t, mustGenerate(t, "../..")) {
		n := crd.Spec.Names
		categories = append(categories, n.Categories...)
		names = append(names, append(n.ShortNames, n.Plural, n.Singular)...)
	}
	for _, category := range categories {
		if slices.Contains(names, category) {
			t.Errorf("kubectl get %s would show a category, and never the kind of that name", category)
		}
	}
}

// TestInstallExamples holds the configs that the platform team is shown against
// the schemas.
func TestInstallExamples(t *testing.T) {
	crds := map[string]admitter{}
	for _, crd := range definitions(t, mustGenerate(t, "../..")) {
		crds[crd.Spec.Group+"/"+crd.Spec.Names.Kind] = newAdmitter(t, crd)
	}
	paths, err := filepath.Glob("../../package/install/examples/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			example := &unstructured.Unstructured{}
			if err := yaml.UnmarshalStrict(content, &example.Object); err != nil {
				t.Fatal(err)
			}
			gvk := example.GroupVersionKind()
			a, ok := crds[gvk.Group+"/"+gvk.Kind]
			if !ok {
				t.Fatalf("there is no kind %s", gvk)
			}
			if diff := cmp.Diff([]string(nil), a.refusals(example.Object)); diff != "" {
				t.Errorf("refusals: -want, +got:\n%s", diff)
			}
		})
	}
}
