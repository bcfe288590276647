package faults

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

// damage is what a fault has left that does not go away.
type damage struct {
	// Lost are resources that call themselves ready without their bucket, or whose keys
	// the server does not know.
	Lost []string

	// Leaked are buckets and users on the server that are no resource's.
	Leaked []string

	// Stuck are resources that are not ready, or not gone.
	Stuck []string
}

func (d damage) none() bool { return len(d.Lost)+len(d.Leaked)+len(d.Stuck) == 0 }

// String names some, and counts all.
func (d damage) String() string {
	some := func(all []string) []string { return all[:min(len(all), 5)] }

	return fmt.Sprintf("%d lost, %d leaked, %d stuck: %q %q %q",
		len(d.Lost), len(d.Leaked), len(d.Stuck), some(d.Lost), some(d.Leaked), some(d.Stuck))
}

// settles waits until there are as many Buckets and accesses as said, and no damage.
func (t *team) settles(buckets, accesses int) {
	t.Helper()

	t.eventually("settle", func(ctx context.Context) string {
		bs, err := t.buckets(ctx)
		if err != nil {
			return err.Error()
		}
		as, err := t.accesses(ctx)
		if err != nil {
			return err.Error()
		}

		d := damage{Stuck: stuck(bs, as)}
		if d.none() {
			// Only now it is worth asking the server for each of hundreds of buckets.
			if d, err = t.damage(ctx, bs, as); err != nil {
				return err.Error()
			}
		}

		switch {
		case !d.none():
			return d.String()
		case len(bs) != buckets || len(as) != accesses:
			return fmt.Sprintf("want %d Buckets and %d accesses, got %d and %d", buckets, accesses, len(bs), len(as))
		default:
			return ""
		}
	})
}

// stuck names the resources that are not as their present generation wants them.
func stuck(buckets []v1beta1.Bucket, accesses []v1beta1.BucketAccess) []string {
	var all []conditioned
	for i := range buckets {
		all = append(all, &buckets[i])
	}
	for i := range accesses {
		all = append(all, &accesses[i])
	}

	var names []string
	for _, o := range all {
		ready, synced := o.GetCondition(xpv2.TypeReady), o.GetCondition(xpv2.TypeSynced)
		if meta.WasDeleted(o) || !holds(ready, o) || !holds(synced, o) {
			names = append(names, fmt.Sprintf("%s: deleted %t, %s %s, %s %s",
				o.GetName(), meta.WasDeleted(o), ready.Reason, ready.Message, synced.Reason, synced.Message))
		}
	}

	return names
}

// holds tells whether a condition is true of an object's present generation.
func holds(c xpv2.Condition, o conditioned) bool {
	return c.Status == corev1.ConditionTrue && c.ObservedGeneration == o.GetGeneration()
}

// damage compares what the server has with resources that are all ready.
func (t *team) damage(ctx context.Context, buckets []v1beta1.Bucket, accesses []v1beta1.BucketAccess) (damage, error) {
	var d damage

	there, err := t.server.buckets(ctx, t.namespace)
	if err != nil {
		return d, err
	}

	for _, b := range buckets {
		external := meta.GetExternalName(&b)
		tags, ok := there[external]
		delete(there, external)

		switch {
		case !ok:
			d.Lost = append(d.Lost, fmt.Sprintf("%s: there is no bucket %q", b.GetName(), external))
		case tags[tagOwnerUID] != string(b.GetUID()):
			d.Lost = append(d.Lost, fmt.Sprintf("%s: the tags of %q are %v", b.GetName(), external, tags))
		}
		for k, v := range b.Spec.ForProvider.Tags {
			if tags[k] != string(v) {
				d.Stuck = append(d.Stuck, fmt.Sprintf("%s: want the tag %s=%s, got %v", b.GetName(), k, v, tags))
			}
		}
	}
	d.Leaked = slices.Sorted(maps.Keys(there))

	if !t.countsUsers {
		return d, nil
	}

	return d, t.damageToUsers(ctx, accesses, &d)
}

// damageToUsers compares the server's users with the keys of accesses that are ready.
func (t *team) damageToUsers(ctx context.Context, accesses []v1beta1.BucketAccess, d *damage) error {
	users, err := t.server.users(ctx)
	if err != nil {
		return err
	}

	left := map[string]bool{}
	for _, u := range users {
		left[u] = true
	}

	for _, a := range accesses {
		key, err := t.key(ctx, a.GetName())
		if err != nil {
			return err
		}
		if !left[key.id] {
			d.Lost = append(d.Lost, fmt.Sprintf("%s: the server does not know the key %q", a.GetName(), key.id))
		}
		delete(left, key.id)

		// Two providers at once may both have written the Secret: whoever read the first
		// keys can use them until their time is over.
		for _, k := range a.Status.AtProvider.Retiring {
			delete(left, k.AccessKeyID)
		}
	}
	for u := range left {
		d.Leaked = append(d.Leaked, "user "+u)
	}

	_, others, err := t.server.minioFiles()
	if len(accesses) == 0 && t.server.Identity == "MinIO" {
		d.Leaked = append(d.Leaked, others...)
	}

	return err
}

// A key is what the Secret of an access holds.
type key struct{ id, secret, bucket, endpoint string }

// key reads the Secret of an access.
func (t *team) key(ctx context.Context, name string) (key, error) {
	s := &corev1.Secret{}
	if err := root.Get(ctx, types.NamespacedName{Namespace: t.namespace, Name: name}, s); err != nil {
		return key{}, err
	}

	return key{
		id: string(s.Data["AWS_ACCESS_KEY_ID"]), secret: string(s.Data["AWS_SECRET_ACCESS_KEY"]),
		bucket: string(s.Data["BUCKET_NAME"]), endpoint: string(s.Data["AWS_ENDPOINT_URL_S3"]),
	}, nil
}

// keysWork uses the keys of accesses to write an object, to read it and to delete it.
func (t *team) keysWork(accesses ...string) {
	t.Helper()

	each(t, accesses, func(ctx context.Context, name string) error {
		k, err := t.key(ctx, name)
		if err != nil {
			return err
		}

		return roundTrip(ctx, newS3(k.endpoint, t.server.Region, k.id, k.secret), k.bucket)
	})
}

// differ compares.
func differ(t *team, what string, want, got any) {
	t.Helper()

	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: -want, +got:\n%s", what, diff)
	}
}
