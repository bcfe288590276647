package main

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"golang.org/x/sync/errgroup"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/bench/plot"
	"my-operator.dev/echo/test/bench/proc"
)

// workers is how many requests a plain client has under way at a time.
const workers = 32

// floorGroup has a copy of the Bucket's CRD, that nobody reconciles.
const floorGroup = "floor.my-operator.dev"

// A floor is what plain clients take for what cannot be left out.
type floor struct {
	// api is the time for as many resources with one status write each, and s3 that
	// for as many buckets with tags.
	api, s3 time.Duration

	// curve is how many resources had their status: seconds, number.
	curve []plot.Point
}

// floor measures it, and removes what it made.
func (r *rig) floor(ctx context.Context, n int) (*floor, error) {
	f := &floor{}

	say("The floor: %d resources with one status write each", n)

	if err := r.floorAPI(ctx, n, f); err != nil {
		return nil, err
	}

	say("The floor: %d S3 buckets with tags", n)

	return f, r.floorS3(ctx, n, f)
}

// floorAPI makes resources of a copy of the Bucket's CRD and writes their status.
func (r *rig) floorAPI(ctx context.Context, n int, f *floor) error {
	c, err := r.floorClient()
	if err != nil {
		return err
	}

	var done atomic.Int64

	rec, stop := r.record(ctx, "of the floor", func() int { return int(done.Load()) })
	began := time.Now()

	err = inParallel(ctx, n, func(ctx context.Context, i int) error {
		b := newBucket(i)
		if err := c.Create(ctx, b); err != nil {
			return errors.Wrap(err, "cannot make a resource")
		}

		settledStatus(b)
		defer done.Add(1)

		return errors.Wrap(c.Status().Update(ctx, b), "cannot write a status")
	})
	f.api = time.Since(began)

	stop()

	f.curve = rec.until(f.api, n)

	if err != nil {
		return err
	}

	say("It took %.1f s", f.api.Seconds())

	return errors.Wrap(c.DeleteAllOf(ctx, &storagev1beta1.Bucket{}, client.InNamespace(namespace)), "cannot remove the resources")
}

// copyCRD serves the Bucket's CRD under another group, too. That is done long before
// anything is measured, since API servers are busy for a while with every new CRD.
func (r *rig) copyCRD(ctx context.Context) error {
	original := &extv1.CustomResourceDefinition{}
	if err := r.client.Get(ctx, client.ObjectKey{Name: "buckets." + storagev1beta1.Group}, original); err != nil {
		return errors.Wrap(err, "cannot read the Bucket's CRD")
	}

	crd := &extv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "buckets." + floorGroup}, Spec: original.Spec}
	crd.Spec.Group = floorGroup
	crd.Spec.Names.Categories = nil

	return errors.Wrap(r.client.Create(ctx, crd), "cannot copy the Bucket's CRD")
}

// floorClient is a client that knows Buckets as being of the floor's group.
func (r *rig) floorClient() (client.Client, error) {
	gv := schema.GroupVersion{Group: floorGroup, Version: storagev1beta1.Version}
	scheme := kruntime.NewScheme()
	scheme.AddKnownTypes(gv, &storagev1beta1.Bucket{}, &storagev1beta1.BucketList{})
	metav1.AddToGroupVersion(scheme, gv)

	c, err := client.New(r.config, client.Options{Scheme: scheme})

	return c, errors.Wrap(err, "cannot make a client of the copied CRD")
}

// settledStatus is about what the provider writes.
func settledStatus(b *storagev1beta1.Bucket) {
	now := metav1.Now()
	b.Status.AtProvider = storagev1beta1.BucketObservation{
		ARN:          "arn:aws:s3:::" + namespace + "-" + b.GetName() + "-abcdefghij",
		URL:          "http://127.0.0.1:9000/" + namespace + "-" + b.GetName() + "-abcdefghij",
		Region:       "us-east-1",
		Endpoint:     "http://127.0.0.1:9000",
		Server:       "VERSITYGW",
		CreationTime: &now,
	}
	b.SetConditions(xpv2.Available(), xpv2.ReconcileSuccess())
}

// floorS3 makes buckets with tags through the same proxy, and deletes them.
func (r *rig) floorS3(ctx context.Context, n int, f *floor) error {
	c := s3.New(s3.Options{
		BaseEndpoint:               aws.String(r.proxy.URL()),
		Region:                     r.server.Region,
		UsePathStyle:               true,
		Credentials:                credentials.NewStaticCredentialsProvider(r.server.AccessKey, r.server.SecretKey, ""),
		HTTPClient:                 &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}},
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	})
	name := func(i int) *string { return aws.String(fmt.Sprintf("floor-%d", i)) }
	tags := &types.Tagging{TagSet: []types.Tag{
		{Key: aws.String("my-operator.dev/owner"), Value: aws.String("floor/of-this-run")},
		{Key: aws.String("my-operator.dev/owner-uid"), Value: aws.String("7c1f2a52-2d3c-4d43-9f4b-0f4f9b1f2a11")},
	}}

	began := time.Now()

	err := inParallel(ctx, n, func(ctx context.Context, i int) error {
		if _, err := c.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: name(i)}); err != nil {
			return errors.Wrap(err, "cannot make an S3 bucket")
		}

		_, err := c.PutBucketTagging(ctx, &s3.PutBucketTaggingInput{Bucket: name(i), Tagging: tags})

		return errors.Wrap(err, "cannot tag an S3 bucket")
	})
	if err != nil {
		return err
	}

	f.s3 = time.Since(began)
	say("It took %.1f s", f.s3.Seconds())

	return inParallel(ctx, n, func(ctx context.Context, i int) error {
		_, err := c.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: name(i)})
		return errors.Wrap(err, "cannot delete an S3 bucket")
	})
}

// memory reads the provider's.
func (r *rig) memory() (proc.Memory, error) { return proc.ReadMemory(r.process.PID) }

// inParallel does n things, some at a time.
func inParallel(ctx context.Context, n int, do func(context.Context, int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)

	for i := range n {
		g.Go(func() error { return do(ctx, i) })
	}

	return g.Wait()
}
