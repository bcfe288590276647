package main

import "testing"

// TestAdmitBucketAccess says what tenants may and may not write in a
// BucketAccess.
func TestAdmitBucketAccess(t *testing.T) {
	access := func(params object) object {
		return object{"forProvider": params, "writeConnectionSecretToRef": secretRef("keys")}
	}
	bucket := func(name string) object { return object{"bucketRef": object{"name": name}} }
	rotation := func(overlap string) object {
		return access(object{"bucketRef": object{"name": "assets"}, "rotation": object{"trigger": "1", "overlap": overlap}})
	}

	admit(t, "provider's bucketaccesses", map[string]admission{
		"Minimal": {
			reason: "A bucket and a Secret are enough.",
			spec:   access(bucket("assets")),
		},
		"Rotation": {
			reason: "An overlap may have hours, minutes and seconds.",
			spec:   rotation("1h30m5s"),
		},
		"NoBucket": {
			reason: "Keys to nothing open nothing.",
			spec:   access(object{}),
			want:   []string{"spec.forProvider.bucketRef: Required value"},
		},
		"OtherBucket": {
			reason: "Keys that someone holds must not come to open something else.",
			was:    access(bucket("assets")),
			spec:   access(bucket("logs")),
			want:   []string{"spec.forProvider.bucketRef: Invalid value: keys stay with their bucket: make a new BucketAccess for another"},
		},
		"NoSecret": {
			reason: "Keys that are not written down are lost.",
			spec:   object{"forProvider": bucket("assets")},
			want:   []string{"spec.writeConnectionSecretToRef: Invalid value: keys need a Secret to be written to"},
		},
		"NamelessSecret": {
			reason: "Likewise.",
			spec:   object{"forProvider": bucket("assets"), "writeConnectionSecretToRef": secretRef("")},
			want:   []string{"spec.writeConnectionSecretToRef: Invalid value: keys need a Secret to be written to"},
		},
		"UnknownAccess": {
			reason: "The modes that there are come with the message.",
			spec:   access(object{"bucketRef": object{"name": "assets"}, "access": "Admin"}),
			want:   []string{`spec.forProvider.access: Unsupported value: "Admin": supported values: "ReadOnly", "ReadWrite"`},
		},
		"WildcardPrefix": {
			reason: "In a policy these characters mean more than themselves.",
			spec:   access(object{"bucketRef": object{"name": "assets"}, "prefix": "a/${aws:username}/*"}),
			want:   []string{`spec.forProvider.prefix: Invalid value: "a/${aws:username}/*"`},
		},
		"NoOverlap": {
			reason: "An empty duration is none, and would keep the provider from reading anyone's BucketAccesses.",
			spec:   rotation(""),
			want:   []string{`spec.forProvider.rotation.overlap: Invalid value: ""`},
		},
		"OverlapOfAges": {
			reason: "A duration of more than 64 bits of nanoseconds would do the same.",
			spec:   rotation("99999999h"),
			want:   []string{`spec.forProvider.rotation.overlap: Invalid value: "99999999h"`},
		},
		"UnknownConfigKind": {
			reason: "There are two kinds of config.",
			spec: object{
				"forProvider": bucket("assets"), "writeConnectionSecretToRef": secretRef("keys"),
				"providerConfigRef": object{"kind": "providerconfig", "name": "a"},
			},
			want: []string{"spec.providerConfigRef.kind: Invalid value: the kind is ProviderConfig or ClusterProviderConfig"},
		},
	})
}
