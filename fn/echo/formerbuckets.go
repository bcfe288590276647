package echo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/storage"
)

// formerBuckets keeps buckets that were taken out of the spec until no Pod has
// the keys to them any more, or Pods would lose access while they still serve.
func (c *composer) formerBuckets() error {
	former := map[string]bool{}

	for key := range c.req.Observed {
		name, ok := strings.CutPrefix(key, keyBucketPrefix)
		if !ok {
			name, ok = strings.CutPrefix(key, keyAccessPrefix)
		}

		if ok && !slices.ContainsFunc(c.buckets, func(b bucket) bool { return b.Name == name }) {
			former[name] = true
		}
	}

	if len(former) == 0 {
		return nil
	}

	inUse, known, err := c.inUse()
	if err != nil {
		return err
	}

	for _, name := range slices.Sorted(maps.Keys(former)) {
		if known && !inUse[c.app.BucketSecret(name)] {
			continue
		}

		if err := c.keepBucket(name); err != nil {
			return err
		}
	}

	return nil
}

// inUse are the Secrets that are bound by anything that runs: Crossplane forgets
// Pods that it has let go, and never knew those of a Deployment, and both may take
// time to end. It is not known before they were looked up.
func (c *composer) inUse() (secrets map[string]bool, known bool, err error) {
	c.requirePods()

	pods, asked := c.req.Required[keyPods]
	if !asked {
		return nil, false, nil
	}

	secrets, err = c.bound()
	if err != nil {
		return nil, false, err
	}

	for _, s := range pods {
		p, err := observed.ReadPod(s)
		if err != nil {
			return nil, false, fmt.Errorf("cannot read a Pod of this Echo: %w", err)
		}

		if p.Finished() {
			continue
		}

		names, err := observed.ReadBindings(s)
		if err != nil {
			return nil, false, fmt.Errorf("cannot read a Pod of this Echo: %w", err)
		}

		for _, n := range names {
			secrets[n] = true
		}
	}

	return secrets, true, nil
}

// keepBucket keeps what exists of a bucket as it is.
func (c *composer) keepBucket(name string) error {
	if s, ok := c.req.Observed[bucketKey(name)]; ok {
		kept, err := storage.KeepBucket(c.app, name, s)
		if err != nil {
			return fmt.Errorf("cannot read observed resource %q: %w", bucketKey(name), err)
		}

		c.rsp.Resources[bucketKey(name)] = composition.Resource{Object: kept, Ready: true}
	}

	if s, ok := c.req.Observed[accessKey(name)]; ok {
		kept, err := storage.KeepAccess(c.app, name, s)
		if err != nil {
			return fmt.Errorf("cannot read observed resource %q: %w", accessKey(name), err)
		}

		c.rsp.Resources[accessKey(name)] = composition.Resource{Object: kept, Ready: true}
	}

	return nil
}
