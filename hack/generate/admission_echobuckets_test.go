package main

import "testing"

// TestAdmitEchoBuckets says what tenants may and may not write in an Echo's
// buckets, under both configurations.
func TestAdmitEchoBuckets(t *testing.T) {
	buckets := func(b ...any) object { return object{"image": "nginx", "buckets": b} }
	cases := map[string]admission{
		"NameOnly": {
			reason: "A bucket needs nothing but a name.",
			spec:   buckets(object{"name": "assets"}),
		},
		"Everything": {
			reason: "All that a bucket can have goes together.",
			spec: buckets(object{
				"name": "assets", "access": "ReadOnly", "versioning": "Enabled", "deletion": "Force", "envPrefix": "ASSETS_", "region": "eu-central-1",
			}),
		},
		"OneWithoutPrefix": {
			reason: "One of several buckets may do without a prefix: the variables differ then too.",
			spec:   buckets(object{"name": "assets"}, object{"name": "logs", "envPrefix": "LOGS_"}),
		},
		"NoPrefixes": {
			reason: "The keys to one bucket would hide those to the other.",
			spec:   buckets(object{"name": "assets"}, object{"name": "logs"}),
			want:   []string{"spec.buckets: Invalid value: of several buckets, each needs an envPrefix of its own"},
		},
		"SamePrefix": {
			reason: "The keys to one bucket would hide those to the other.",
			spec:   buckets(object{"name": "assets", "envPrefix": "A_"}, object{"name": "logs", "envPrefix": "A_"}),
			want:   []string{"spec.buckets: Invalid value: of several buckets, each needs an envPrefix of its own"},
		},
		"SameName": {
			reason: "A bucket is known by its name.",
			spec:   buckets(object{"name": "assets"}, object{"name": "assets", "envPrefix": "A_"}),
			want:   []string{`spec.buckets[1]: Duplicate value: {"name":"assets"}`},
		},
		"Name": {
			reason: "The name is part of names of objects.",
			spec:   buckets(object{"name": "Assets"}),
			want:   []string{`spec.buckets[0].name: Invalid value: "Assets"`},
		},
		"Prefix": {
			reason: "The prefix is part of names of variables.",
			spec:   buckets(object{"name": "assets", "envPrefix": "assets-"}),
			want:   []string{`spec.buckets[0].envPrefix: Invalid value: "assets-"`},
		},
		"Words": {
			reason: "The choices that there are come with the message.",
			spec:   buckets(object{"name": "assets", "access": "WriteOnly", "deletion": "Delete", "versioning": "Disabled"}),
			want: []string{
				`spec.buckets[0].access: Unsupported value: "WriteOnly": supported values: "ReadWrite", "ReadOnly"`,
				`spec.buckets[0].deletion: Unsupported value: "Delete": supported values: "WhenEmpty", "Force", "Orphan"`,
				`spec.buckets[0].versioning: Unsupported value: "Disabled": supported values: "Enabled", "Suspended"`,
			},
		},
		"RegionChanged": {
			reason: "A bucket stays where it was made.",
			was:    buckets(object{"name": "assets", "region": "eu-central-1"}),
			spec:   buckets(object{"name": "assets", "region": "us-east-1"}),
			want:   []string{`spec.buckets[0].region: Invalid value: "us-east-1": a bucket cannot move to another region`},
		},
		"RegionRemoved": {
			reason: "A bucket stays where it was made.",
			was:    buckets(object{"name": "assets", "region": "eu-central-1"}),
			spec:   buckets(object{"name": "assets"}),
			want:   []string{"spec.buckets[0].region: Invalid value: a bucket cannot move to another region"},
		},
		"TakenOut": {
			reason: "A bucket may be taken out, and others stay as they are.",
			was:    buckets(object{"name": "assets", "region": "eu-central-1", "envPrefix": "A_"}, object{"name": "logs"}),
			spec:   buckets(object{"name": "logs"}),
		},
	}

	for _, definition := range []string{"composite echoes", "claim echoes"} {
		t.Run(definition, func(t *testing.T) { admit(t, definition, cases) })
	}
}
