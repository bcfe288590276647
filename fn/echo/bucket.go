package echo

import (
	"fmt"
	"maps"
	"slices"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/readiness"
)

// A bucket is one of the App's buckets, and what is observed of it.
type bucket struct {
	app.Bucket

	// secret is the name of the Secret with the keys.
	secret string
	// bucket and access are what exists of it, nil if they do not.
	bucket *observed.Bucket
	access *observed.BucketAccess
	// held: there are no keys yet, and nothing that runs has had any. What is
	// made from the latest template would have to wait for them.
	held bool
	// obstacle is why it cannot be composed; the zero Verdict if it can.
	obstacle readiness.Verdict
}

func bucketKey(name string) string { return keyBucketPrefix + name }
func accessKey(name string) string { return keyAccessPrefix + name }

// readBuckets reads what exists of the App's buckets, and finds those that hold
// the workload up.
func (c *composer) readBuckets() error {
	for _, b := range c.app.Spec.Buckets {
		read := bucket{Bucket: b, secret: c.app.BucketSecret(b.Name)}

		var err error

		if s, ok := c.req.Observed[bucketKey(b.Name)]; ok {
			if read.bucket, err = observed.ReadBucket(s); err != nil {
				return fmt.Errorf("cannot read observed resource %q: %w", bucketKey(b.Name), err)
			}
		}

		if s, ok := c.req.Observed[accessKey(b.Name)]; ok {
			if read.access, err = observed.ReadBucketAccess(s); err != nil {
				return fmt.Errorf("cannot read observed resource %q: %w", accessKey(b.Name), err)
			}
		}

		c.buckets = append(c.buckets, read)
	}

	return c.hold()
}

// hold finds the buckets without keys that no Pod has had keys to. That one was
// ready once is read off the keys, and not off conditions: a bucket that gets
// unready later is no cause to stop, or not to replace, what runs.
func (c *composer) hold() error {
	issued := func(b bucket) bool { return b.access != nil && b.access.Issued() }
	if !slices.ContainsFunc(c.buckets, func(b bucket) bool { return !issued(b) }) {
		return nil
	}

	bound, err := c.bound()
	if err != nil {
		return err
	}

	for i, b := range c.buckets {
		c.buckets[i].held = !issued(b) && !bound[b.secret]
	}

	return nil
}

// held is true of an App whose latest template cannot be rolled out, for want of
// the keys to a bucket.
func (c *composer) held() bool {
	return slices.ContainsFunc(c.buckets, func(b bucket) bool { return b.held })
}

// bound are the Secrets that observed Pods, and the Pods that an observed
// Deployment makes, have in their environment.
func (c *composer) bound() (map[string]bool, error) {
	bound := map[string]bool{}

	// In order, so that it is always the same one that is complained about.
	for _, key := range slices.Sorted(maps.Keys(c.req.Observed)) {
		if _, _, pod := parsePodKey(key); !pod && key != keyDeployment {
			continue
		}

		names, err := observed.ReadBindings(c.req.Observed[key])
		if err != nil {
			return nil, fmt.Errorf("cannot read observed resource %q: %w", key, err)
		}

		for _, n := range names {
			bound[n] = true
		}
	}

	return bound, nil
}

// region is that of the Bucket if there is one: it cannot move to another.
func (b *bucket) region() string {
	if b.bucket != nil {
		return b.bucket.Spec.ForProvider.Region
	}

	return b.Region
}

// verdict judges a bucket and the keys to it, and says in words which of the two
// it is about.
func (b *bucket) verdict() (culprit string, v readiness.Verdict) {
	name := "bucket " + b.Name

	if b.obstacle.Reason != "" {
		return name, b.obstacle
	}

	if b.bucket == nil {
		return name, readiness.Verdict{Reason: ReasonCreating}
	}

	v = readiness.Bucket(b.bucket)

	if is := b.region(); v.Ready && is != b.Region {
		return name, readiness.Verdict{Reason: ReasonInvalidSpec, Message: fmt.Sprintf("it is in region %q, and cannot move to %q", is, b.Region), Stuck: true}
	}

	if !v.Ready {
		return name, v
	}

	switch {
	case b.access == nil:
		return "keys to " + name, readiness.Verdict{Reason: ReasonCreating}
	case !readiness.BucketAccess(b.access).Ready:
		return "keys to " + name, readiness.BucketAccess(b.access)
	case !b.access.Issued():
		return "keys to " + name, readiness.Verdict{Reason: readiness.ReasonStarting}
	}

	return name, v
}
