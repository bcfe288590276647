package controlplane

import (
	"context"
	"os"
	"path/filepath"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// providerAccount makes the service account of a provider's revision, and has
// the real RBAC manager give it its rights. That looks for Deployments that the
// revision controls, and binds the revision's system role to their service
// accounts, so a Deployment of no replicas stands in for the process. It returns
// the path of the provider's kubeconfig in dir.
func (cp *ControlPlane) providerAccount(ctx context.Context, rev *revision, dir string) (string, error) {
	meta := metav1.ObjectMeta{Namespace: Namespace, Name: rev.GetName(), OwnerReferences: []metav1.OwnerReference{rev.controller()}}
	account := &corev1.ServiceAccount{ObjectMeta: meta}
	if err := client.IgnoreAlreadyExists(cp.client.Create(ctx, account)); err != nil {
		return "", errors.Wrap(err, "cannot create the provider's service account")
	}
	replicas, labels := int32(0), map[string]string{"pkg.crossplane.io/revision": rev.GetName()}
	deployment := &appsv1.Deployment{
		ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					ServiceAccountName: account.GetName(),
					Containers:         []corev1.Container{{Name: "package-runtime", Image: rev.Status.ResolvedImage}},
				},
			},
		},
	}
	if err := client.IgnoreAlreadyExists(cp.client.Create(ctx, deployment)); err != nil {
		return "", errors.Wrap(err, "cannot create the provider's Deployment")
	}

	c, err := cp.serviceAccountConfig(ctx, Namespace, account.GetName())
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
