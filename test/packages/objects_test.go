package packages

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// An object is what these tests look at in an object of package.yaml.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		CompositeTypeRef struct {
			Kind string `json:"kind"`
		} `json:"compositeTypeRef"`
		DefaultCompositionRef struct {
			Name string `json:"name"`
		} `json:"defaultCompositionRef"`
		Names struct {
			Kind string `json:"kind"`
		} `json:"names"`
		DependsOn    []dependency `json:"dependsOn"`
		Capabilities []string     `json:"capabilities"`
	} `json:"spec"`
}

// A dependency is a package that another one needs.
type dependency struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Package    string `json:"package"`
	Version    string `json:"version"`
}

// objects returns what the image's base layer holds in package.yaml.
func objects(t *testing.T, img image) []object {
	t.Helper()
	var objects []object
	for _, l := range img.Layers {
		if img.Config.Config.Labels[baseLabel+strings.TrimSuffix(l.Name, ".tar.gz")] != "base" {
			continue
		}
		for doc := range strings.SplitSeq(string(l.Files["package.yaml"].Content), "\n---\n") {
			if strings.Trim(doc, "-\n") == "" {
				continue
			}
			var o object
			if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
				t.Fatalf("cannot decode package.yaml: %v", err)
			}
			objects = append(objects, o)
		}
	}
	return objects
}
