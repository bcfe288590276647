package bucketaccess

import (
	"context"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/identity"
)

// Keys of the connection Secret: the names of the variables that S3 clients read, so
// that a container takes all of them from the Secret at once.
const (
	keyAccessKeyID     = "AWS_ACCESS_KEY_ID"
	keySecretAccessKey = "AWS_SECRET_ACCESS_KEY"
	keyRegion          = "AWS_REGION"
	keyDefaultRegion   = "AWS_DEFAULT_REGION"
	keyEndpoint        = "AWS_ENDPOINT_URL_S3"
	keyBucket          = "BUCKET_NAME"
	keyPrefix          = "BUCKET_PREFIX"
)

// readKey returns the key in the access's Secret; the zero Key if it has none. A
// Secret that is another's is an error: keys that cannot be written down must not be
// made.
func readKey(ctx context.Context, live client.Reader, a *v1beta1.BucketAccess) (identity.Key, error) {
	ref := a.GetWriteConnectionSecretToReference()
	if ref == nil {
		return identity.Key{}, errors.New("spec.writeConnectionSecretToRef: keys need a Secret to be written to")
	}

	secret := &corev1.Secret{}

	err := live.Get(ctx, types.NamespacedName{Namespace: a.GetNamespace(), Name: ref.Name}, secret)
	if kerrors.IsNotFound(err) {
		return identity.Key{}, nil
	}

	if err != nil {
		return identity.Key{}, errors.Wrapf(err, "cannot get Secret %q", ref.Name)
	}

	if owner := metav1.GetControllerOf(secret); owner == nil || owner.UID != a.GetUID() {
		return identity.Key{}, errors.Errorf("spec.writeConnectionSecretToRef: Secret %q exists and is not this resource's: name another", ref.Name)
	}

	key := identity.Key{AccessKeyID: string(secret.Data[keyAccessKeyID]), SecretAccessKey: string(secret.Data[keySecretAccessKey])}
	if key.AccessKeyID == "" || key.SecretAccessKey == "" {
		return identity.Key{}, nil
	}

	return key, nil
}

// details are the whole content of the Secret.
func (e *external) details(key identity.Key) managed.ConnectionDetails {
	d := managed.ConnectionDetails{
		keyAccessKeyID:     []byte(key.AccessKeyID),
		keySecretAccessKey: []byte(key.SecretAccessKey),
		keyRegion:          []byte(e.server.Region()),
		keyDefaultRegion:   []byte(e.server.Region()),
		keyBucket:          []byte(e.grant.Bucket),
		keyPrefix:          []byte(e.grant.Prefix),
	}

	if e.endpoint != "" {
		d[keyEndpoint] = []byte(e.endpoint)
	}

	return d
}
