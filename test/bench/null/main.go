// Command null answers a function's calls with stored bytes and never decodes a
// request: what gRPC alone costs.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"my-operator.dev/echo/test/bench/floor"
	"my-operator.dev/echo/test/bench/raw"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "null:", err)
		os.Exit(1)
	}
}

func run() error {
	f := floor.ParseFlags()
	answers := map[int]*raw.Message{}

	err := f.Read(func(name string, b []byte) error {
		length, _, _ := strings.Cut(name, "-")
		n, err := strconv.Atoi(length)
		m := raw.Message(b)
		answers[n] = &m

		return err
	})
	if err != nil {
		return err
	}

	answer := func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		var n raw.Length
		if err := decode(&n); err != nil {
			return nil, err
		}

		if a, ok := answers[int(n)]; ok {
			return a, nil
		}

		return nil, status.Errorf(codes.NotFound, "no answer to a request of %d bytes", n)
	}

	return f.Serve(func(s *grpc.Server) {
		s.RegisterService(&grpc.ServiceDesc{
			ServiceName: raw.Service,
			HandlerType: (*any)(nil),
			Methods:     []grpc.MethodDesc{{MethodName: raw.Method, Handler: answer}},
		}, struct{}{})
	}, grpc.ForceServerCodecV2(raw.Codec{}))
}
