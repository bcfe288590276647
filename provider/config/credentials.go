package config

import (
	"context"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/provider/s3"
)

// Keys of a Secret of credentials: the names of the variables by which AWS's SDKs
// take them from the environment.
const (
	keyAccessKeyID     = "AWS_ACCESS_KEY_ID"
	keySecretAccessKey = "AWS_SECRET_ACCESS_KEY"
	keySessionToken    = "AWS_SESSION_TOKEN"
)

// What a Secret can be like that cannot be used. They are said after its name.
var (
	errNoSecret        = errors.New("does not exist")
	errSecretForbidden = errors.New("may not be read by the provider")
	errSecretUnread    = errors.New("cannot be read from the API server now")
)

// readCredentials returns a function that reads the credentials in a Secret.
func readCredentials(live client.Reader) func(context.Context, types.NamespacedName) (s3.Credentials, error) {
	return func(ctx context.Context, name types.NamespacedName) (s3.Credentials, error) {
		secret := &corev1.Secret{}

		err := live.Get(ctx, name, secret)
		switch {
		case kerrors.IsNotFound(err):
			return s3.Credentials{}, errNoSecret
		case kerrors.IsForbidden(err):
			return s3.Credentials{}, errSecretForbidden
		case err != nil:
			return s3.Credentials{}, errSecretUnread
		}

		return credentials(secret.Data)
	}
}

// credentials in the data of a Secret. White space around a value is not part of it:
// values often end in a line break that nobody meant. An error names every key that
// is wrong, and no value.
func credentials(data map[string][]byte) (s3.Credentials, error) {
	var wrong []string

	value := func(key string, required bool) string {
		raw, ok := data[key]
		v := strings.TrimSpace(string(raw))

		switch {
		case !ok && required:
			wrong = append(wrong, "has no "+key)
		case v == "" && required:
			wrong = append(wrong, "has an empty "+key)
		case strings.ContainsFunc(v, func(c rune) bool { return c <= ' ' || c > '~' }):
			wrong = append(wrong, "has characters in "+key+" that no key has")
		}

		return v
	}

	out := s3.Credentials{
		AccessKeyID:     value(keyAccessKeyID, true),
		SecretAccessKey: value(keySecretAccessKey, true),
		SessionToken:    value(keySessionToken, false),
	}

	if len(wrong) > 0 {
		return s3.Credentials{}, errors.New(strings.Join(wrong, " and "))
	}

	return out, nil
}

// readLabels returns a function that reads the labels of a namespace.
func readLabels(live client.Reader) func(context.Context, types.NamespacedName) (labels.Set, error) {
	return func(ctx context.Context, name types.NamespacedName) (labels.Set, error) {
		namespace := &metav1.PartialObjectMetadata{}
		namespace.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))

		if err := live.Get(ctx, name, namespace); err != nil {
			return nil, errors.Wrap(err, "cannot get namespace")
		}

		return namespace.GetLabels(), nil
	}
}
