package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// notYours is what is said of a bucket that exists, whoever has it.
func notYours(external string) string {
	return fmt.Sprintf("bucket %q exists, and is neither this resource's nor offered to it for adoption", external)
}

// TestImport names a bucket that is on the server already.
func TestImport(t *testing.T) {
	cases := map[string]struct {
		reason string
		tags   func(namespace string) map[string]string
		adopt  bool
		ok     bool
	}{
		"OfferedToNamespace": {
			reason: "A bucket that is offered to the namespace is adopted by whoever asks for it there.",
			tags:   func(ns string) map[string]string { return map[string]string{tagOffered: ns, "cost": "12"} },
			adopt:  true,
			ok:     true,
		},
		"OfferedToResource": {
			reason: "A bucket can be offered to one resource.",
			tags: func(ns string) map[string]string {
				return map[string]string{tagOffered: ns + "/offeredtoresource", "cost": "12"}
			},
			adopt: true,
			ok:    true,
		},
		"NotAsked": {
			reason: "An offer alone is not enough: the resource has to ask.",
			tags:   func(ns string) map[string]string { return map[string]string{tagOffered: ns} },
		},
		"OfferedToOthers": {
			reason: "What is offered to others is not offered.",
			tags:   func(ns string) map[string]string { return map[string]string{tagOffered: ns + "x"} },
			adopt:  true,
		},
		"OfferedToSibling": {
			reason: "What is offered to another resource of the namespace is not offered.",
			tags:   func(ns string) map[string]string { return map[string]string{tagOffered: ns + "/other"} },
			adopt:  true,
		},
		"NotOffered": {
			reason: "To ask is not enough either.",
			tags:   func(string) map[string]string { return map[string]string{"cost": "12"} },
			adopt:  true,
		},
		"Bare": {
			reason: "A bucket without tags is somebody's, too.",
			tags:   func(string) map[string]string { return nil },
			adopt:  true,
		},
		"Owned": {
			reason: "The words are the same where another resource has it.",
			tags: func(string) map[string]string {
				return map[string]string{tagOwner: "other/assets", tagOwnerUID: "2b5c6cf0-5f2f-4b43-9f4b-6f3f7a4d5a01"}
			},
			adopt: true,
		},
	}

	forEach(t, func(t *team) {
		for name, tc := range cases {
			t.sub(name, func(t *team) {
				external := t.tenant.Namespace + "-" + strings.ToLower(name)
				tags := tc.tags(t.tenant.Namespace)
				t.server.create(t, external, tags)

				b := t.bucket(strings.ToLower(name), parameters{Adopt: tc.adopt}, named[*bucket](external))
				if !tc.ok {
					t.refused(b, notYours(external))
					if diff := cmp.Diff(storagev1beta1.BucketObservation{}, b.Status.AtProvider); diff != "" {
						t.Errorf("\n%s\nstatus.atProvider: -want, +got:\n%s", tc.reason, diff)
					}
					t.remove(b)
					t.gone(b)
					if diff := cmp.Diff(tags, t.server.tags(t, external)); diff != "" || !t.server.exists(t, external) {
						t.Errorf("\n%s\nthe bucket exists: %t; tags: -want, +got:\n%s", tc.reason, t.server.exists(t, external), diff)
					}

					return
				}

				t.ready(b)
				got := t.server.tags(t, external)
				want := map[string]string{
					tagOwner: t.tenant.Namespace + "/" + b.GetName(), tagOwnerUID: string(b.GetUID()), tagCreated: got[tagCreated],
					"cost": "12",
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("\n%s\ntags: -want, +got:\n%s", tc.reason, diff)
				}
			})
		}
	})
}
