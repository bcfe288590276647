package echo

import (
	"fmt"
	"slices"
	"strings"

	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/readiness"
	"my-operator.dev/echo/fn/storage"
)

// storage composes the App's buckets, and those of before for as long as they are
// needed.
func (c *composer) storage() error {
	served := c.bucketsServed()

	for i := range c.buckets {
		b := &c.buckets[i]

		if !served && b.bucket == nil {
			b.obstacle = readiness.Verdict{Reason: ReasonNotServed, Message: "the cluster does not serve Bucket and BucketAccess of " + storage.APIVersion + ", which are provider-echo's", Stuck: true}
			c.rsp.NotReady = true
		}

		if err := c.bucket(b, served); err != nil {
			return err
		}
	}

	return c.formerBuckets()
}

// bucketsServed tells whether the cluster serves what buckets are made of, which
// Crossplane is asked for as long as some of it does not exist. Applying an object
// of a kind that is not served would fail all else with it. Nobody is told when a
// kind is served later, so that is asked again after a while.
func (c *composer) bucketsServed() bool {
	if !slices.ContainsFunc(c.buckets, func(b bucket) bool { return b.bucket == nil || b.access == nil }) {
		return true
	}

	c.rsp.Schemas[keyBucketPrefix] = kindBucket
	c.rsp.Schemas[keyAccessPrefix] = kindAccess

	served := c.req.Schemas[keyBucketPrefix] && c.req.Schemas[keyAccessPrefix]
	if !served {
		c.requeue(retryRefused)
	}

	return served
}

// bucket composes one of the App's buckets: the Bucket, and as soon as that is
// known to be the App's own the keys to it.
func (c *composer) bucket(b *bucket, served bool) error {
	name, taken := c.app.BucketName(b.Name), len(c.taken)

	if served || b.bucket != nil {
		ready := b.bucket != nil && readiness.Bucket(b.bucket).Ready && b.region() == b.Region

		err := c.named(bucketKey(b.Name), kindBucket, name, storage.NewBucket(c.app, b.Bucket, b.region()), ready)
		if err != nil {
			return err
		}
	}

	_, composed := c.rsp.Resources[bucketKey(b.Name)]

	switch {
	case b.access != nil, served && composed:
		ready := b.access != nil && b.access.Issued() && readiness.BucketAccess(b.access).Ready

		if err := c.named(accessKey(b.Name), kindAccess, name, storage.NewAccess(c.app, b.Bucket), ready); err != nil {
			return err
		}
	case served: // To know by the next call.
		if _, err := c.free(accessKey(b.Name), kindAccess, name); err != nil {
			return err
		}
	}

	if len(c.taken) > taken {
		b.obstacle = readiness.Verdict{Reason: ReasonNameTaken, Message: strings.Join(c.taken[taken:], "; "), Stuck: true}
	} else if !composed {
		return c.former(b)
	}

	return nil
}

// former finds the Bucket of before that is in the way of one, if there is one: an
// entry that was taken out and put back has to wait for it to go.
func (c *composer) former(b *bucket) error {
	for _, s := range c.req.Required[bucketKey(b.Name)] {
		before, err := observed.ReadBucket(s)
		if err != nil {
			return fmt.Errorf("cannot read Bucket %q: %w", c.app.BucketName(b.Name), err)
		}

		if before.Terminating() {
			b.obstacle = readiness.Bucket(before)
		}
	}

	return nil
}
