package main

import (
	"runtime/debug"

	"github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// dialChangeLogs returns a logger of changes to the service at a Unix socket, which
// is a container of the same Pod and may start later, and a function that closes it.
func dialChangeLogs(socket string) (managed.ChangeLogger, func() error, error) {
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, errors.Wrap(err, "cannot make client of the change log service")
	}

	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}

	return managed.NewGRPCChangeLogger(v1alpha1.NewChangeLogServiceClient(conn), managed.WithProviderVersion("provider-echo:"+version)), conn.Close, nil
}
