package main

import (
	"context"
	"os"
	"os/exec"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// The tags of the commands. grpcnotrace is gRPC's own tag for leaving out golang.org/x/net/trace, which nothing here
// turns on, and whose templates keep the linker from dropping what is not called: 1.7 MiB of the function's resident
// memory. nethttpomithttp2 is Go's own tag for leaving HTTP/2 out of net/http, which in the function serves metrics in
// plain text, where HTTP/2 is never spoken: 0.2 MiB. gRPC has an implementation of its own. The provider keeps it: over
// HTTP/2 all its watches and requests share one connection to the API server.
const (
	tagsFunction = "grpcnotrace,nethttpomithttp2"
	tagsProvider = "grpcnotrace"
)

// compile builds the command of a runtime as a static Linux executable.
//
// The flags are those of the Dockerfile, so that both ways give the same bytes: -trimpath and -buildvcs=false keep
// the folder and the state of the checkout out of the binary, -s -w leave out the symbol table and DWARF (a third
// of the size; panics still name their functions and lines).
func compile(ctx context.Context, r runtime, binary, arch string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags="+r.Tags, "-ldflags=-s -w", "-o", binary, r.Command)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	cmd.Stderr = os.Stderr
	return errors.Wrapf(cmd.Run(), "cannot compile %s", r.Command)
}
