package controlplane

import (
	"context"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A revision is what the package runtime reads of a FunctionRevision or a
// ProviderRevision.
type revision struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		DesiredState string `json:"desiredState"`
	} `json:"spec"`
	Status struct {
		ResolvedImage string             `json:"resolvedImage"`
		Conditions    []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func (r *revision) active() bool { return r.Spec.DesiredState == "Active" }

// pkg returns the name of the package that the revision is one of.
func (r *revision) pkg() string { return r.GetLabels()[labelPackage] }

// serverSecret returns the name of the Secret with the package's server
// certificate. With an external runtime core leaves the choice to the runtime.
func (r *revision) serverSecret() string {
	return r.pkg() + "-" + string(r.packageKind()) + "-server"
}

// packageKind returns what the CLI calls the kind of package.
func (r *revision) packageKind() PackageKind {
	return PackageKind(strings.ToLower(strings.TrimSuffix(r.Kind, "Revision")))
}

// controller returns an owner reference for what exists because of the revision.
func (r *revision) controller() metav1.OwnerReference {
	return *metav1.NewControllerRef(r, schema.FromAPIVersionAndKind(r.APIVersion, r.Kind))
}

func (cp *ControlPlane) revisions(ctx context.Context, kind PackageKind, opts ...client.ListOption) ([]revision, error) {
	l := &unstructured.UnstructuredList{}
	l.SetGroupVersionKind(kind.revisionGVK())
	if err := cp.client.List(ctx, l, opts...); err != nil {
		return nil, errors.Wrapf(err, "cannot list revisions of %ss", kind)
	}
	revisions := make([]revision, len(l.Items))
	for i := range l.Items {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(l.Items[i].Object, &revisions[i]); err != nil {
			return nil, errors.Wrapf(err, "cannot read revision %s", l.Items[i].GetName())
		}
		// Items of a list need not say what they are.
		revisions[i].SetGroupVersionKind(kind.revisionGVK())
	}
	return revisions, nil
}

// A runtimeConfig is what the package runtime reads of a DeploymentRuntimeConfig.
type runtimeConfig struct {
	// container says how the package is run.
	container corev1.Container
	// account is the name of the service account. Empty: that of the revision.
	account string
}

// runtimeConfig returns what the DeploymentRuntimeConfig of the revision's package
// says. The package is asked because core copies the reference to revisions only
// where it runs packages itself: with an external runtime theirs always names the
// default.
func (cp *ControlPlane) runtimeConfig(ctx context.Context, r *revision) (runtimeConfig, error) {
	const container = "package-runtime"
	p, err := cp.getPackage(ctx, r.packageKind(), types.NamespacedName{Name: r.pkg()})
	if err != nil {
		return runtimeConfig{}, errors.Wrapf(err, "cannot get %s %s", r.packageKind(), r.pkg())
	}
	name := p.Spec.RuntimeConfigRef.Name
	if name == "" {
		return runtimeConfig{}, nil
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: groupPackages, Version: "v1beta1", Kind: "DeploymentRuntimeConfig"})
	if err := cp.client.Get(ctx, types.NamespacedName{Name: name}, u); err != nil {
		return runtimeConfig{}, errors.Wrapf(err, "cannot get DeploymentRuntimeConfig %s", name)
	}
	said := struct {
		Spec struct {
			ServiceAccountTemplate struct {
				Metadata struct {
					Name string `json:"name"`
				} `json:"metadata"`
			} `json:"serviceAccountTemplate"`
			DeploymentTemplate struct {
				Spec appsv1.DeploymentSpec `json:"spec"`
			} `json:"deploymentTemplate"`
		} `json:"spec"`
	}{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &said); err != nil {
		return runtimeConfig{}, errors.Wrapf(err, "cannot read DeploymentRuntimeConfig %s", name)
	}
	config := runtimeConfig{account: said.Spec.ServiceAccountTemplate.Metadata.Name}
	for _, c := range said.Spec.DeploymentTemplate.Spec.Template.Spec.Containers {
		if c.Name == container {
			config.container = c
		}
	}
	return config, nil
}

// setRuntimeStatus writes what the runtime has to say to a revision's status,
// which it shares with core. Nothing is written when nothing changes.
func (cp *ControlPlane) setRuntimeStatus(ctx context.Context, r *revision, endpoint string, unhealthy error) error {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(r.GroupVersionKind())
	if err := cp.client.Get(ctx, types.NamespacedName{Name: r.GetName()}, u); err != nil {
		return errors.Wrapf(err, "cannot get revision %s", r.GetName())
	}
	base := u.DeepCopy()

	status, _, err := unstructured.NestedMap(u.Object, "status")
	if err != nil {
		return errors.Wrapf(err, "cannot read the status of %s", r.GetName())
	}
	if status == nil {
		status = map[string]any{}
	}
	set := func(key, value string) {
		if value != "" {
			status[key] = value
		}
	}
	set("endpoint", endpoint)
	set("tlsServerSecretName", r.serverSecret())
	conditions, _ := status["conditions"].([]any)
	health := condition("RuntimeHealthy", "True", "HealthyPackageRevision", "")
	if unhealthy != nil {
		health = condition("RuntimeHealthy", "False", "UnhealthyPackageRevision", unhealthy.Error())
	}
	conditions, healthChanged := withCondition(conditions, health)
	conditions, activeChanged := withCondition(conditions, condition("RuntimeActive", "True", "ActiveRuntime", ""))
	status["conditions"] = conditions
	u.Object["status"] = status

	if !healthChanged && !activeChanged && sameStrings(base, u, "endpoint", "tlsServerSecretName") {
		return nil
	}
	// The lock keeps a condition that core writes meanwhile; a conflict is
	// tried again in the next round.
	patch := client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})
	return errors.Wrapf(cp.client.Status().Patch(ctx, u, patch), "cannot update the status of %s", r.GetName())
}

func condition(kind, status, reason, message string) map[string]any {
	c := map[string]any{"type": kind, "status": status, "reason": reason}
	if message != "" {
		c["message"] = message
	}
	return c
}

// withCondition returns the conditions with c in the place of the one of its
// type, and whether that is a change.
func withCondition(conditions []any, c map[string]any) ([]any, bool) {
	c["lastTransitionTime"] = metav1.Now().UTC().Format("2006-01-02T15:04:05Z")
	for i := range conditions {
		old, _ := conditions[i].(map[string]any)
		if old["type"] != c["type"] {
			continue
		}
		if old["status"] == c["status"] && old["reason"] == c["reason"] && old["message"] == c["message"] {
			return conditions, false
		}
		conditions[i] = c
		return conditions, true
	}
	return append(conditions, c), true
}

func sameStrings(a, b *unstructured.Unstructured, keys ...string) bool {
	for _, k := range keys {
		x, _, _ := unstructured.NestedString(a.Object, "status", k)
		y, _, _ := unstructured.NestedString(b.Object, "status", k)
		if x != y {
			return false
		}
	}
	return true
}
