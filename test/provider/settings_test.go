package provider

import (
	"fmt"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// TestSettings goes through the life of each field that sets a sub-resource of a
// bucket: it is set, changed, changed by somebody else and repaired, and removed. It
// is looked at on the server all the while.
func TestSettings(t *testing.T) {
	forEach(t, func(t *team) {
		for field, s := range settings() {
			if s.on != "" && s.on != t.server.Name {
				continue
			}
			t.sub(field, func(t *team) { t.goesThrough(field, s) })
		}
	})
}

// goesThrough goes through the life of a field.
func (t *team) goesThrough(field string, s setting) {
	calls := t.counted()
	external := t.tenant.Namespace + "-" + strings.ToLower(field)
	is := func(want string) {
		t.Helper()
		t.eventually(func() string { return cmp.Diff(want, s.read(t, external)) })
	}

	p := parameters{}
	s.set(&p, external)
	b := t.bucket(strings.ToLower(field), p, named[*bucket](external))
	t.ready(b)
	is(s.isSet)
	if !strings.Contains(strings.Join(b.Status.AtProvider.Configured, " "), field) {
		t.Errorf("status.atProvider.configured: want it to hold %s, got %v", field, b.Status.AtProvider.Configured)
	}

	change(t, b, func(b *bucket) { s.change(&b.Spec.ForProvider, external) })
	t.ready(b)
	is(s.isChanged)

	count := drift(t, field)
	s.drift(t, external)
	is(s.isChanged)
	t.eventually(func() string {
		if now := drift(t, field); now <= count {
			return fmt.Sprintf("want a repair of %s to be counted, there were %v and are %v", field, count, now)
		}

		return ""
	})

	change(t, b, func(b *bucket) { s.remove(&b.Spec.ForProvider) })
	t.ready(b)
	is(s.isRemoved)

	// What is in the spec no more is nobody's business.
	if field != "objectLock" {
		s.drift(t, external)
		left := s.read(t, external)
		t.observed(calls, 2)
		if diff := cmp.Diff(left, s.read(t, external)); diff != "" {
			t.Errorf("changed by somebody else after its removal: -want, +got:\n%s", diff)
		}
	}
	if c := b.GetCondition("Supported"); c.Status == corev1.ConditionFalse {
		t.Errorf("Supported is False: %s", c.Message)
	}

	t.remove(b)
	t.gone(b)
	if t.server.exists(t, external) {
		t.Error("the bucket is still there")
	}
}

// TestUnsupported declares what a server does not have. The rest of the Bucket is
// right, a condition says what is not, and nobody tries again and again.
func TestUnsupported(t *testing.T) {
	forEach(t, func(t *team) {
		for field, s := range settings() {
			if s.on == "" || s.on == t.server.Name {
				continue
			}
			t.sub(field, func(t *team) {
				calls := t.counted()
				external := t.tenant.Namespace + "-" + strings.ToLower(field)

				p := parameters{Tags: addTag(nil, "team", "blue")}
				s.set(&p, external)
				b := t.bucket(strings.ToLower(field), p, named[*bucket](external))
				t.says(b, "Supported", corev1.ConditionFalse, fmt.Sprintf("%s does not have %s: no effect", t.server.callsItself, field))
				t.ready(b)
				if diff := cmp.Diff([]string{field}, b.Status.AtProvider.Unsupported); diff != "" {
					t.Errorf("status.atProvider.unsupported: -want, +got:\n%s", diff)
				}
				if diff := cmp.Diff([]string{"tags"}, b.Status.AtProvider.Configured); diff != "" {
					t.Errorf("status.atProvider.configured: -want, +got:\n%s", diff)
				}

				t.steady(calls, b, 1)

				change(t, b, func(b *bucket) { s.remove(&b.Spec.ForProvider) })
				t.says(b, "Supported", corev1.ConditionTrue)
				t.ready(b)
				if diff := cmp.Diff(map[string]string{"team": "blue"}, declared(t.server.tags(t, external))); diff != "" {
					t.Errorf("removed: tags: -want, +got:\n%s", diff)
				}
				if c := b.GetCondition(xpv2.TypeReady); c.Status != corev1.ConditionTrue {
					t.Errorf("removed: %+v", c)
				}
			})
		}
	})
}
