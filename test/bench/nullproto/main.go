// Command nullproto decodes a function's requests with the generated code and
// encodes a stored response: what a function that does nothing costs.
package main

import (
	"context"
	"fmt"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/test/bench/floor"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "nullproto:", err)
		os.Exit(1)
	}
}

// function answers by the request's tag.
type function struct {
	fnv1.UnimplementedFunctionRunnerServiceServer

	answers map[string]*fnv1.RunFunctionResponse
}

func (f *function) RunFunction(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	if rsp, ok := f.answers[req.GetMeta().GetTag()]; ok {
		return rsp, nil
	}

	return nil, status.Errorf(codes.NotFound, "no answer to a request tagged %q", req.GetMeta().GetTag())
}

func run() error {
	flags := floor.ParseFlags()
	f := &function{answers: map[string]*fnv1.RunFunctionResponse{}}

	err := flags.Read(func(_ string, b []byte) error {
		rsp := &fnv1.RunFunctionResponse{}
		if err := proto.Unmarshal(b, rsp); err != nil {
			return err
		}

		f.answers[rsp.GetMeta().GetTag()] = rsp

		return nil
	})
	if err != nil {
		return err
	}

	return flags.Serve(func(s *grpc.Server) { fnv1.RegisterFunctionRunnerServiceServer(s, f) })
}
