package config

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"my-operator.dev/echo/apis/provider/v1beta1"
	storage "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/s3"
)

func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()

	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, v1beta1.AddToScheme, storage.AddToScheme} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}

	return s
}

// bucket of namespace team-a that names a config.
func bucket(kind, name string, change ...func(*storage.Bucket)) *storage.Bucket {
	b := &storage.Bucket{
		TypeMeta:   metav1.TypeMeta{APIVersion: storage.APIVersion, Kind: storage.KindBucket},
		ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "assets", UID: types.UID("u-i-d")},
	}
	b.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: kind, Name: name}

	for _, c := range change {
		c(b)
	}

	return b
}

func deleted(b *storage.Bucket) {
	b.DeletionTimestamp = &metav1.Time{Time: time.Now()}
}

func secret(namespace, name string, data map[string]string) *corev1.Secret {
	s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: map[string][]byte{}}
	for k, v := range data {
		s.Data[k] = []byte(v)
	}

	return s
}

func TestConnection(t *testing.T) {
	keys := map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "s3cret"}
	local := &v1beta1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "mine"}}
	local.Spec.Endpoint = "https://s3.example.com"
	local.Spec.Region = "here"
	local.Spec.IdentityAPI = v1beta1.IdentityMinIO
	local.Spec.Credentials.SecretRef.Name = "keys"

	cluster := &v1beta1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	cluster.Spec.Endpoint = "https://s3.example.com"
	cluster.Spec.AllowedNamespaces.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"s3": "yes"}}
	cluster.Spec.Credentials = v1beta1.ClusterCredentials{Source: v1beta1.CredentialsSecret, SecretRef: &v1beta1.SecretReference{Namespace: "vault", Name: "hidden"}}

	namespace := func(label string) *corev1.Namespace {
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team-a", Labels: map[string]string{"s3": label}}}
	}

	leaving := cluster.DeepCopy()
	leaving.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	leaving.Finalizers = []string{finalizer}

	environment := cluster.DeepCopy()
	environment.Spec.Endpoint, environment.Spec.Region = "", "eu-west-1"
	environment.Spec.AllowedNamespaces = v1beta1.AllowedNamespaces{Names: []string{"team-a"}}
	environment.Spec.Credentials = v1beta1.ClusterCredentials{Source: v1beta1.CredentialsEnvironment}

	type want struct {
		Endpoint, Region, Identity, ID string
		PathStyle, Environment         bool
		Usages                         int
		Err                            string
	}

	good := want{Endpoint: "https://s3.example.com", ID: "id", PathStyle: true, Identity: "None", Usages: 1}
	absent := want{Err: `there is no ClusterProviderConfig "default" that allows namespace "team-a"`}

	cases := map[string]struct {
		reason    string
		endpoints string
		objects   []client.Object
		bucket    *storage.Bucket
		want      want
	}{
		"Local": {
			reason:  "A config of the resource's namespace.",
			objects: []client.Object{local, secret("team-a", "keys", keys)},
			bucket:  bucket("ProviderConfig", "mine"),
			want:    want{Endpoint: "https://s3.example.com", Region: "here", ID: "id", PathStyle: true, Identity: "MinIO", Usages: 1},
		},
		"LocalElsewhere": {
			reason:  "A Secret of another namespace is no use to it.",
			objects: []client.Object{local, secret("team-b", "keys", keys)},
			bucket:  bucket("ProviderConfig", "mine"),
			want:    want{Usages: 1, Err: `cannot use ProviderConfig "mine": its Secret "keys": does not exist`},
		},
		"LocalAbsent": {
			reason: "A config that does not exist is said not to.",
			bucket: bucket("ProviderConfig", "other"),
			want:   want{Err: `there is no ProviderConfig "other" in namespace "team-a"`},
		},
		"LocalEndpoint": {
			reason:    "An endpoint that tenants may not name is refused before anything is read.",
			endpoints: "none",
			objects:   []client.Object{local, secret("team-a", "keys", keys)},
			bucket:    bucket("ProviderConfig", "mine"),
			want:      want{Err: `cannot use ProviderConfig "mine": spec.endpoint: this platform does not let a ProviderConfig use "https://s3.example.com"`},
		},
		"Cluster": {
			reason:    "The platform's config, whose endpoint is not subject to the tenants' list.",
			endpoints: "none",
			objects:   []client.Object{cluster, namespace("yes"), secret("vault", "hidden", keys)},
			bucket:    bucket("ClusterProviderConfig", "default"),
			want:      good,
		},
		"ClusterNotAllowed": {
			reason:  "A namespace that is not allowed leaves no usage behind.",
			objects: []client.Object{cluster, namespace("no"), secret("vault", "hidden", keys)},
			bucket:  bucket("ClusterProviderConfig", "default"),
			want:    absent,
		},
		"ClusterAbsent": {
			reason:  "And hears the same as if there were no such config.",
			objects: []client.Object{namespace("yes")},
			bucket:  bucket("ClusterProviderConfig", "default"),
			want:    absent,
		},
		"ClusterSecretAbsent": {
			reason:  "Where the platform keeps its Secrets is not said.",
			objects: []client.Object{cluster, namespace("yes")},
			bucket:  bucket("ClusterProviderConfig", "default"),
			want:    want{Usages: 1, Err: `cannot use ClusterProviderConfig "default": its Secret: does not exist`},
		},
		"Environment": {
			reason:  "The environment's credentials, for AWS itself.",
			objects: []client.Object{environment},
			bucket:  bucket("ClusterProviderConfig", "default"),
			want:    want{Region: "eu-west-1", Identity: "None", Environment: true, Usages: 1},
		},
		"LeavingNew": {
			reason:  "A config that is being deleted takes no new users.",
			objects: []client.Object{leaving, namespace("yes"), secret("vault", "hidden", keys)},
			bucket:  bucket("ClusterProviderConfig", "default"),
			want:    want{Err: `ClusterProviderConfig "default" is being deleted, and takes no new users`},
		},
		"LeavingOld": {
			reason:  "Who made something by it may go on.",
			objects: []client.Object{leaving, namespace("yes"), secret("vault", "hidden", keys)},
			bucket:  bucket("ClusterProviderConfig", "default", func(b *storage.Bucket) { b.SetConditions(xpv2.Available()) }),
			want:    good,
		},
		"LeavingDeleted": {
			reason:  "And who is being deleted too.",
			objects: []client.Object{leaving, namespace("yes"), secret("vault", "hidden", keys)},
			bucket:  bucket("ClusterProviderConfig", "default", deleted),
			want:    good,
		},
		"OtherKind": {
			reason: "There are two kinds of config.",
			bucket: bucket("Secret", "x"),
			want:   want{Err: `spec.providerConfigRef.kind: "Secret" is neither ProviderConfig nor ClusterProviderConfig`},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if tc.endpoints == "" {
				tc.endpoints = "any"
			}

			endpoints, err := ParseEndpoints(tc.endpoints)
			if err != nil {
				t.Fatal(err)
			}

			c := fake.NewClientBuilder().WithScheme(scheme(t)).WithObjects(tc.objects...).Build()
			r := NewResolver(c, c, endpoints, logging.NewNopLogger())

			var conn Connection
			// Twice, since the second time everything is known already.
			for range 2 {
				conn, err = r.Connection(t.Context(), tc.bucket)
			}

			usages := &v1beta1.ProviderConfigUsageList{}
			if err := c.List(t.Context(), usages); err != nil {
				t.Fatal(err)
			}

			got := want{
				Endpoint: conn.S3.Endpoint, Region: conn.Region, Identity: string(conn.IdentityAPI), ID: conn.S3.Credentials.AccessKeyID,
				PathStyle: conn.S3.PathStyle, Environment: conn.S3.Credentials.Environment, Usages: len(usages.Items),
			}
			if err != nil {
				got.Err = err.Error()
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nConnection(...): -want, +got:\n%s", tc.reason, diff)
			}

			if strings.Contains(got.Err, "s3cret") || strings.Contains(got.Err, "hidden") || strings.Contains(got.Err, "vault") {
				t.Errorf("\n%s\nConnection(...): says too much: %s", tc.reason, got.Err)
			}
		})
	}
}

func TestSecretOfDeletedNamespace(t *testing.T) {
	config := &v1beta1.ProviderConfig{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: "mine"}}
	config.Spec.Credentials.SecretRef.Name = "keys"
	keys := secret("team-a", "keys", map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key"})
	c := fake.NewClientBuilder().WithScheme(scheme(t)).WithObjects(config, keys).Build()
	r := NewResolver(c, c, Endpoints{any: true}, logging.NewNopLogger())
	now := time.Now()
	r.secrets.now = func() time.Time { return now }

	if _, err := r.Connection(t.Context(), bucket("ProviderConfig", "mine")); err != nil {
		t.Fatal(err)
	}

	if err := c.Delete(t.Context(), keys); err != nil {
		t.Fatal(err)
	}

	now = now.Add(rememberRead)

	if _, err := r.Connection(t.Context(), bucket("ProviderConfig", "mine")); err == nil {
		t.Error("a resource that stays must not use a Secret that is gone")
	}

	got, err := r.Connection(t.Context(), bucket("ProviderConfig", "mine", deleted))
	if err != nil || got.S3.Credentials != (s3.Credentials{AccessKeyID: "id", SecretAccessKey: "key"}) {
		t.Errorf("a resource that is being deleted must be able to: %v", err)
	}
}

func TestTrackWrites(t *testing.T) {
	config := &v1beta1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("long", 20)}}
	config.Spec.AllowedNamespaces.Names = []string{"*"}
	config.Spec.Credentials.Source = v1beta1.CredentialsEnvironment
	other := config.DeepCopy()
	other.Name = "other"
	// The other's own controller has not come to it yet.
	config.Finalizers = []string{finalizer}

	writes := 0
	c := interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme(t)).WithObjects(config, other).Build(), interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			writes++
			return c.Create(ctx, o, opts...)
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			writes++
			return c.Update(ctx, o, opts...)
		},
	})
	r := NewResolver(c, c, Endpoints{}, logging.NewNopLogger())

	for _, step := range []struct {
		reason string
		name   string
		writes int
	}{
		{reason: "The first use is written down.", name: config.Name, writes: 1},
		{reason: "The second is known.", name: config.Name, writes: 1},
		{reason: "Another config is held, and its use written down.", name: other.Name, writes: 3},
		{reason: "And then known.", name: other.Name, writes: 3},
	} {
		if _, err := r.Connection(t.Context(), bucket("ClusterProviderConfig", step.name)); err != nil {
			t.Fatal(err)
		}

		if writes != step.writes {
			t.Errorf("%s want %d writes so far, got %d", step.reason, step.writes, writes)
		}
	}
}
