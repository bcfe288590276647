package controlplane

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A PackageKind is a kind of package, as the CLI calls it.
type PackageKind string

// Kinds of packages.
const (
	Function      PackageKind = "function"
	Configuration PackageKind = "configuration"
	Provider      PackageKind = "provider"
)

const groupPackages = "pkg.crossplane.io"

// labelPackage names a revision's package.
const labelPackage = "pkg.crossplane.io/package"

// kind returns Function, Configuration or Provider.
func (k PackageKind) kind() string {
	return strings.ToUpper(string(k[:1])) + string(k[1:])
}

func (k PackageKind) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: groupPackages, Version: "v1", Kind: k.kind()}
}

func (k PackageKind) revisionGVK() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: groupPackages, Version: "v1", Kind: k.kind() + "Revision"}
}

// Push pushes package files to the loopback registry with the real CLI, as one
// package for the platform of each file. The reference names the package as it
// is published, such as xpkg.my-operator.dev/function-echo:v0.1.0.
func (cp *ControlPlane) Push(ctx context.Context, ref string, files ...string) error {
	path, ok := strings.CutPrefix(ref, cp.options.PackageHost+"/")
	if !ok {
		return errors.Errorf("cannot push %s: only packages of %s are served from loopback", ref, cp.options.PackageHost)
	}
	_, err := cp.CLI(ctx, "xpkg", "push", "--package-files="+strings.Join(files, ","), cp.registry+"/"+path)
	return errors.Wrapf(err, "cannot push %s", ref)
}

// InstallPackage installs a package with the real CLI, and waits until it is
// installed and healthy, or until ctx ends. Further arguments go to the CLI, such
// as --runtime-config=NAME.
func (cp *ControlPlane) InstallPackage(ctx context.Context, kind PackageKind, ref, name string, args ...string) error {
	if _, err := cp.CLI(ctx, append([]string{"xpkg", "install", string(kind), ref, name}, args...)...); err != nil {
		return errors.Wrapf(err, "cannot install %s %s", kind, name)
	}
	return cp.WaitPackage(ctx, kind, name)
}

// UpdatePackage moves an installed package to another reference with the real
// CLI, and waits until its new revision is healthy.
func (cp *ControlPlane) UpdatePackage(ctx context.Context, kind PackageKind, ref, name string) error {
	if _, err := cp.CLI(ctx, "xpkg", "update", string(kind), ref, name); err != nil {
		return errors.Wrapf(err, "cannot update %s %s", kind, name)
	}
	return cp.WaitPackage(ctx, kind, name)
}

// UninstallPackage deletes a package, and waits until it and its revisions are
// gone.
func (cp *ControlPlane) UninstallPackage(ctx context.Context, kind PackageKind, name string) error {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind.gvk())
	u.SetName(name)
	if err := client.IgnoreNotFound(cp.client.Delete(ctx, u)); err != nil {
		return errors.Wrapf(err, "cannot delete %s %s", kind, name)
	}
	return cp.poll(ctx, fmt.Sprintf("%s %s still exists", kind, name), func(ctx context.Context) (bool, error) {
		revisions, err := cp.revisions(ctx, kind, client.MatchingLabels{labelPackage: name})
		return len(revisions) == 0, err
	})
}

// WaitPackage waits until a package is installed and healthy, or until ctx ends;
// then the error holds the conditions of the package and of its revisions.
func (cp *ControlPlane) WaitPackage(ctx context.Context, kind PackageKind, name string) error {
	key := types.NamespacedName{Name: name}
	err := cp.poll(ctx, fmt.Sprintf("%s %s is not healthy", kind, name), func(ctx context.Context) (bool, error) {
		p, err := cp.getPackage(ctx, kind, key)
		if err != nil {
			return false, client.IgnoreNotFound(err)
		}
		return p.Spec.Package == p.Status.CurrentIdentifier && isTrue(p.Status.Conditions, "Installed") && isTrue(p.Status.Conditions, "Healthy"), nil
	})
	if err == nil {
		return nil
	}
	// The context has ended; what to say still has to be asked for.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Errorf("%s\n%s", err, cp.describePackage(ctx, kind, key))
}

// A pkg is what this package reads of a Function, Configuration or Provider.
type pkg struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		Package          string `json:"package"`
		RuntimeConfigRef struct {
			Name string `json:"name"`
		} `json:"runtimeConfigRef"`
	} `json:"spec"`
	Status struct {
		CurrentIdentifier string             `json:"currentIdentifier"`
		Conditions        []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func (cp *ControlPlane) getPackage(ctx context.Context, kind PackageKind, key types.NamespacedName) (*pkg, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind.gvk())
	if err := cp.client.Get(ctx, key, u); err != nil {
		return nil, err
	}
	p := &pkg{}
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, p)
	return p, errors.Wrapf(err, "cannot read %s %s", kind, key.Name)
}

// describePackage returns the conditions of a package and its revisions, a line
// each.
func (cp *ControlPlane) describePackage(ctx context.Context, kind PackageKind, key types.NamespacedName) string {
	lines := []string{}
	p, err := cp.getPackage(ctx, kind, key)
	if err != nil {
		return err.Error()
	}
	lines = append(lines, describe(kind.kind()+" "+p.GetName(), p.Status.Conditions)...)

	revisions, err := cp.revisions(ctx, kind, client.MatchingLabels{labelPackage: key.Name})
	if err != nil {
		return err.Error()
	}
	for _, r := range revisions {
		lines = append(lines, describe(r.Kind+" "+r.GetName(), r.Status.Conditions)...)
	}
	return strings.Join(lines, "\n")
}

func describe(subject string, cs []metav1.Condition) []string {
	if len(cs) == 0 {
		return []string{subject + ": no conditions"}
	}
	lines := make([]string, 0, len(cs))
	for _, c := range cs {
		lines = append(lines, fmt.Sprintf("%s: %s=%s %s: %s", subject, c.Type, c.Status, c.Reason, c.Message))
	}
	return lines
}

func isTrue(cs []metav1.Condition, conditionType string) bool {
	for _, c := range cs {
		if c.Type == conditionType {
			return c.Status == metav1.ConditionTrue
		}
	}
	return false
}

// poll asks until the answer is yes, or until ctx ends. A failing API server is
// asked again: fault tests restart it.
func (cp *ControlPlane) poll(ctx context.Context, otherwise string, done func(context.Context) (bool, error)) error {
	const interval = 100 * time.Millisecond
	for {
		ok, err := done(ctx)
		if err == nil && ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(errors.Errorf("%s: %s", otherwise, context.Cause(ctx)), err)
		case <-time.After(interval):
		}
	}
}
