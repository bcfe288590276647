package s3

import (
	"context"
	"reflect"
	"strings"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go/middleware"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// observer adds a span to each operation and a count to each request, and puts errors in plain words.
type observer struct {
	metrics *metrics
	tracer  trace.Tracer
	client  *Client
	guard   guard
}

// register puts the observer into the stack of an operation: around all of it, and within what tries again.
func (o *observer) register(stack *middleware.Stack) error {
	if err := stack.Initialize.Add(middleware.InitializeMiddlewareFunc("EchoOperation", o.operation), middleware.Before); err != nil {
		return err
	}
	return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc("EchoRequest", o.request), "Retry", middleware.After)
}

func (o *observer) operation(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	name := awsmiddleware.GetOperationName(ctx)
	if err := o.guard.refuses(name); err != nil {
		return middleware.InitializeOutput{}, middleware.Metadata{}, err
	}
	ctx, span := o.tracer.Start(ctx, "S3."+name, trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	if span.IsRecording() {
		span.SetAttributes(attribute.String("rpc.system", "aws-api"), attribute.String("rpc.method", name))
		if bucket := bucketOf(in.Parameters); bucket != "" {
			span.SetAttributes(attribute.String("aws.s3.bucket", bucket))
		}
	}
	out, metadata, err := next.HandleInitialize(ctx, in)
	if err == nil {
		return out, metadata, nil
	}
	failure := o.redacted(ctx, classify(err))
	span.SetAttributes(attribute.String("error.type", string(failure.Class)))
	if failure.Class.Temporary() {
		span.SetStatus(codes.Error, failure.Error())
	}
	return out, metadata, failure
}

// request sees each try.
func (o *observer) request(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
	began := time.Now()
	out, metadata, err := next.HandleFinalize(ctx, in)
	name, result := awsmiddleware.GetOperationName(ctx), ClassOf(err)
	o.metrics.observe(name, result, time.Since(began))
	o.guard.learn(name, result)
	return out, metadata, err
}

// redacted takes the client's own keys out of the words of a server that repeats them.
func (o *observer) redacted(ctx context.Context, e *Error) *Error {
	if e.Class != Invalid && e.Class != Conflict || e.words == "" {
		return e
	}
	keys, err := o.client.credentials.Retrieve(ctx)
	if err != nil {
		return e
	}
	for _, secret := range []string{keys.SessionToken, keys.SecretAccessKey, keys.AccessKeyID} {
		if secret != "" {
			e.words = strings.ReplaceAll(e.words, secret, "...")
		}
	}
	return e
}

// bucketOf is the field Bucket, which every input but that of ListBuckets has.
func bucketOf(input any) string {
	v := reflect.Indirect(reflect.ValueOf(input))
	if v.Kind() != reflect.Struct {
		return ""
	}
	field := v.FieldByName("Bucket")
	if field.Kind() != reflect.Pointer || field.IsNil() || field.Elem().Kind() != reflect.String {
		return ""
	}
	return field.Elem().String()
}
