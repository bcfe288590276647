package provider

import (
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// takeByName gives Buckets the name of the neighbour's.
func (a *attack) takeByName() {
	for name, f := range map[string]func(b *bucket){
		"plain":   func(*bucket) {},
		"adopt":   func(b *bucket) { b.Spec.ForProvider.Adopt = true },
		"destroy": func(b *bucket) { b.Spec.ForProvider.Adopt, b.Spec.ForProvider.ForceDestroy = true, true },
		"observe": managed(xpv2.ManagementActionObserve),
		"delete":  managed(xpv2.ManagementActionObserve, xpv2.ManagementActionDelete),
		"create":  managed(xpv2.ManagementActionCreate, xpv2.ManagementActionUpdate),
	} {
		b := a.bucket("take-"+name, parameters{Tags: addTag(nil, "mine", "now")}, named[*bucket](a.external), f, func(b *bucket) {
			b.Spec.WriteConnectionSecretToReference = &xpv2.LocalSecretReference{Name: "take-" + name}
		})
		if name == "create" {
			// Such policies are none that Crossplane knows: the resource is not looked at.
			a.says(b, xpv2.TypeSynced, corev1.ConditionFalse)
		} else {
			a.refused(b, notYours(a.external))
		}
		a.knowsNothing(b)

		s := &corev1.Secret{}
		err := a.client.Get(a.Context(), client.ObjectKey{Namespace: a.tenant.Namespace, Name: "take-" + name}, s)
		if !kerrors.IsNotFound(err) {
			a.Errorf("%s: there is a Secret of it: %v", name, err)
		}

		if name != "create" {
			a.remove(b)
			a.gone(b)
		}
	}
}

// renameOwn makes a Bucket, gives it the name of the neighbour's, and deletes it.
func (a *attack) renameOwn() {
	b := a.bucket("renamed", parameters{ForceDestroy: true, Adopt: true})
	a.ready(b)
	own := meta.GetExternalName(b)
	no := fmt.Sprintf("this resource has the bucket %q, and cannot change to %q", own, a.external)

	change(a.team, b, named[*bucket](a.external))
	a.refused(b, no)
	a.remove(b)
	a.refused(b, no)

	change(a.team, b, named[*bucket](own))
	a.gone(b)
	if a.server.exists(a, own) {
		a.Error("their own bucket is still there")
	}
}

// accessByName asks for keys to a Bucket that has the neighbour's name.
func (a *attack) accessByName() {
	a.bucket("claimed", parameters{Adopt: true}, named[*bucket](a.external))
	for name, want := range map[string]string{
		"claimed":                             `Bucket "claimed" is not there yet`,
		a.victim.tenant.Namespace + "/assets": fmt.Sprintf("there is no Bucket %q in namespace %q yet", a.victim.tenant.Namespace+"/assets", a.tenant.Namespace),
	} {
		k := a.access("to-"+unfitted(name), name, grant{})
		a.refused(k, want)
		if a.secret(k) != nil {
			a.Errorf("there is a Secret of %s", name)
		}
		a.remove(k)
		a.gone(k)
	}
}

// accessRenamed writes the neighbour's name where the provider keeps that of the bucket
// that keys are to, and deletes the keys when nobody can tell any more.
func (a *attack) accessRenamed() {
	b := a.bucket("own", parameters{})
	k := a.access("renamed", "own", grant{}, named[*access](a.external))
	a.ready(k)
	a.read(b)
	keys, _ := a.team.keys(k)
	if got := code(reads("precious")(a.team, keys, a.external)); got != denied {
		a.Errorf("the keys open the neighbour's bucket: %q", got)
	}
	if err := writes("a")(a.team, keys, meta.GetExternalName(b)); err != nil {
		a.Errorf("the keys do not open their own bucket: %v", err)
	}

	a.empty(meta.GetExternalName(b))
	a.remove(b)
	a.gone(b)
	change(a.team, k, named[*access](a.external))
	a.remove(k)
	a.gone(k)
	if got := code(reads("precious")(a.team, keys, a.external)); got != unknown {
		a.Errorf("the keys after they were deleted: want %s, got %q", unknown, got)
	}
}

// switchEndpoint has a server of their own say that the neighbour's bucket is theirs,
// and then goes over to the real one.
func (a *attack) switchEndpoint() {
	var uid atomic.Pointer[string]
	liar := newHostile(a.T, func(w http.ResponseWriter, r *http.Request) {
		if _, ok := r.URL.Query()["tagging"]; ok && uid.Load() != nil {
			answerTags(w, map[string]string{tagOwnerUID: *uid.Load(), tagOffered: a.tenant.Namespace})
			return
		}
		answerError(w, http.StatusServiceUnavailable, "SlowDown", "later")
	})
	theirs := a.config
	ref := a.local("liar", liar.connection(a.server), "attacker", newKey())
	b := a.bucket("switched", parameters{ForceDestroy: true}, named[*bucket](a.external), with(ref))
	uid.Store(aws.String(string(b.GetUID())))
	a.ready(b)
	if diff := cmp.Diff("arn:aws:s3:::"+a.external, b.Status.AtProvider.ARN); diff != "" {
		a.Fatalf("the attack is none: ARN: -want, +got:\n%s", diff)
	}
	k := a.access("switched", "switched", grant{}, func(k *access) { k.Spec.ProviderConfigReference = &ref })
	a.says(k, xpv2.TypeSynced, corev1.ConditionFalse)

	// Both at once, so that the keys are asked for before the Bucket is looked at again.
	change(a.team, k, func(k *access) { k.Spec.ProviderConfigReference = &theirs })
	change(a.team, b, func(b *bucket) { b.Spec.ProviderConfigReference = &theirs })
	a.refused(b, notYours(a.external))
	a.knowsNothing(b)
	a.refused(k, "")
	if a.secret(k) != nil {
		a.Error("there are keys")
	}

	a.remove(k)
	a.gone(k)
	a.remove(b)
	a.gone(b)
	a.heardNothing(liar)
}

// switchWhileMaking has a server of their own never finish the making of a bucket, and
// then goes over to the real one, where somebody has a bucket of that name that is
// neither marked nor filled yet.
func (a *attack) switchWhileMaking() {
	external := a.tenant.Namespace + "-bare"
	a.server.create(a, external, nil)

	liar := newHostile(a.T, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			answerError(w, http.StatusServiceUnavailable, "SlowDown", "later")
			return
		}
		answerError(w, http.StatusNotFound, "NoSuchBucket", "none")
	})
	theirs := a.config
	b := a.bucket("making", parameters{ForceDestroy: true}, named[*bucket](external), with(a.local("never", liar.connection(a.server), "attacker", newKey())))
	a.says(b, xpv2.TypeReady, corev1.ConditionFalse)
	a.refused(b, "the server asks for fewer requests")

	change(a.team, b, func(b *bucket) { b.Spec.ProviderConfigReference = &theirs })
	a.refused(b, notYours(external))
	a.knowsNothing(b)
	a.remove(b)
	a.gone(b)
	if diff := cmp.Diff(map[string]string(nil), a.server.tags(a, external)); diff != "" || !a.server.exists(a, external) {
		a.Errorf("the bucket exists: %t; tags: -want, +got:\n%s", a.server.exists(a, external), diff)
	}
}

// policy writes policies about the neighbour's bucket, and with the marks of ours.
func (a *attack) policy() {
	document := func(sid, external string) *string {
		return aws.String(`{"Version":"2012-10-17","Statement":[{"Sid":"` + sid + `","Effect":"Allow","Principal":"*","Action":"s3:*","Resource":["arn:aws:s3:::` +
			external + `","arn:aws:s3:::` + external + `/*"]}]}`)
	}

	b := a.bucket("policy", parameters{Policy: document("Mine", a.external)})
	a.refused(b, "cannot set policy: the server refuses this: MalformedPolicy")
	a.refused(a.bucket("sid", parameters{Policy: document("EchoAccessMine", "any")}),
		`spec.forProvider.policy: the Sid "EchoAccessMine" begins with EchoAccess, which is reserved for BucketAccess`)
}
