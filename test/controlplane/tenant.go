package controlplane

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A Tenant is a user with the tenants' roles in one namespace, and no rights
// anywhere else.
type Tenant struct {
	// Namespace is the tenant's own.
	Namespace string
	// User is the tenant's name: tenant-NAMESPACE.
	User string
	// Kubeconfig is the path of a kubeconfig that defaults to the namespace.
	Kubeconfig string

	config *rest.Config
	cp     *ControlPlane
}

// Tenant makes a namespace, unless it exists, and a user that has the cluster
// roles of Options.TenantClusterRoles in it.
func (cp *ControlPlane) Tenant(ctx context.Context, namespace string) (*Tenant, error) {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if err := client.IgnoreAlreadyExists(cp.client.Create(ctx, ns)); err != nil {
		return nil, errors.Wrapf(err, "cannot create namespace %s", namespace)
	}

	t := &Tenant{
		Namespace:  namespace,
		User:       "tenant-" + namespace,
		Kubeconfig: cp.pkiFile("tenant-" + namespace + ".kubeconfig"),
		cp:         cp,
	}
	for _, role := range cp.options.TenantClusterRoles {
		b := &rbacv1.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: t.User + "-" + role},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: t.User}},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		}
		if err := client.IgnoreAlreadyExists(cp.client.Create(ctx, b)); err != nil {
			return nil, errors.Wrapf(err, "cannot bind role %s to %s", role, t.User)
		}
	}

	p, err := cp.pki.ca.issue(t.User, nil, nil)
	if err != nil {
		return nil, err
	}
	t.config = certificateConfig(cp.admin.Host, cp.pki.ca, p)
	return t, writeKubeconfig(t.Kubeconfig, t.config, namespace)
}

// Config returns the tenant's client configuration.
func (t *Tenant) Config() *rest.Config { return rest.CopyConfig(t.config) }

// Kubectl runs kubectl as the tenant, in the tenant's namespace by default. It
// returns what kubectl writes to standard output.
func (t *Tenant) Kubectl(ctx context.Context, args ...string) (string, error) {
	return t.cp.run(ctx, toolKubectl, t.Kubeconfig, args...)
}
