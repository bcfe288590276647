package main

import (
	"maps"
	"testing"
)

// TestAdmitProviderConfig says what tenants may and may not write in a
// ProviderConfig.
func TestAdmitProviderConfig(t *testing.T) {
	config := func(more object) object {
		spec := object{"credentials": object{"secretRef": secretRef("keys")}}
		maps.Copy(spec, more)
		return spec
	}

	admit(t, "provider's providerconfigs", map[string]admission{
		"AWS": {
			reason: "AWS itself needs no endpoint.",
			spec:   config(object{"identityAPI": "AWS", "region": "eu-central-1"}),
		},
		"MinIO": {
			reason: "A server of one's own has an endpoint, and perhaps an authority of its own.",
			spec:   config(object{"identityAPI": "MinIO", "endpoint": "https://[::1]:9000/", "caBundle": "-----BEGIN CERTIFICATE-----", "pathStyle": true}),
		},
		"NoCredentials": {
			reason: "Nothing is done in nobody's name.",
			spec:   object{"region": "eu-central-1"},
			want:   []string{"spec.credentials: Required value"},
		},
		"NoSecret": {
			reason: "A tenant's config has its credentials from a Secret, never from the provider's environment.",
			spec:   object{"credentials": object{}},
			want:   []string{"spec.credentials.secretRef: Required value"},
		},
		"FromEnvironment": {
			reason: "Likewise.",
			spec:   object{"credentials": object{"source": "Environment", "secretRef": secretRef("keys")}},
			want:   []string{"spec.credentials.source: unknown field"},
		},
		"ForeignSecret": {
			reason: "A config cannot point at the Secret of a neighbour.",
			spec:   object{"credentials": object{"secretRef": object{"name": "keys", "namespace": "team-b"}}},
			want:   []string{"spec.credentials.secretRef.namespace: unknown field"},
		},
		"AllowedNamespaces": {
			reason: "A config serves its own namespace.",
			spec:   config(object{"allowedNamespaces": object{"names": []any{"team-b"}}}),
			want:   []string{"spec.allowedNamespaces: unknown field"},
		},
		"EndpointWithUser": {
			reason: "Keys belong into the Secret.",
			spec:   config(object{"endpoint": "https://key:secret@s3.example.com"}),
			want:   []string{`spec.endpoint: Invalid value: "https://key:secret@s3.example.com"`},
		},
		"EndpointOfFile": {
			reason: "An endpoint speaks HTTP.",
			spec:   config(object{"endpoint": "file:///etc/passwd"}),
			want:   []string{`spec.endpoint: Invalid value: "file:///etc/passwd"`},
		},
		"AuthorityWithoutTLS": {
			reason: "There is no certificate to check.",
			spec:   config(object{"endpoint": "http://s3.example.com", "caBundle": "x"}),
			want:   []string{"spec.caBundle: Invalid value: a CA bundle needs an endpoint that begins with https://"},
		},
		"MinIOWithoutEndpoint": {
			reason: "AWS has no such API.",
			spec:   config(object{"identityAPI": "MinIO"}),
			want:   []string{"spec.endpoint: Invalid value: this identity API needs an endpoint"},
		},
	})
}

// TestAdmitClusterProviderConfig says what the platform team may and may not
// write in a ClusterProviderConfig.
func TestAdmitClusterProviderConfig(t *testing.T) {
	fromSecret := object{"source": "Secret", "secretRef": object{"name": "keys", "namespace": "crossplane-system"}}

	admit(t, "provider's clusterproviderconfigs", map[string]admission{
		"Secret": {
			reason: "The Secret's namespace has to be named.",
			spec:   object{"credentials": fromSecret, "allowedNamespaces": object{"names": []any{"*"}}},
		},
		"Environment": {
			reason: "The provider's own environment needs no Secret.",
			spec: object{
				"credentials":       object{"source": "Environment"},
				"allowedNamespaces": object{"selector": object{"matchLabels": object{"tier": "gold"}}},
			},
		},
		"Both": {
			reason: "Two sources would leave open which one holds.",
			spec:   object{"credentials": object{"source": "Environment", "secretRef": object{"name": "keys", "namespace": "crossplane-system"}}},
			want:   []string{"spec.credentials.secretRef: Invalid value: secretRef goes with the source Secret, and with no other"},
		},
		"SecretOfNoName": {
			reason: "A source that is not said cannot be read.",
			spec:   object{"credentials": object{"source": "Secret"}},
			want:   []string{"spec.credentials.secretRef: Invalid value: secretRef goes with the source Secret, and with no other"},
		},
		"NoNamespace": {
			reason: "A config of the cluster has no namespace to take the Secret from.",
			spec:   object{"credentials": object{"source": "Secret", "secretRef": secretRef("keys")}},
			want:   []string{"spec.credentials.secretRef.namespace: Required value"},
		},
		"NamespaceTwice": {
			reason: "Names are a set.",
			spec:   object{"credentials": fromSecret, "allowedNamespaces": object{"names": []any{"a", "a"}}},
			want:   []string{`spec.allowedNamespaces.names[1]: Duplicate value: "a"`},
		},
		"VersitygwWithoutEndpoint": {
			reason: "AWS has no such API.",
			spec:   object{"credentials": fromSecret, "identityAPI": "Versitygw"},
			want:   []string{"spec.endpoint: Invalid value: this identity API needs an endpoint"},
		},
	})
}
