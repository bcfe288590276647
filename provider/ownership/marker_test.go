package ownership

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	us := Resource{Namespace: "team-a", Name: "assets", UID: "1"}
	adopting := us
	adopting.Adopt = true

	cases := map[string]struct {
		reason   string
		tags     map[string]string
		missing  bool
		resource Resource
		want     Verdict
	}{
		"Absent":     {reason: "What does not exist is nobody's.", missing: true, resource: us, want: Absent},
		"Ours":       {reason: "The UID decides.", tags: map[string]string{TagOwnerUID: "1"}, resource: us, want: Ours},
		"OursBefore": {reason: "Ours stays ours when it is offered.", tags: map[string]string{TagOwnerUID: "1", TagOfferedTo: "team-a"}, resource: adopting, want: Ours},
		"SameName": {
			reason:   "The name decides nothing: this is the bucket of one that was deleted.",
			tags:     map[string]string{TagOwner: "team-a/assets", TagOwnerUID: "0"},
			resource: us,
			want:     Foreign,
		},
		"NoUID":            {reason: "A resource without a UID has nothing.", tags: map[string]string{TagOwner: "team-a/assets"}, resource: Resource{Namespace: "team-a", Name: "assets"}, want: Foreign},
		"Unmarked":         {reason: "No tags at all.", resource: us, want: Unmarked},
		"UnmarkedAdopting": {reason: "A wish to adopt is no offer.", resource: adopting, want: Unmarked},
		"Tagged":           {reason: "Somebody has tagged it.", tags: map[string]string{"team": "b"}, resource: adopting, want: Foreign},
		"OfferedToUs":      {reason: "An offer by name.", tags: map[string]string{TagOfferedTo: "team-a/assets"}, resource: adopting, want: Offered},
		"OfferedToAll":     {reason: "An offer to the namespace.", tags: map[string]string{TagOfferedTo: "team-a"}, resource: adopting, want: Offered},
		"OfferedByOther":   {reason: "One who has it may give it away.", tags: map[string]string{TagOwnerUID: "0", TagOfferedTo: "team-a"}, resource: adopting, want: Offered},
		"OfferedUnwanted":  {reason: "An offer needs to be taken.", tags: map[string]string{TagOfferedTo: "team-a"}, resource: us, want: Foreign},
		"OfferedElsewhere": {reason: "An offer to another.", tags: map[string]string{TagOfferedTo: "team-b"}, resource: adopting, want: Foreign},
		"OfferedToPrefix":  {reason: "A namespace that begins alike is another.", tags: map[string]string{TagOfferedTo: "team"}, resource: adopting, want: Foreign},
		"OfferedToNobody":  {reason: "An empty offer is none, also for a cluster's resource.", tags: map[string]string{TagOfferedTo: ""}, resource: Resource{UID: "1", Adopt: true}, want: Foreign},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Judge(tc.tags, !tc.missing, tc.resource)); diff != "" {
				t.Errorf("%s\nJudge(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestMark(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("CET", 3600))
	cases := map[string]struct {
		reason   string
		tags     map[string]string
		resource Resource
		want     map[string]string
	}{
		"New": {
			reason:   "A new bucket has no tags.",
			resource: Resource{Namespace: "team-a", Name: "assets", UID: "1"},
			want:     map[string]string{TagOwner: "team-a/assets", TagOwnerUID: "1", TagCreated: "2026-11-21T11:00:00Z"},
		},
		"Adopted": {
			reason:   "Adoption takes the offer, replaces the owner, and keeps the rest.",
			tags:     map[string]string{TagOfferedTo: "team-a", TagOwner: "x/y", TagOwnerUID: "0", "team": "b"},
			resource: Resource{Namespace: "team-a", Name: "assets", UID: "1"},
			want:     map[string]string{TagOwner: "team-a/assets", TagOwnerUID: "1", TagCreated: "2026-11-21T11:00:00Z", "team": "b"},
		},
		"Long": {
			reason:   "A tag's value has at most 256 characters.",
			resource: Resource{Namespace: "team-a", Name: strings.Repeat("n", 253), UID: "1"},
			want:     map[string]string{TagOwner: "team-a/" + strings.Repeat("n", 249), TagOwnerUID: "1", TagCreated: "2026-11-21T11:00:00Z"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := Mark(tc.tags, tc.resource, now)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nMark(...): -want, +got:\n%s", tc.reason, diff)
			}
			if v := Judge(got, true, tc.resource); v != Ours {
				t.Errorf("%s\nJudge(Mark(...)) is %d, not Ours", tc.reason, v)
			}
			if at, ok := Created(got); !ok || !at.Equal(now) {
				t.Errorf("%s\nCreated(Mark(...)): %v, %t", tc.reason, at, ok)
			}
		})
	}
}
