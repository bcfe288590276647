package config

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

// How long what was read live is remembered. Thousands of resources share a Secret,
// and each may be reconciled at any moment: one read for all of them is enough.
const (
	// rememberRead is also how long keys that were taken out of a Secret, but that
	// the server still accepts, may be used.
	rememberRead = 30 * time.Second

	// rememberFailure is short, since somebody may be repairing it right now.
	rememberFailure = 5 * time.Second
)

// A Resolver finds the connections of managed resources, and writes down which
// configs they use. It is safe for concurrent use.
type Resolver struct {
	client     client.Client
	endpoints  Endpoints
	secrets    *recent[types.NamespacedName, s3.Credentials]
	namespaces *recent[types.NamespacedName, labels.Set]
	log        logging.Logger
}

// NewResolver returns a Resolver. The client's reads of configs and usages are best
// cached. The live reader reads Secrets and the labels of namespaces. Endpoints are
// those that a tenant's config may name.
func NewResolver(c client.Client, live client.Reader, endpoints Endpoints, log logging.Logger) *Resolver {
	return &Resolver{
		client:     c,
		endpoints:  endpoints,
		secrets:    newRecent(readCredentials(live)),
		namespaces: newRecent(readLabels(live)),
		log:        log,
	}
}

// Connection returns the connection of a managed resource, having written down that
// the resource uses the config it names. An error is fit for a condition of the
// resource.
func (r *Resolver) Connection(ctx context.Context, mg resource.ModernManaged) (Connection, error) {
	ref := mg.GetProviderConfigReference()
	if ref == nil {
		return Connection{}, errors.New("spec.providerConfigRef: the resource names no config")
	}

	switch ref.Kind {
	case v1beta1.KindProviderConfig:
		return r.local(ctx, mg, ref.Name)
	case v1beta1.KindClusterProviderConfig:
		return r.cluster(ctx, mg, ref.Name)
	default:
		return Connection{}, errors.Errorf("spec.providerConfigRef.kind: %q is neither %s nor %s", ref.Kind, v1beta1.KindProviderConfig, v1beta1.KindClusterProviderConfig)
	}
}

// AllowRegion returns an error if a resource may not be in a region that it names
// itself. AWS has an endpoint in each, and the platform may not let tenants' configs
// use all of them.
func (r *Resolver) AllowRegion(mg resource.ModernManaged, c Connection, region string) error {
	ref := mg.GetProviderConfigReference()
	if ref == nil || ref.Kind != v1beta1.KindProviderConfig {
		return nil
	}

	if r.endpoints.Allow(v1beta1.Connection{Endpoint: c.S3.Endpoint, Region: region}) != nil {
		return errors.Errorf("spec.forProvider.region: this platform does not let a ProviderConfig use AWS's own endpoint in region %q", region)
	}

	return nil
}

// Forget has the next Connection of the resource read its credentials anew. To be
// called when the server refuses them: a Secret may have been changed since.
func (r *Resolver) Forget(ctx context.Context, mg resource.ModernManaged) {
	ref := mg.GetProviderConfigReference()
	if ref == nil {
		return
	}

	switch ref.Kind {
	case v1beta1.KindProviderConfig:
		pc := &v1beta1.ProviderConfig{}
		if err := r.client.Get(ctx, types.NamespacedName{Namespace: mg.GetNamespace(), Name: ref.Name}, pc); err == nil {
			r.secrets.forget(localSecret(pc))
		}
	case v1beta1.KindClusterProviderConfig:
		cpc := &v1beta1.ClusterProviderConfig{}
		if err := r.client.Get(ctx, types.NamespacedName{Name: ref.Name}, cpc); err == nil && cpc.Spec.Credentials.SecretRef != nil {
			r.secrets.forget(clusterSecret(cpc))
		}
	}
}

// local is the connection by a config of the resource's own namespace.
func (r *Resolver) local(ctx context.Context, mg resource.ModernManaged, name string) (Connection, error) {
	pc := &v1beta1.ProviderConfig{}

	err := r.client.Get(ctx, types.NamespacedName{Namespace: mg.GetNamespace(), Name: name}, pc)
	if kerrors.IsNotFound(err) {
		return Connection{}, errors.Errorf("there is no ProviderConfig %q in namespace %q", name, mg.GetNamespace())
	}

	if err != nil {
		return Connection{}, errors.Wrapf(err, "cannot get ProviderConfig %q", name)
	}

	if err := r.endpoints.Allow(pc.Spec.Connection); err != nil {
		return Connection{}, errors.Wrapf(err, "cannot use ProviderConfig %q", name)
	}

	if err := r.track(ctx, mg, pc); err != nil {
		return Connection{}, err
	}

	credentials, err := r.credentials(ctx, mg, localSecret(pc))
	if err != nil {
		return Connection{}, errors.Wrapf(err, "cannot use ProviderConfig %q: its Secret %q", name, pc.Spec.Credentials.SecretRef.Name)
	}

	return connection(pc.Spec.Connection, credentials), nil
}

// cluster is the connection by a config of the platform's.
func (r *Resolver) cluster(ctx context.Context, mg resource.ModernManaged, name string) (Connection, error) {
	cpc := &v1beta1.ClusterProviderConfig{}

	err := r.client.Get(ctx, types.NamespacedName{Name: name}, cpc)
	if client.IgnoreNotFound(err) != nil {
		return Connection{}, errors.Wrapf(err, "cannot get ClusterProviderConfig %q", name)
	}

	if err != nil || !r.allowed(ctx, cpc, mg.GetNamespace()) {
		// The same words for both: what there is for others is not the tenant's to know.
		return Connection{}, errors.Errorf("there is no ClusterProviderConfig %q that allows namespace %q", name, mg.GetNamespace())
	}

	if err := r.track(ctx, mg, cpc); err != nil {
		return Connection{}, err
	}

	if cpc.Spec.Credentials.Source == v1beta1.CredentialsEnvironment {
		return connection(cpc.Spec.Connection, s3.Credentials{Environment: true}), nil
	}

	if cpc.Spec.Credentials.SecretRef == nil {
		return Connection{}, errors.Errorf("cannot use ClusterProviderConfig %q: it names no Secret", name)
	}

	credentials, err := r.credentials(ctx, mg, clusterSecret(cpc))
	if err != nil {
		// Where the platform keeps its Secret is not the tenant's to know either.
		return Connection{}, errors.Wrapf(err, "cannot use ClusterProviderConfig %q: its Secret", name)
	}

	return connection(cpc.Spec.Connection, credentials), nil
}

// allowed tells whether a config allows a namespace. What cannot be read allows
// nothing.
func (r *Resolver) allowed(ctx context.Context, cpc *v1beta1.ClusterProviderConfig, namespace string) bool {
	ok, err := allows(cpc.Spec.AllowedNamespaces, namespace, func() (labels.Set, error) {
		return r.namespaces.get(ctx, types.NamespacedName{Name: namespace})
	})
	if err != nil {
		r.log.Info("Cannot tell whether a ClusterProviderConfig allows a namespace", "config", cpc.GetName(), "namespace", namespace, "error", err)
	}

	return ok && err == nil
}

// credentials of a Secret. A resource that is being deleted may use those that the
// Secret held until a while ago: when a namespace is deleted its Secrets go first,
// nobody can bring them back, and the resource could never be cleaned up.
func (r *Resolver) credentials(ctx context.Context, mg resource.ModernManaged, secret types.NamespacedName) (s3.Credentials, error) {
	credentials, err := r.secrets.get(ctx, secret)
	if err == nil {
		return credentials, nil
	}

	r.log.Debug("Cannot read credentials", "secret", secret, "error", err)

	if meta.WasDeleted(mg) && errors.Is(err, errNoSecret) {
		if last, ok := r.secrets.last(secret); ok {
			return last, nil
		}
	}

	return s3.Credentials{}, err
}

func localSecret(pc *v1beta1.ProviderConfig) types.NamespacedName {
	return types.NamespacedName{Namespace: pc.GetNamespace(), Name: pc.Spec.Credentials.SecretRef.Name}
}

func clusterSecret(cpc *v1beta1.ClusterProviderConfig) types.NamespacedName {
	return types.NamespacedName{Namespace: cpc.Spec.Credentials.SecretRef.Namespace, Name: cpc.Spec.Credentials.SecretRef.Name}
}
