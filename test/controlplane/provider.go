package controlplane

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// providerAccount makes the service account of a provider's revision, and has
// the real RBAC manager give it its rights. That looks for Deployments that the
// revision controls, and binds the revision's system role to their service
// accounts, so a Deployment of no replicas stands in for the process. It returns
// the path of the provider's kubeconfig in dir.
func (cp *ControlPlane) providerAccount(ctx context.Context, rev *revision, name, dir string) (string, error) {
	if name == "" {
		name = rev.GetName()
	}
	if err := cp.ensureAccount(ctx, rev, name); err != nil {
		return "", err
	}
	meta := metav1.ObjectMeta{Namespace: Namespace, Name: rev.GetName(), OwnerReferences: []metav1.OwnerReference{rev.controller()}}
	replicas, labels := int32(0), map[string]string{"pkg.crossplane.io/revision": rev.GetName()}
	deployment := &appsv1.Deployment{
		ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					ServiceAccountName: name,
					Containers:         []corev1.Container{{Name: "package-runtime", Image: rev.Status.ResolvedImage}},
				},
			},
		},
	}
	if err := client.IgnoreAlreadyExists(cp.client.Create(ctx, deployment)); err != nil {
		return "", errors.Wrap(err, "cannot create the provider's Deployment")
	}

	c, err := cp.serviceAccountConfig(ctx, Namespace, name)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "kubeconfig")
	if err := writeKubeconfig(path, c, Namespace); err != nil {
		return "", err
	}
	if uid := int(packageUID()); uid != 0 {
		return path, errors.Wrap(os.Chown(path, uid, uid), "cannot give the kubeconfig to the provider's user")
	}
	return path, nil
}

// ensureAccount makes a service account that lives for as long as a revision does
// that uses it: one with a name of its own outlives an upgrade.
func (cp *ControlPlane) ensureAccount(ctx context.Context, rev *revision, name string) error {
	owner := rev.controller()
	// Another revision may be its owner too, and only one can be the controller.
	owner.Controller, owner.BlockOwnerDeletion = nil, nil
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name, OwnerReferences: []metav1.OwnerReference{owner}}}
	err := cp.client.Create(ctx, account)
	if !kerrors.IsAlreadyExists(err) {
		return errors.Wrap(err, "cannot create the provider's service account")
	}
	if err := cp.client.Get(ctx, client.ObjectKeyFromObject(account), account); err != nil {
		return errors.Wrap(err, "cannot get the provider's service account")
	}
	owned := func(o metav1.OwnerReference) bool { return o.UID == owner.UID }
	if slices.ContainsFunc(account.OwnerReferences, owned) {
		return nil
	}
	account.OwnerReferences = append(account.OwnerReferences, owner)
	return errors.Wrap(cp.client.Update(ctx, account), "cannot own the provider's service account")
}

// withdrawRights deletes the Deployment of a provider's revision that runs no
// longer, as core would, so that the RBAC manager takes its rights away. Where
// that fails, the Deployment goes with the revision.
func (cp *ControlPlane) withdrawRights(ctx context.Context, revision string) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: revision}}
	_ = cp.client.Delete(ctx, deployment)
}
