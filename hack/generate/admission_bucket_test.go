package main

import (
	"strings"
	"testing"
)

// TestAdmitBucket says what tenants may and may not write in a Bucket, and what
// they may change.
func TestAdmitBucket(t *testing.T) {
	params := func(p object) object { return object{"forProvider": p} }
	retention := func(r object) object {
		return params(object{"versioning": "Enabled", "objectLock": object{"defaultRetention": r}})
	}
	rule := func(r object) object { return params(object{"lifecycleRules": []any{r}}) }

	admit(t, "provider's buckets", map[string]admission{
		"Empty": {
			reason: "A Bucket needs nothing but a name.",
		},
		"Everything": {
			reason: "All that a Bucket can have goes together.",
			spec: object{
				"providerConfigRef":  object{"kind": "ProviderConfig", "name": "mine"},
				"managementPolicies": []any{"Observe", "Create", "Update"},
				"forProvider": object{
					"region": "eu-central-1", "versioning": "Enabled", "policy": "{}", "quota": "10Gi", "forceDestroy": true, "adopt": true,
					"objectLock": object{"defaultRetention": object{"mode": "Governance", "days": int64(1)}},
					"tags":       object{"team": "ä b_.:/=+-@", "cost/centre": ""},
					"lifecycleRules": []any{
						object{"id": "logs", "prefix": "logs/", "expirationDays": int64(30), "noncurrentExpirationDays": int64(7), "abortUploadsAfterDays": int64(1)},
						object{"id": "cold", "transitions": []any{object{"days": int64(0), "storageClass": "GLACIER"}}},
						object{"id": "markers", "expireDeleteMarkers": true, "disabled": true},
					},
					"corsRules":         []any{object{"allowedOrigins": []any{"https://*.example.com"}, "allowedMethods": []any{"GET", "PUT"}, "maxAgeSeconds": int64(600)}},
					"publicAccessBlock": object{"blockPublicACLs": true},
					"encryption":        object{"algorithm": "aws:kms", "kmsKeyID": "key"},
				},
			},
		},
		"QuotaAsNumber": {
			reason: "A quantity may be a number.",
			spec:   params(object{"quota": int64(1024)}),
		},
		"RegionKept": {
			reason: "What stays the same is no move.",
			was:    params(object{"region": "eu-central-1"}),
			spec:   params(object{"region": "eu-central-1", "forceDestroy": true}),
		},
		"RegionChanged": {
			reason: "A bucket is made in one region and stays there.",
			was:    params(object{"region": "eu-central-1"}),
			spec:   params(object{"region": "us-east-1"}),
			want:   []string{`spec.forProvider.region: Invalid value: "us-east-1": a bucket cannot move to another region`},
		},
		"RegionAdded": {
			reason: "A region that comes later would be another than the config's.",
			was:    params(object{}),
			spec:   params(object{"region": "us-east-1"}),
			want:   []string{"spec.forProvider.region: Invalid value: a bucket cannot move to another region"},
		},
		"RegionRemoved": {
			reason: "A region that goes would give way to the config's, even if all of forProvider goes.",
			was:    params(object{"region": "us-east-1"}),
			spec:   object{},
			want:   []string{"spec.forProvider.region: Invalid value: a bucket cannot move to another region"},
		},
		"LockWithoutVersioning": {
			reason: "Servers lock versions, so there must be some.",
			spec:   params(object{"objectLock": object{}}),
			want:   []string{"spec.forProvider.versioning: Invalid value: object lock needs versioning to be Enabled"},
		},
		"LockWithVersioningSuspended": {
			reason: "Likewise.",
			spec:   params(object{"objectLock": object{}, "versioning": "Suspended"}),
			want:   []string{"spec.forProvider.versioning: Invalid value: object lock needs versioning to be Enabled"},
		},
		"LockAdded": {
			reason: "A bucket has object lock from its making, or never.",
			was:    params(object{"versioning": "Enabled"}),
			spec:   params(object{"versioning": "Enabled", "objectLock": object{}}),
			want:   []string{"spec.forProvider.objectLock: Invalid value: object lock is decided when a bucket is made"},
		},
		"LockRemoved": {
			reason: "Likewise.",
			was:    params(object{"versioning": "Enabled", "objectLock": object{}}),
			spec:   params(object{"versioning": "Enabled"}),
			want:   []string{"spec.forProvider.objectLock: Invalid value: object lock is decided when a bucket is made"},
		},
		"DaysAndYears": {
			reason: "Two durations would leave open which one holds.",
			spec:   retention(object{"mode": "Compliance", "days": int64(1), "years": int64(1)}),
			want:   []string{"spec.forProvider.objectLock.defaultRetention: Invalid value: give either days or years"},
		},
		"NeitherDaysNorYears": {
			reason: "A retention of no duration means nothing.",
			spec:   retention(object{"mode": "Compliance"}),
			want:   []string{"spec.forProvider.objectLock.defaultRetention: Invalid value: give either days or years"},
		},
		"ReservedTag": {
			reason: "Who could write the provider's own tags could take over buckets.",
			spec:   params(object{"tags": object{"my-operator.dev/owner-uid": "me"}}),
			want:   []string{"spec.forProvider.tags: Invalid value: tags that begin with my-operator.dev/ or aws: are reserved"},
		},
		"TagOfAWS": {
			reason: "AWS refuses these from anyone.",
			spec:   params(object{"tags": object{"aws:cloudformation": "x"}}),
			want:   []string{"spec.forProvider.tags: Invalid value: tags that begin with my-operator.dev/ or aws: are reserved"},
		},
		"BadTagKey": {
			reason: "A server would refuse the key.",
			spec:   params(object{"tags": object{"a\nb": "x"}}),
			want:   []string{"spec.forProvider.tags: Invalid value: a tag's key has 1 to 128 letters, digits, spaces and _ . : / = + - @"},
		},
		"LongTagKey": {
			reason: "Likewise.",
			spec:   params(object{"tags": object{strings.Repeat("k", 129): "x"}}),
			want:   []string{"spec.forProvider.tags: Invalid value: a tag's key has 1 to 128 letters, digits, spaces and _ . : / = + - @"},
		},
		"BadTagValue": {
			reason: "A server would refuse the value.",
			spec:   params(object{"tags": object{"a": "<x>"}}),
			want:   []string{`spec.forProvider.tags.a: Invalid value: "<x>"`},
		},
		"IdleRule": {
			reason: "A server would refuse a rule that does nothing.",
			spec:   rule(object{"id": "a"}),
			want:   []string{"spec.forProvider.lifecycleRules[0]: Invalid value: a rule needs something to do"},
		},
		"ExpirationTwice": {
			reason: "A server would refuse both.",
			spec:   rule(object{"id": "a", "expirationDays": int64(1), "expireDeleteMarkers": true}),
			want:   []string{"spec.forProvider.lifecycleRules[0]: Invalid value: give either expirationDays or expireDeleteMarkers"},
		},
		"RuleTwice": {
			reason: "Rules are told apart by ID.",
			spec: params(object{"lifecycleRules": []any{
				object{"id": "a", "expirationDays": int64(1)}, object{"id": "a", "expirationDays": int64(2)},
			}}),
			want: []string{`spec.forProvider.lifecycleRules[1]: Duplicate value: {"id":"a"}`},
		},
		"MoreThan32Bits": {
			reason: "A number that the provider's type cannot hold would keep it from reading anyone's Buckets.",
			spec:   rule(object{"id": "a", "expirationDays": int64(1) << 31}),
			want:   []string{"spec.forProvider.lifecycleRules[0].expirationDays: Invalid value: 2147483648: "},
		},
		"TwoWildcards": {
			reason: "A server would refuse the origin.",
			spec:   params(object{"corsRules": []any{object{"allowedOrigins": []any{"https://*.*"}, "allowedMethods": []any{"GET"}}}}),
			want:   []string{`spec.forProvider.corsRules[0].allowedOrigins[0]: Invalid value: "https://*.*"`},
		},
		"UnknownMethod": {
			reason: "The methods that there are come with the message.",
			spec:   params(object{"corsRules": []any{object{"allowedOrigins": []any{"*"}, "allowedMethods": []any{"PATCH"}}}}),
			want:   []string{`spec.forProvider.corsRules[0].allowedMethods[0]: Unsupported value: "PATCH": supported values: "GET", "PUT", "HEAD", "POST", "DELETE"`},
		},
		"KeyWithoutKMS": {
			reason: "A key of the key service is of no use without it.",
			spec:   params(object{"encryption": object{"algorithm": "AES256", "kmsKeyID": "k"}}),
			want:   []string{"spec.forProvider.encryption.kmsKeyID: Invalid value: a KMS key needs the algorithm aws:kms"},
		},
		"NoQuota": {
			reason: "Nothing would fit into a bucket of quota zero.",
			spec:   params(object{"quota": "0"}),
			want:   []string{`spec.forProvider.quota: Invalid value: "0": a quota is more than zero`},
		},
		"QuotaThatIsNone": {
			reason: "Kubernetes' pattern admits what its parser does not, which would keep the provider from reading anyone's Buckets.",
			spec:   params(object{"quota": "1e99999999999999999999"}),
			want:   []string{`spec.forProvider.quota: Invalid value: "": unable to parse quantity's suffix`},
		},
		"LongPolicy": {
			reason: "Servers take no policy of more than 20 KiB.",
			spec:   params(object{"policy": strings.Repeat(" ", 20481)}),
			want:   []string{"spec.forProvider.policy: Too long: may not be more than 20480 bytes"},
		},
		"UnknownConfigKind": {
			reason: "There are two kinds of config.",
			spec:   object{"providerConfigRef": object{"kind": "Config", "name": "a"}},
			want:   []string{"spec.providerConfigRef.kind: Invalid value: the kind is ProviderConfig or ClusterProviderConfig"},
		},
		"UnknownField": {
			reason: "A slip of the pen is told.",
			spec:   params(object{"tag": object{}}),
			want:   []string{"spec.forProvider.tag: unknown field"},
		},
		"SeveralMistakes": {
			reason: "All mistakes that the schema can see come in one pass.",
			spec:   params(object{"versioning": "On", "region": ""}),
			want:   []string{"spec.forProvider.region: Invalid value", `spec.forProvider.versioning: Unsupported value: "On": supported values: "Enabled", "Suspended"`},
		},
	})
}
