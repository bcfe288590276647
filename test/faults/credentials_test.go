package faults

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/xml"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/minio"
	"my-operator.dev/echo/test/controlplane"
)

// TestCredentials takes the credentials away that a config names, in several ways, and
// brings others. What is made, changed and deleted meanwhile is so after that.
func TestCredentials(t *testing.T) {
	t.Parallel()

	const start = 12

	cases := map[string]struct {
		reason string
		spoil  func(t *team)

		// words are what conditions say until there are credentials again. Without any,
		// nothing is ever in the way.
		words string
	}{
		"Rotated": {
			reason: "New keys, and those of before revoked.",
			spoil:  func(t *team) { t.write(t.secret(t.server.newAdmin(t))) },
		},
		"Revoked": {
			reason: "Keys that the server does not know any more, before there are others.",
			spoil:  func(*team) {},
			words:  "the server does not know the access key ID: correct the credentials",
		},
		"Emptied": {
			reason: "A Secret without keys.",
			spoil:  func(t *team) { t.write(t.secret("", "")) },
			words:  `its Secret "credentials": has an empty AWS_ACCESS_KEY_ID and has an empty AWS_SECRET_ACCESS_KEY`,
		},
		"Deleted": {
			reason: "No Secret.",
			spoil:  func(t *team) { t.remove(t.secret("", "")) },
			words:  `its Secret "credentials": does not exist`,
		},
		"Wrong": {
			reason: "Keys that do not belong together.",
			spoil:  func(t *team) { t.write(t.secret(t.server.AccessKey, rand.Text())) },
			words:  "the secret access key is not the one of the access key ID: correct the credentials",
		},
	}

	for _, server := range names {
		for name, tc := range cases {
			t.Run(server+"/"+name, func(t *testing.T) {
				t.Parallel()

				tm := newTeam(t, "credentials"+server+strings.ToLower(name), servers[server])
				id, secret := tm.server.newAdmin(tm)
				tm.write(tm.secret(id, secret))
				tm.makeBuckets(tm.bucketsNamed(numbered("first", 0, start)))
				tm.settles(start, 0)

				tc.spoil(tm)
				tm.server.removeAdmin(tm, id)
				tm.busy()
				if tc.words != "" {
					tm.survivorsSay(tc.words)
					tm.write(tm.secret(tm.server.newAdmin(tm)))
				}
				tm.settles(start, 0)

				tm.removeAll()
				tm.settles(0, 0)
				t.Logf("%d Buckets: 0 lost, 0 leaked, 0 stuck", start+1)
			})
		}
	}
}

// write writes the Secret, whether it is there or not.
func (t *team) write(s *corev1.Secret) {
	t.Helper()

	each(t, []*corev1.Secret{s}, func(ctx context.Context, s *corev1.Secret) error {
		if err := root.Update(ctx, s.DeepCopy()); err == nil {
			return nil
		}

		return root.Create(ctx, s.DeepCopy())
	})
}

// busy makes a Bucket, changes one of the first ones and deletes another.
func (t *team) busy() {
	t.Helper()

	first := t.bucketsNamed(numbered("first", 0, 2))
	t.makeBuckets(t.bucketsNamed([]string{"later"}))
	change(t, first[:1], func(b *v1beta1.Bucket) {
		b.Spec.ForProvider.Tags = map[string]v1beta1.TagValue{"changed": "meanwhile"}
	})
	t.remove(first[1])
}

// survivorsSay waits until each Bucket that is not being deleted says what is wrong.
func (t *team) survivorsSay(words string) {
	t.Helper()
	t.say(words, func(b *v1beta1.Bucket) bool { return b.GetDeletionTimestamp() == nil })
}

// newAdmin makes an administrator.
func (s server) newAdmin(t *team) (id, secret string) {
	t.Helper()

	id, secret = "op"+rand.Text()[:12], rand.Text()

	var err error
	if s.Name == controlplane.MinIO {
		admin := minio.New(s.admin)
		err = errors.Join(admin.AddUser(t.Context(), id, secret), admin.SetPolicy(t.Context(), id, "consoleAdmin"))
	} else {
		err = s.versitygw(t.Context(), "create-user", nil, struct {
			XMLName              xml.Name `xml:"Account"`
			Access, Secret, Role string
		}{Access: id, Secret: secret, Role: "admin"})
	}
	if err != nil {
		t.Fatal(err)
	}

	return id, secret
}

func (s server) removeAdmin(t *team, id string) {
	t.Helper()

	var err error
	if s.Name == controlplane.MinIO {
		err = minio.New(s.admin).RemoveUser(t.Context(), id)
	} else {
		err = s.versitygw(t.Context(), "delete-user", url.Values{"access": {id}}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// versitygw calls the administration API of versitygw.
func (s server) versitygw(ctx context.Context, call string, query url.Values, in any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = xml.Marshal(in); err != nil {
			return err
		}
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPatch, s.Endpoint+"/"+call+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	if err := s.admin.Sign(ctx, r, body); err != nil {
		return err
	}
	rsp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	if rsp.StatusCode >= http.StatusMultipleChoices {
		err = errors.Errorf("%s: status %d", call, rsp.StatusCode)
	}

	return errors.Join(err, rsp.Body.Close())
}
