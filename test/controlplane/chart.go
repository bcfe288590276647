package controlplane

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Namespace is where Crossplane runs.
const Namespace = "crossplane-system"

// fieldOwner of what the control plane applies.
const fieldOwner = client.FieldOwner("echo-controlplane")

// chartTemplates are the templates of Crossplane's Helm chart that grant rights:
// core and its RBAC manager act with the rights they have in a cluster, so that
// a right which our packages need and nobody grants is missed here as well.
var chartTemplates = []string{ //nolint:gochecknoglobals // A constant in all but name.
	"serviceaccount.yaml",
	"clusterrole.yaml",
	"clusterrolebinding.yaml",
	"rbac-manager-serviceaccount.yaml",
	"rbac-manager-clusterrole.yaml",
	"rbac-manager-clusterrolebinding.yaml",
	"rbac-manager-managed-clusterroles.yaml",
	"rbac-manager-allowed-provider-permissions.yaml",
}

// applyChart makes Crossplane's namespace, service accounts and roles.
func (cp *ControlPlane) applyChart(ctx context.Context) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: Namespace}}
	if err := cp.client.Create(ctx, ns); err != nil {
		return errors.Wrap(err, "cannot create Crossplane's namespace")
	}
	for _, name := range chartTemplates {
		manifests, err := renderChart(filepath.Join(cp.tool(toolData), "chart", name))
		if err != nil {
			return err
		}
		if err := cp.apply(ctx, manifests); err != nil {
			return errors.Wrapf(err, "cannot apply %s of Crossplane's chart", name)
		}
	}
	return nil
}

// renderChart renders one template of the chart with the values that it has by
// default. The templates that grant rights use little of Helm: a name, labels
// (which nothing here looks at) and a few values.
func renderChart(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.Wrap(err, "cannot read Crossplane's chart")
	}
	nothing := func(...any) string { return "" }
	t, err := template.New(filepath.Base(path)).
		Funcs(template.FuncMap{"include": nothing, "indent": nothing, "nindent": nothing, "toYaml": nothing}).
		Parse(`{{ define "crossplane.name" }}crossplane{{ end }}` + string(text))
	if err != nil {
		return nil, errors.Wrap(err, "cannot parse Crossplane's chart")
	}
	out := bytes.Buffer{}
	err = t.Execute(&out, map[string]any{
		"Release": map[string]any{"Namespace": Namespace},
		"Values": map[string]any{
			"serviceAccount": map[string]any{"create": true, "name": "crossplane"},
			"rbacManager":    map[string]any{"deploy": true},
		},
	})
	return out.Bytes(), errors.Wrapf(err, "cannot render %s of Crossplane's chart", filepath.Base(path))
}

// apply applies the objects of a YAML stream.
func (cp *ControlPlane) apply(ctx context.Context, manifests []byte) error {
	for doc := range strings.SplitSeq(string(manifests), "\n---") {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(doc), &u.Object); err != nil {
			return errors.Wrap(err, "cannot parse a manifest")
		}
		if len(u.Object) == 0 {
			continue
		}
		if err := cp.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), fieldOwner, client.ForceOwnership); err != nil {
			return errors.Wrapf(err, "cannot apply %s %s", u.GetKind(), u.GetName())
		}
	}
	return nil
}
