package storage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// shop is an App whose buckets have the platform's config, if there is one.
func shop(config *app.ProviderConfigReference) *app.App {
	return &app.App{Namespace: "team-a", Name: "shop", BucketConfig: config}
}

// specOf is the spec of a rendered object, by the generated code's reading of it.
func specOf(t *testing.T, o any) string {
	t.Helper()

	b, err := wire.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := proto.Unmarshal(b, s); err != nil {
		t.Fatal(err)
	}

	y, err := yaml.Marshal(s.AsMap()["spec"])
	if err != nil {
		t.Fatal(err)
	}

	return string(y)
}

func object(t *testing.T, doc string) wire.Struct {
	t.Helper()

	o := map[string]any{}
	if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
		t.Fatal(err)
	}

	s, err := wire.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}

	return s
}

func TestNewBucket(t *testing.T) {
	cases := map[string]struct {
		reason string
		config *app.ProviderConfigReference
		bucket app.Bucket
		want   string
	}{
		"Least": {
			reason: "A Bucket should be asked for with no field that it has no opinion on.",
			bucket: app.Bucket{Name: "assets", Deletion: app.DeleteWhenEmpty},
			want:   "null\n",
		},
		"Whole": {
			reason: "Each field should be where a Bucket has it.",
			config: &app.ProviderConfigReference{Kind: "ClusterProviderConfig", Name: "minio"},
			bucket: app.Bucket{Name: "assets", Deletion: app.DeleteForce, Versioning: app.VersioningEnabled, Region: "eu-central-1"},
			want: `forProvider:
  forceDestroy: true
  region: eu-central-1
  versioning: Enabled
providerConfigRef:
  kind: ClusterProviderConfig
  name: minio
`,
		},
		"Orphan": {
			reason: "A bucket that outlives its Echo is one that may not be deleted.",
			bucket: app.Bucket{Name: "assets", Deletion: app.DeleteOrphan},
			want: `managementPolicies:
- Observe
- Create
- Update
- LateInitialize
`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b := NewBucket(shop(tc.config), tc.bucket, tc.bucket.Region)

			if diff := cmp.Diff(tc.want, specOf(t, b)); diff != "" {
				t.Errorf("\n%s\nspec: -want, +got:\n%s", tc.reason, diff)
			}

			if b.Metadata.Name != "shop-assets" || b.Metadata.Namespace != "team-a" {
				t.Errorf("want shop-assets in team-a, got %q in %q", b.Metadata.Name, b.Metadata.Namespace)
			}
		})
	}
}

func TestKeepBucket(t *testing.T) {
	cases := map[string]struct {
		reason   string
		observed string
		want     string
	}{
		"Defaults": {
			reason:   "What may be done to a Bucket by default should not be asked for.",
			observed: `{spec: {managementPolicies: ["*"], forProvider: {}}}`,
			want:     "null\n",
		},
		"AsItWas": {
			reason: "What becomes of a bucket in the end should be what was asked for, and what others set is theirs.",
			observed: `{spec: {managementPolicies: [Observe, Create, Update, LateInitialize], providerConfigRef: {kind: ClusterProviderConfig, name: minio},
  forProvider: {region: eu-central-1, forceDestroy: true, versioning: Enabled, tags: {a: b}}}}`,
			want: `forProvider:
  forceDestroy: true
  region: eu-central-1
  versioning: Enabled
managementPolicies:
- Observe
- Create
- Update
- LateInitialize
providerConfigRef:
  kind: ClusterProviderConfig
  name: minio
`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := KeepBucket(shop(nil), "assets", object(t, tc.observed))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, specOf(t, b)); diff != "" {
				t.Errorf("\n%s\nspec: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestAccess(t *testing.T) {
	config := &app.ProviderConfigReference{Kind: "ProviderConfig", Name: "mine"}
	fresh := NewAccess(shop(config), app.Bucket{Name: "assets", Access: app.BucketReadOnly})
	want := `forProvider:
  access: ReadOnly
  bucketRef:
    name: shop-assets
providerConfigRef:
  kind: ProviderConfig
  name: mine
writeConnectionSecretToRef:
  name: shop-assets-dec4082c11
`

	if diff := cmp.Diff(want, specOf(t, fresh)); diff != "" {
		t.Errorf("each field should be where a BucketAccess has it: -want, +got:\n%s", diff)
	}

	s, err := wire.Marshal(fresh)
	if err != nil {
		t.Fatal(err)
	}

	kept, err := KeepAccess(shop(nil), "assets", s)
	if err != nil {
		t.Fatal(err)
	}

	if diff := cmp.Diff(fresh, kept); diff != "" {
		t.Errorf("one that is kept should stay as it is: -want, +got:\n%s", diff)
	}
}

// TestSecretNames shows that no two buckets in a namespace have a Secret in common.
func TestSecretNames(t *testing.T) {
	one, other := &app.App{Name: "shop"}, &app.App{Name: "shop-old"}
	if a, b := one.BucketSecret("old-assets"), other.BucketSecret("assets"); a == b {
		t.Errorf("both have %q", a)
	}
}
