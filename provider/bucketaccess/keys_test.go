package bucketaccess

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

func TestDecide(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) metav1.Time { return metav1.NewTime(now.Add(-d)) }
	retiring := func(id string, since time.Duration) v1beta1.RetiringKey {
		return v1beta1.RetiringKey{AccessKeyID: id, Since: ago(since)}
	}
	asking := func(trigger string) v1beta1.Rotation {
		return v1beta1.Rotation{Trigger: trigger, Overlap: &metav1.Duration{Duration: time.Hour}}
	}

	cases := map[string]struct {
		reason string
		facts  facts
		want   plan
	}{
		"Nothing": {
			reason: "An access without keys needs some.",
			facts:  facts{rotation: asking("")},
			want:   plan{},
		},
		"First": {
			reason: "The first keys were made for the trigger that the spec has.",
			facts:  facts{secret: "a", server: []string{"a"}, rotation: asking("x")},
			want:   plan{works: true, trigger: "x"},
		},
		"InSync": {
			reason: "Where nothing has changed there is nothing to do.",
			facts: facts{
				secret: "a", server: []string{"a"}, rotation: asking("x"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "a", Trigger: "x"},
			},
			want: plan{works: true, trigger: "x"},
		},
		"KilledBeforeTheSecret": {
			reason: "A key that was made and not written down is known to nobody.",
			facts:  facts{server: []string{"a"}, rotation: asking("x")},
			want:   plan{remove: []string{"a"}, trigger: ""},
		},
		"SecretLost": {
			reason: "What runs has the keys of a Secret that was deleted, and goes on with them for a while.",
			facts: facts{
				server: []string{"a"}, rotation: asking("x"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "a", Trigger: "x"},
			},
			want: plan{retiring: []v1beta1.RetiringKey{retiring("a", 0)}, trigger: "x", next: now.Add(time.Hour)},
		},
		"KeyDeletedOnTheServer": {
			reason: "A key that the server does not know is no use.",
			facts: facts{
				secret: "a", rotation: asking("x"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "a", Trigger: "x"},
			},
			want: plan{trigger: "x"},
		},
		"Rotate": {
			reason: "Another trigger asks for new keys.",
			facts: facts{
				secret: "a", server: []string{"a"}, rotation: asking("y"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "a", Trigger: "x"},
			},
			want: plan{works: true, rotate: true, trigger: "x"},
		},
		"Rotated": {
			reason: "The key of before goes on for the overlap, from when the new one is seen in the Secret.",
			facts: facts{
				secret: "b", server: []string{"a", "b"}, rotation: asking("y"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "a", Trigger: "x"},
			},
			want: plan{works: true, retiring: []v1beta1.RetiringKey{retiring("a", 0)}, trigger: "y", next: now.Add(time.Hour)},
		},
		"KilledInRotation": {
			reason: "A new key that did not get into the Secret goes, and another is made.",
			facts: facts{
				secret: "a", server: []string{"a", "b"}, rotation: asking("y"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "a", Trigger: "x"},
			},
			want: plan{works: true, rotate: true, remove: []string{"b"}, trigger: "x"},
		},
		"OverlapIsOver": {
			reason: "A key goes when its time is over.",
			facts: facts{
				secret: "b", server: []string{"a", "b"}, rotation: asking("y"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "b", Trigger: "y", Retiring: []v1beta1.RetiringKey{retiring("a", time.Hour)}},
			},
			want: plan{works: true, remove: []string{"a"}, trigger: "y"},
		},
		"OverlapMadeShorter": {
			reason: "A leaked key goes at once when the overlap is made zero.",
			facts: facts{
				secret: "b", server: []string{"a", "b"}, rotation: v1beta1.Rotation{Trigger: "y", Overlap: &metav1.Duration{}},
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "b", Trigger: "y", Retiring: []v1beta1.RetiringKey{retiring("a", time.Minute)}},
			},
			want: plan{works: true, remove: []string{"a"}, trigger: "y"},
		},
		"RotateTwice": {
			reason: "There are two keys at most, so the second rotation waits for the first to be over.",
			facts: facts{
				secret: "b", server: []string{"a", "b"}, rotation: asking("z"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "b", Trigger: "y", Retiring: []v1beta1.RetiringKey{retiring("a", time.Minute)}},
			},
			want: plan{works: true, waits: true, retiring: []v1beta1.RetiringKey{retiring("a", time.Minute)}, trigger: "y", next: now.Add(59 * time.Minute)},
		},
		"SecretLostInRotation": {
			reason: "Where two keys still work and none is known, the older one makes room.",
			facts: facts{
				server: []string{"a", "b"}, rotation: asking("y"),
				seen: v1beta1.BucketAccessObservation{AccessKeyID: "b", Trigger: "y", Retiring: []v1beta1.RetiringKey{retiring("a", time.Minute)}},
			},
			want: plan{remove: []string{"a"}, retiring: []v1beta1.RetiringKey{retiring("b", 0)}, trigger: "y", next: now.Add(59 * time.Minute)},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.facts.now = now
			if diff := cmp.Diff(tc.want, decide(tc.facts), cmp.AllowUnexported(plan{})); diff != "" {
				t.Errorf("%s\ndecide(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
