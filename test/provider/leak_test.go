package provider

import (
	"bytes"
	"context"
	"os"
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// secrets are all secret keys that a test has come to know: those of administrators,
// and those that the provider made.
var secrets struct {
	sync.Mutex

	known []string
}

// remember a secret key, to look for it in the end.
func remember(secret string) {
	secrets.Lock()
	defer secrets.Unlock()

	secrets.known = append(secrets.known, secret)
}

// nothingLeaked is an error if a secret key is in the provider's log, which tells of
// all it does, in an event, or in a resource.
func nothingLeaked(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()

	process, err := cp.ProviderProcess(providerName)
	if err != nil {
		return err
	}

	said := map[string][]byte{}
	if said["the provider's log"], err = os.ReadFile(process.Log); err != nil {
		return err
	}

	for what, list := range map[string]client.ObjectList{
		"an event":                &corev1.EventList{},
		"a Bucket":                &storagev1beta1.BucketList{},
		"a BucketAccess":          &storagev1beta1.BucketAccessList{},
		"a ProviderConfig":        &providerv1beta1.ProviderConfigList{},
		"a ClusterProviderConfig": &providerv1beta1.ClusterProviderConfigList{},
		"a ProviderConfigUsage":   &providerv1beta1.ProviderConfigUsageList{},
		"a ConfigMap":             &corev1.ConfigMapList{},
	} {
		if err := root.List(ctx, list); err != nil {
			return err
		}
		if said[what], err = yaml.Marshal(list); err != nil {
			return err
		}
	}

	if !bytes.Contains(said["the provider's log"], []byte("DEBUG")) && !bytes.Contains(said["the provider's log"], []byte("debug")) {
		return errors.Errorf("the provider's log tells nothing:\n%.1000s", said["the provider's log"])
	}

	secrets.Lock()
	defer secrets.Unlock()

	for what, text := range said {
		for _, s := range secrets.known {
			if i := bytes.Index(text, []byte(s)); i >= 0 {
				return errors.Errorf("a secret key is in %s: ...%s<here>", what, text[max(0, i-200):i])
			}
		}
	}

	return nil
}
