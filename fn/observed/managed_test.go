package observed

import "testing"

func TestReadBucket(t *testing.T) {
	b, err := ReadBucket(object(t, `
apiVersion: storage.my-operator.dev/v1beta1
kind: Bucket
metadata: {name: shop-assets, annotations: {crossplane.io/external-name: team-a-shop-assets-4jv2k7qpxd}}
spec: {forProvider: {region: eu-central-1}}
status: {conditions: [{type: Ready, status: "True"}]}
`))
	if err != nil {
		t.Fatal(err)
	}

	if b.Metadata.Annotations.ExternalName != "team-a-shop-assets-4jv2k7qpxd" || b.Spec.ForProvider.Region != "eu-central-1" || b.Condition("Ready").Status != "True" {
		t.Errorf("want the Bucket's external name, region and condition, got %+v", b)
	}
}

func TestBucketAccessIssued(t *testing.T) {
	cases := map[string]struct {
		reason string
		access string
		want   bool
	}{
		"New": {
			reason: "An access that nobody has looked at has no keys.",
			access: `{metadata: {name: shop-assets}}`,
		},
		"Keys": {
			reason: "Keys are there as soon as the status has their ID.",
			access: `{status: {atProvider: {accessKeyID: K}, conditions: [{type: Ready, status: "True"}]}}`,
			want:   true,
		},
		"Unready": {
			reason: "Keys stay in their Secret when the access gets unready.",
			access: `{status: {atProvider: {accessKeyID: K}, conditions: [{type: Ready, status: "False"}]}}`,
			want:   true,
		},
		"Terminating": {
			reason: "The keys of an access that is on its way out go with it.",
			access: `{metadata: {deletionTimestamp: "2026-01-02T12:00:00Z"}, status: {atProvider: {accessKeyID: K}}}`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a, err := ReadBucketAccess(object(t, tc.access))
			if err != nil {
				t.Fatal(err)
			}

			if got := a.Issued(); got != tc.want {
				t.Errorf("\n%s\nwant issued: %t, got %t", tc.reason, tc.want, got)
			}
		})
	}
}
