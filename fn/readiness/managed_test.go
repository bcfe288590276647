package readiness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/observed"
)

func TestBucket(t *testing.T) {
	cases := map[string]struct {
		reason string
		bucket string
		want   Verdict
	}{
		"New": {
			reason: "A Bucket that nobody has looked at yet is on its way.",
			bucket: `{metadata: {name: shop-assets}}`,
			want:   Verdict{Reason: ReasonStarting},
		},
		"Creating": {
			reason: "A Bucket that is being made should say so in the provider's word.",
			bucket: `{status: {conditions: [{type: Synced, status: "True", reason: ReconcileSuccess}, {type: Ready, status: "False", reason: Creating}]}}`,
			want:   Verdict{Reason: "Creating"},
		},
		"Ready": {
			reason: "The provider's word should be taken for it.",
			bucket: `{status: {conditions: [{type: Synced, status: "True", reason: ReconcileSuccess}, {type: Ready, status: "True", reason: Available}]}}`,
			want:   Verdict{Ready: true, Reason: ReasonReady},
		},
		"ReadyThoughNotSynced": {
			reason: "A server that cannot be reached for once is no cause to call a bucket unready.",
			bucket: `{status: {conditions: [{type: Synced, status: "False", reason: ReconcileError, message: no route}, {type: Ready, status: "True", reason: Available}]}}`,
			want:   Verdict{Ready: true, Reason: ReasonReady},
		},
		"Unsupported": {
			reason: "What the server cannot do should be told of a Bucket that is ready too.",
			bucket: `{status: {conditions: [{type: Ready, status: "True"}, {type: Supported, status: "False", message: "the server has no versioning"}]}}`,
			want:   Verdict{Ready: true, Reason: ReasonReady, Message: "the server has no versioning"},
		},
		"Refused": {
			reason: "What keeps the provider from its job should be told in its words, before what that leads to.",
			bucket: `{status: {conditions: [{type: Ready, status: "False", reason: Creating}, {type: Synced, status: "False", reason: ReconcileError, message: "cannot be made: no such region"}]}}`,
			want:   Verdict{Reason: "ReconcileError", Message: "cannot be made: no such region", Stuck: true},
		},
		"Terminating": {
			reason: "A Bucket on its way out should not count as ready, and should tell what is in its way.",
			bucket: `{metadata: {deletionTimestamp: "2026-01-02T12:00:00Z"}, status: {conditions: [{type: Ready, status: "True"}, {type: Synced, status: "False", message: "holds at least 1 object"}]}}`,
			want:   Verdict{Reason: ReasonTerminating, Message: "holds at least 1 object"},
		},
	}

	t.Run("WaitingForBucket", func(t *testing.T) {
		a, err := observed.ReadBucketAccess(object(t, `{status: {conditions: [
 {type: Ready, status: "False", reason: WaitingForBucket, message: not there}, {type: Synced, status: "False", reason: ReconcileError, message: not there}]}}`))
		if err != nil {
			t.Fatal(err)
		}

		want := Verdict{Reason: ReasonWaitingForBucket, Message: "not there"}
		if diff := cmp.Diff(want, BucketAccess(a)); diff != "" {
			t.Errorf("What gets better by itself is not stuck.\n-want, +got:\n%s", diff)
		}
	})

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			b, err := observed.ReadBucket(object(t, tc.bucket))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, Bucket(b)); diff != "" {
				t.Errorf("\n%s\nBucket: -want, +got:\n%s", tc.reason, diff)
			}

			a, err := observed.ReadBucketAccess(object(t, tc.bucket))
			if err != nil {
				t.Fatal(err)
			}

			if diff := cmp.Diff(tc.want, BucketAccess(a)); diff != "" {
				t.Errorf("\n%s\nBucketAccess: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
