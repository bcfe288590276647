package config

import (
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"my-operator.dev/echo/apis/provider/v1beta1"
)

func TestAllows(t *testing.T) {
	type want struct {
		OK, Err, Read bool
	}

	cases := map[string]struct {
		reason  string
		allowed v1beta1.AllowedNamespaces
		labels  labels.Set
		err     error
		want    want
	}{
		"Nothing": {
			reason: "A config that says nothing allows nobody.",
		},
		"Named": {
			reason:  "A namespace that is named may, whatever its labels.",
			allowed: v1beta1.AllowedNamespaces{Names: []string{"other", "team-a"}, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"s3": "yes"}}},
			want:    want{OK: true},
		},
		"All": {
			reason:  "The star is all.",
			allowed: v1beta1.AllowedNamespaces{Names: []string{"*"}},
			want:    want{OK: true},
		},
		"NoPattern": {
			reason:  "A star within a name is no pattern.",
			allowed: v1beta1.AllowedNamespaces{Names: []string{"team-*"}},
		},
		"Selected": {
			reason:  "A namespace may whose labels are selected.",
			allowed: v1beta1.AllowedNamespaces{Names: []string{"other"}, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"s3": "yes"}}},
			labels:  labels.Set{"s3": "yes"},
			want:    want{OK: true, Read: true},
		},
		"NotSelected": {
			reason:  "A namespace may not whose labels are others.",
			allowed: v1beta1.AllowedNamespaces{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"s3": "yes"}}},
			labels:  labels.Set{"s3": "no"},
			want:    want{Read: true},
		},
		"EmptySelector": {
			reason:  "A selector that asks for nothing selects all.",
			allowed: v1beta1.AllowedNamespaces{Selector: &metav1.LabelSelector{}},
			want:    want{OK: true, Read: true},
		},
		"WrongSelector": {
			reason:  "A selector that cannot be understood selects nobody.",
			allowed: v1beta1.AllowedNamespaces{Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "s3", Operator: "Like"}}}},
			want:    want{Err: true},
		},
		"Unread": {
			reason:  "Labels that cannot be read select nobody.",
			allowed: v1beta1.AllowedNamespaces{Selector: &metav1.LabelSelector{}},
			err:     errors.New("boom"),
			want:    want{Err: true, Read: true},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			read := false

			ok, err := allows(tc.allowed, "team-a", func() (labels.Set, error) {
				read = true
				return tc.labels, tc.err
			})

			if diff := cmp.Diff(tc.want, want{OK: ok, Err: err != nil, Read: read}); diff != "" {
				t.Errorf("\n%s\nallows(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
