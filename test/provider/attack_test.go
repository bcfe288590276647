package provider

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
)

// An attack is a tenant with the rights that all tenants have, in a namespace of their
// own, and a neighbour on the same server who has something to lose.
type attack struct {
	*team

	victim *team
	// theirs is the neighbour's bucket, and external its name on the server, which the
	// attacker knows.
	theirs   *bucket
	keys     *access
	external string
}

// TestAttack tries to get at a neighbour's bucket and at the provider's own keys. No
// attempt may succeed, and none may learn more than that it is refused.
func TestAttack(t *testing.T) {
	attempts := map[string]func(a *attack){
		"TakeByName":        (*attack).takeByName,
		"RenameOwn":         (*attack).renameOwn,
		"AccessByName":      (*attack).accessByName,
		"AccessRenamed":     (*attack).accessRenamed,
		"SwitchEndpoint":    (*attack).switchEndpoint,
		"SwitchWhileMaking": (*attack).switchWhileMaking,
		"Policy":            (*attack).policy,
		"OthersConfig":      (*attack).othersConfig,
		"OthersSecret":      (*attack).othersSecret,
		"HostileEndpoint":   (*attack).hostileEndpoint,
		"OverwriteSecret":   (*attack).overwriteSecret,
		"Forbidden":         (*attack).forbidden,
		"Names":             (*attack).names,
	}

	forEach(t, func(t *team) {
		a := &attack{team: t, victim: newTeam(t.T, t.server, "-victim")}
		a.theirs = a.victim.bucket("assets", parameters{Versioning: storagev1beta1.VersioningEnabled})
		a.keys = a.victim.access("keys", "assets", grant{})
		a.victim.ready(a.keys)
		a.victim.ready(a.theirs)
		a.external = meta.GetExternalName(a.theirs)
		t.server.put(t, a.external, "precious")
		before := a.state()

		t.Run("Attempts", func(st *testing.T) {
			for name, attempt := range attempts {
				st.Run(name, func(st *testing.T) {
					st.Parallel()

					it, inner := *a, *t
					inner.T = st
					it.team = &inner
					attempt(&it)
				})
			}
		})

		if diff := cmp.Diff(before, a.state()); diff != "" {
			t.Errorf("the neighbour's bucket: -before, +after:\n%s", diff)
		}
		a.knowsNoKeys()
	})
}

// state is what the attacker must not change.
func (a *attack) state() map[string]string {
	a.Helper()

	content, err := get(a.Context(), a.server.Client, a.external, "precious")
	state := map[string]string{
		"content":    content + code(err),
		"tags":       short(a.server.tags(a, a.external)),
		"policy":     readPolicy(a.team, a.external),
		"versioning": readVersioning(a.team, a.external),
		"versions":   strconv.Itoa(len(a.versions(a.external))),
	}
	keys, _ := a.victim.keys(a.keys)
	state["keys"] = code(reads("precious")(a.team, keys, a.external))

	return state
}

// knowsNoKeys looks through all that the attacker can read in their namespace for the
// provider's keys and those of the neighbour.
func (a *attack) knowsNoKeys() {
	a.Helper()

	said := map[string][]byte{}
	for what, list := range map[string]client.ObjectList{
		"a Secret":       &corev1.SecretList{},
		"an event":       &corev1.EventList{},
		"a Bucket":       &storagev1beta1.BucketList{},
		"a BucketAccess": &storagev1beta1.BucketAccessList{},
	} {
		a.must(nil, a.client.List(a.Context(), list, client.InNamespace(a.tenant.Namespace)))
		// Secrets are base64 in YAML, and not when they are printed.
		text, err := yaml.Marshal(list)
		a.must(text, err)
		said[what] = text
		if l, ok := list.(*corev1.SecretList); ok {
			for _, s := range l.Items {
				for _, v := range s.Data {
					said[what] = append(said[what], v...)
				}
			}
		}
	}

	theirs := a.victim.secret(a.keys)
	for what, text := range said {
		for whose, key := range map[string]string{
			"the provider's access key":  a.server.AccessKey,
			"the provider's secret key":  a.server.SecretKey,
			"the neighbour's access key": theirs["AWS_ACCESS_KEY_ID"],
			"the neighbour's secret key": theirs["AWS_SECRET_ACCESS_KEY"],
		} {
			if bytes.Contains(text, []byte(key)) {
				a.Errorf("%s is in %s of the attacker's namespace", whose, what)
			}
		}
	}
}

// knowsNothing fails unless a Bucket tells nothing of what is on the server.
func (a *attack) knowsNothing(b *bucket) {
	a.Helper()

	if diff := cmp.Diff(storagev1beta1.BucketObservation{}, b.Status.AtProvider); diff != "" {
		a.Errorf("%s: status.atProvider: -want, +got:\n%s", b.GetName(), diff)
	}
}
