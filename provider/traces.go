package main

import (
	"context"
	"os"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// startTraces exports traces if the environment says where to
// (https://opentelemetry.io/docs/specs/otel/protocol/exporter/), else does nothing.
// The function it returns sends what is left.
func startTraces(ctx context.Context) (func(context.Context) error, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return func(context.Context) error { return nil }, nil
	}

	exporter, err := otlptracegrpc.New(ctx)
	if err != nil {
		return nil, errors.Wrap(err, "cannot make exporter of traces")
	}

	// What the environment says about the service comes last, and wins.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "provider-echo")), resource.WithFromEnv())
	if err != nil {
		return nil, errors.Wrap(err, "cannot describe the service for traces")
	}

	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetTracerProvider(provider)

	return provider.Shutdown, nil
}
