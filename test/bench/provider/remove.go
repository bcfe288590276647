package main

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
)

// collectionLimit is how long Kubernetes' garbage collector may take for the usages
// of Buckets that are gone.
const collectionLimit = 2 * time.Minute

// removed is what it takes until all Buckets are gone.
type removed struct {
	took   time.Duration
	counts counts

	// What is left in the end: buckets on the server, and usages of configs.
	buckets, usages int
}

// remove deletes all n Buckets, and looks what is left.
func (r *rig) remove(ctx context.Context, n int) (*removed, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()

	v, err := r.view(watching)
	if err != nil {
		return nil, err
	}

	r.proxy.Reset()

	before, err := r.count(ctx)
	if err != nil {
		return nil, err
	}

	say("Deleting %d Buckets", n)

	d := &removed{}
	_, stop := r.record(ctx, "left", func() int { exist, _, _ := v.count(); return exist })
	began := time.Now()

	err = inParallel(ctx, n, func(ctx context.Context, i int) error {
		return errors.Wrap(r.client.Delete(ctx, newBucket(i)), "cannot delete a Bucket")
	})
	if err == nil {
		err = v.await(ctx, func(exist, _ int) bool { return exist == 0 })
	}

	d.took = time.Since(began)

	stop()

	if err != nil {
		return nil, err
	}

	say("All are gone after %.1f s", d.took.Seconds())

	if err := sleep(ctx, aftermath); err != nil {
		return nil, err
	}

	after, err := r.count(ctx)
	if err != nil {
		return nil, err
	}

	d.counts = after.since(before)
	d.counts.less("DELETE buckets", n)

	return d, r.leftovers(ctx, d)
}

// leftovers counts what should be gone.
func (r *rig) leftovers(ctx context.Context, d *removed) error {
	// A wait that is over in vain is no error: what is left is the result.
	for end := time.Now().Add(collectionLimit); ; {
		usages := &providerv1beta1.ProviderConfigUsageList{}
		if err := r.client.List(ctx, usages, client.InNamespace(namespace)); err != nil {
			return errors.Wrap(err, "cannot list usages")
		}

		if d.usages = len(usages.Items); d.usages == 0 || time.Now().After(end) {
			break
		}

		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}

	c := s3.New(s3.Options{
		BaseEndpoint: aws.String(r.server.Endpoint),
		Region:       r.server.Region,
		UsePathStyle: true,
		Credentials:  credentials.NewStaticCredentialsProvider(r.server.AccessKey, r.server.SecretKey, ""),
	})

	list, err := c.ListBuckets(ctx, &s3.ListBucketsInput{})
	if err != nil {
		return errors.Wrap(err, "cannot list the server's buckets")
	}

	d.buckets = len(list.Buckets)
	say("Left: %d buckets, %d usages", d.buckets, d.usages)

	return nil
}
