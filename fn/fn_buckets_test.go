package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/structpb"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

func TestRunRefusesBuckets(t *testing.T) {
	cases := map[string]struct {
		reason string
		spec   string
		input  string
		want   string
	}{
		"Mistakes": {
			reason: "All mistakes in buckets should come back in one pass, each with its field.",
			spec:   `[{name: Assets, access: Write, versioning: "On", deletion: Never, envPrefix: a-}, {name: x}, {name: x}]`,
			want: `spec.buckets[0].name: must be up to 40 lower-case letters, digits and hyphens, no hyphen first or last, got "Assets"; ` +
				`spec.buckets[0].envPrefix: must be up to 32 upper-case letters, digits and underscores, a letter first, got "a-"; ` +
				`spec.buckets[0].access: must be "ReadWrite" or "ReadOnly", got "Write"; ` +
				`spec.buckets[0].versioning: must be "Enabled" or "Suspended", got "On"; ` +
				`spec.buckets[0].deletion: must be "WhenEmpty", "Force" or "Orphan", got "Never"; ` +
				`spec.buckets[2].name: duplicate "x"; ` +
				`spec.buckets[2].envPrefix: duplicate "": of several buckets, each needs one of its own`,
		},
		"TooMany": {
			reason: "More buckets than the schema allows should be refused.",
			spec:   `[{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, {name: h}, {name: i}]`,
			want:   `spec.buckets: at most 8, got 9`,
		},
		"OverLimit": {
			reason: "More buckets than the platform allows should be refused with the limit and whose it is.",
			spec:   `[{name: a}]`,
			input:  `{limits: {maxBuckets: 0}}`,
			want:   `spec.buckets: 1 are over the limit of 0, set by the platform team as limits.maxBuckets in Composition ""`,
		},
		"InputWrong": {
			reason: "Mistakes in the input should be told with those in the spec.",
			spec:   `[{name: a}]`,
			input:  `{limits: {maxBuckets: -1}, providerConfigs: {buckets: {kind: Config}}}`,
			want: `input.limits.maxBuckets: must not be negative, got -1; ` +
				`input.providerConfigs.buckets.kind: must be "ProviderConfig" or "ClusterProviderConfig", got "Config"; ` +
				`input.providerConfigs.buckets.name: must not be empty`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			req := observing(t, head+"spec: {image: a, buckets: "+tc.spec+"}")
			if tc.input != "" {
				req.Input = object(t, tc.input)
			}

			rsp := answer(t, req)
			if n := len(rsp.GetResults()); n != 1 || !strings.Contains(rsp.GetResults()[0].GetMessage(), tc.want) {
				t.Errorf("\n%s\nwant: %s\ngot:  %v", tc.reason, tc.want, rsp.GetResults())
			}
		})
	}
}

// What is observed of a bucket and its keys, in the course of their lives.
const (
	bucketCreating = `{apiVersion: storage.my-operator.dev/v1beta1, kind: Bucket, metadata: {name: test-echo-assets}, status: {conditions: [{type: Ready, status: "False", reason: Creating}]}}`
	bucketRefused  = `{kind: Bucket, metadata: {name: test-echo-assets}, status: {conditions: [{type: Synced, status: "False", reason: ReconcileError, message: "cannot be made: no such region"}, {type: Ready, status: "False", reason: Creating}]}}`
	bucketReady    = `{kind: Bucket, metadata: {name: test-echo-assets, annotations: {crossplane.io/external-name: team-a-assets-x}}, status: {conditions: [{type: Ready, status: "True"}]}}`
	accessWaiting  = `{kind: BucketAccess, metadata: {name: test-echo-assets}, status: {conditions: [{type: Ready, status: "False", reason: Creating}]}}`
	accessReady    = `{kind: BucketAccess, metadata: {name: test-echo-assets}, status: {atProvider: {accessKeyID: K}, conditions: [{type: Ready, status: "True"}]}}`
	accessLost     = `{kind: BucketAccess, metadata: {name: test-echo-assets}, status: {atProvider: {accessKeyID: K}, conditions: [{type: Ready, status: "False", reason: Unavailable}]}}`

	boundSecret = "test-echo-assets-82a13b87ae"
	bound       = `{image: a, envFrom: [{secretRef: {name: ` + boundSecret + `}}]}`
	unbound     = `{image: a}`
)

// runs is a Pod of an earlier template that runs well.
func runs(container string) string {
	return `{kind: Pod, metadata: {name: p, creationTimestamp: "2026-01-02T11:00:00Z"}, spec: {containers: [` + container + `]},
 status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}`
}

func deploys(container string) string {
	return `{kind: Deployment, metadata: {name: test-echo, generation: 1}, spec: {replicas: 1, template: {metadata: {labels: {my-operator.dev/template: old}}, spec: {containers: [` + container + `]}}},
 status: {observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}}`
}

// looked is a look-up that found nothing.
func looked() *fnv1.Resources { return &fnv1.Resources{} }

func found(t *testing.T, docs ...string) *fnv1.Resources {
	t.Helper()

	r := &fnv1.Resources{}
	for _, d := range docs {
		r.Items = append(r.Items, resource(t, d))
	}

	return r
}

func TestRunBuckets(t *testing.T) {
	one, none := `buckets: [{name: assets}]`, `replicas: 1`
	served := &fnv1.Schema{OpenapiV3: &structpb.Struct{Fields: map[string]*structpb.Value{"type": structpb.NewStringValue("object")}}}
	free := map[string]*fnv1.Resources{"bucket-assets": looked(), "bucketaccess-assets": looked(), "pods": looked(), "quotas": looked(), "deployment": looked()}

	type want struct {
		Keys         string // Of what is desired.
		Message      string
		BucketsReady string
		TTL          time.Duration
	}

	cases := map[string]struct {
		reason   string
		spec     string
		observed map[string]string
		required map[string]*fnv1.Resources
		schema   *fnv1.Schema
		want     want
	}{
		"NotServed": {
			reason: "Where the provider is not installed nothing can be applied of a bucket; when it comes nobody tells, so ask again.",
			spec:   one,
			schema: &fnv1.Schema{},
			want: want{
				Message:      "0/1 replicas ready: waiting for bucket assets: the cluster does not serve Bucket and BucketAccess of storage.my-operator.dev/v1beta1, which are provider-echo's",
				BucketsReady: "NotServed: bucket assets: the cluster does not serve Bucket and BucketAccess of storage.my-operator.dev/v1beta1, which are provider-echo's",
				TTL:          30 * time.Second,
			},
		},
		"NotLookedUp": {
			reason: "Names that tenants see should be looked up before they are used.",
			spec:   one,
			schema: served,
			want: want{
				Message:      "0/1 replicas ready: waiting for bucket assets: Creating",
				BucketsReady: "Creating: bucket assets: Creating",
			},
		},
		"Taken": {
			reason:   "No keys should be asked for to a Bucket that is somebody else's.",
			spec:     one,
			schema:   served,
			required: map[string]*fnv1.Resources{"bucket-assets": found(t, `{kind: Bucket, metadata: {name: test-echo-assets}}`), "bucketaccess-assets": looked()},
			want: want{
				Message:      `0/1 replicas ready: waiting for bucket assets: Bucket "test-echo-assets" exists already and is not this Echo's: rename or delete one of the two`,
				BucketsReady: `NameTaken: bucket assets: Bucket "test-echo-assets" exists already and is not this Echo's: rename or delete one of the two`,
			},
		},
		"Former": {
			reason: "A Bucket on its way out should not be composed anew: what is applied to it would go with it.",
			spec:   one,
			schema: served,
			required: map[string]*fnv1.Resources{"bucketaccess-assets": looked(), "bucket-assets": found(t, `{kind: Bucket, metadata: {name: test-echo-assets, deletionTimestamp: "2026-01-02T11:00:00Z",
 ownerReferences: [{uid: 11111111-2222-3333-4444-555555555555, controller: true}]}, status: {conditions: [{type: Synced, status: "False", message: holds at least 1 object}]}}`)},
			want: want{
				Message:      `0/1 replicas ready: waiting for bucket assets: holds at least 1 object`,
				BucketsReady: `Terminating: bucket assets: holds at least 1 object`,
			},
		},
		"First": {
			reason:   "The bucket and its keys should be there before any Pod is.",
			spec:     one,
			schema:   served,
			required: free,
			want: want{
				Keys:         "bucket-assets bucketaccess-assets",
				Message:      "0/1 replicas ready: waiting for bucket assets: Creating",
				BucketsReady: "Creating: bucket assets: Creating",
			},
		},
		"Refused": {
			reason:   "What keeps the provider from making a bucket should be told in its words.",
			spec:     one,
			observed: map[string]string{"bucket-assets": bucketRefused, "bucketaccess-assets": accessWaiting},
			want: want{
				Keys:         "bucket-assets bucketaccess-assets",
				Message:      "0/1 replicas ready: waiting for bucket assets: cannot be made: no such region",
				BucketsReady: "ReconcileError: bucket assets: cannot be made: no such region",
			},
		},
		"KeysMissing": {
			reason:   "A bucket without keys is of no use yet.",
			spec:     one,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessWaiting},
			want: want{
				Keys:         "bucket-assets bucketaccess-assets",
				Message:      "0/1 replicas ready: waiting for keys to bucket assets: Creating",
				BucketsReady: "Creating: keys to bucket assets: Creating",
			},
		},
		"Keys": {
			reason:   "With the keys there Pods may start.",
			spec:     one,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessReady},
			required: free,
			want:     want{Keys: "bucket-assets bucketaccess-assets pod-NEW-0", Message: "0/1 replicas ready", BucketsReady: "Ready: "},
		},
		"Lost": {
			reason:   "A bucket that gets unready later should not keep a lost Pod from being replaced: its keys are there.",
			spec:     one,
			observed: map[string]string{"bucket-assets": bucketCreating, "bucketaccess-assets": accessLost},
			required: free,
			want:     want{Keys: "bucket-assets bucketaccess-assets pod-NEW-0", Message: "0/1 replicas ready", BucketsReady: "Creating: bucket assets: Creating"},
		},
		"Added": {
			reason:   "A bucket that is added should leave alone what runs until its keys are there.",
			spec:     one,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessWaiting, "pod-old-0": runs(unbound)},
			want: want{
				Keys:         "bucket-assets bucketaccess-assets pod-old-0",
				Message:      "1/1 replicas ready, 0 updated: waiting for keys to bucket assets: Creating",
				BucketsReady: "Creating: keys to bucket assets: Creating",
			},
		},
		"AddedAndScaled": {
			reason:   "What waits for keys should scale as it is.",
			spec:     one + `, replicas: 3`,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessWaiting, "pod-old-0": runs(unbound)},
			required: free,
			want: want{
				Keys:         "bucket-assets bucketaccess-assets pod-old-0 pod-old-1 pod-old-2",
				Message:      "1/3 replicas ready, 0 updated: waiting for keys to bucket assets: Creating",
				BucketsReady: "Creating: keys to bucket assets: Creating",
			},
		},
		"AddedAndSwitched": {
			reason:   "What waits for keys should not be switched to another workload either.",
			spec:     one + `, workload: Deployment, replicas: 2`,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessWaiting, "pod-old-0": runs(unbound)},
			required: free,
			want: want{
				Keys:         "bucket-assets bucketaccess-assets pod-old-0 pod-old-1",
				Message:      "1/2 replicas ready, 0 updated: waiting for keys to bucket assets: Creating",
				BucketsReady: "Creating: keys to bucket assets: Creating",
			},
		},
		"AddedToDeployment": {
			reason:   "A Deployment should keep its template until the keys are there.",
			spec:     one + `, workload: Deployment`,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessWaiting, "deployment": deploys(unbound)},
			required: free,
			want: want{
				Keys:         "bucket-assets bucketaccess-assets deployment=old",
				Message:      "1/1 replicas ready, 0 updated: waiting for keys to bucket assets: Creating",
				BucketsReady: "Creating: keys to bucket assets: Creating",
			},
		},
		"BoundOnce": {
			reason:   "Where Pods have the keys, an access that was deleted and is being made again is no cause to hold a rollout.",
			spec:     one,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessWaiting, "pod-old-0": runs(bound)},
			required: free,
			want: want{
				Keys:         "bucket-assets bucketaccess-assets pod-NEW-1 pod-old-0",
				Message:      "1/1 replicas ready, 0 updated",
				BucketsReady: "Creating: keys to bucket assets: Creating",
			},
		},
		"TakenOut": {
			reason:   "A bucket that was taken out should stay for as long as a Pod has its keys,",
			spec:     none,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessReady, "pod-old-0": runs(bound)},
			required: free,
			want:     want{Keys: "bucket-assets bucketaccess-assets pod-NEW-1 pod-old-0", Message: "1/1 replicas ready, 0 updated"},
		},
		"TakenOutEnding": {
			reason:   "even if Crossplane has forgotten the Pod because it is on its way out,",
			spec:     none,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessReady},
			required: map[string]*fnv1.Resources{"quotas": looked(), "pods": found(t, strings.Replace(runs(bound), "name: p,", `name: p, deletionTimestamp: "2026-01-02T12:00:00Z",`, 1))},
			want:     want{Keys: "bucket-assets bucketaccess-assets pod-NEW-0", Message: "0/1 replicas ready"},
		},
		"TakenOutUnknown": {
			reason:   "or for as long as nobody has looked,",
			spec:     none,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessReady},
			want:     want{Keys: "bucket-assets bucketaccess-assets pod-NEW-0", Message: "0/1 replicas ready"},
		},
		"TakenOutDone": {
			reason:   "and then go.",
			spec:     none,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessReady},
			required: map[string]*fnv1.Resources{"quotas": looked(), "pods": found(t, runs(unbound))},
			want:     want{Keys: "pod-NEW-0", Message: "0/1 replicas ready"},
		},
		"Moved": {
			reason:   "A bucket that was put back in another region while it was still there should stay, and say so.",
			spec:     `buckets: [{name: assets, region: eu-central-1}]`,
			observed: map[string]string{"bucket-assets": bucketReady, "bucketaccess-assets": accessReady},
			required: free,
			want: want{
				Keys: "bucket-assets bucketaccess-assets pod-NEW-0", Message: "0/1 replicas ready",
				BucketsReady: `InvalidSpec: bucket assets: it is in region "", and cannot move to "eu-central-1"`,
			},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			req := observing(t, head+"spec: {image: a, "+tc.spec+"}")
			req.RequiredResources = tc.required
			req.RequiredSchemas = map[string]*fnv1.Schema{"bucket-": tc.schema, "bucketaccess-": tc.schema}
			req.Observed.Resources = map[string]*fnv1.Resource{}

			for key, doc := range tc.observed {
				req.Observed.Resources[key] = resource(t, doc)
			}

			rsp := answer(t, req)
			status := rsp.GetDesired().GetComposite().GetResource().AsMap()
			got := want{Keys: keysOf(rsp), Message: text(status, "status", "message"), TTL: rsp.GetMeta().GetTtl().AsDuration()}

			for _, c := range rsp.GetConditions() {
				if c.GetType() == "BucketsReady" {
					got.BucketsReady = c.GetReason() + ": " + c.GetMessage()
				}
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// keysOf are the keys of what is desired, with the new template's hash left out and
// that of a Deployment told.
func keysOf(rsp *fnv1.RunFunctionResponse) string {
	var keys []string

	for key, r := range rsp.GetDesired().GetResources() {
		o := r.GetResource().AsMap()

		switch hash := text(o, "metadata", "labels", labelTemplate); {
		case strings.HasPrefix(key, "pod-") && hash != "old":
			key = strings.Replace(key, hash, "NEW", 1)
		case key == "deployment":
			key += "=" + text(o, "spec", "template", "metadata", "labels", labelTemplate)
		}

		keys = append(keys, key)
	}

	slices.Sort(keys)

	return strings.Join(keys, " ")
}
