package server

import (
	"context"
	"fmt"
	"runtime/debug"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
)

const method = "RunFunction"

// services are the names under which the function answers. Core up to v1.16 knows only v1beta1, later core tries
// v1 first. The messages of the two are the same on the wire.
//
//nolint:gochecknoglobals // A constant, were there constant slices.
var services = []string{
	"apiextensions.fn.proto.v1.FunctionRunnerService",
	"apiextensions.fn.proto.v1beta1.FunctionRunnerService",
}

// serviceDesc describes the service of that name as generated code would, less the generated messages.
func serviceDesc(name string) *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: name,
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{
			MethodName: method,
			Handler: func(srv any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				return srv.(*calls).call(ctx, decode) //nolint:forcetypeassert // It is what listen registered.
			},
		}},
	}
}

// calls carries the calls of one service to the handler, and counts them.
type calls struct {
	Options

	metrics *serviceMetrics
}

// call receives one request with decode, and answers it.
func (c *calls) call(ctx context.Context, decode func(any) error) (*frame, error) {
	started := c.metrics.begin()

	request := &frame{}
	if err := decode(request); err != nil {
		c.metrics.end(started, status.Code(err), 0, 0)
		return nil, err
	}
	defer request.Free()

	response, err := c.answer(ctx, request.ReadOnlyData())
	if err != nil {
		// This is how gRPC makes a status of an error, but it does so only after the call has been counted.
		s, ok := status.FromError(err)
		if !ok {
			s = status.FromContextError(err)
		}
		c.metrics.end(started, s.Code(), request.Len(), 0)
		return nil, err
	}
	c.metrics.end(started, codes.OK, request.Len(), len(response))
	return &frame{Buffer: mem.SliceBuffer(response)}, nil
}

// answer runs the handler. A panic there costs this call's answer and nothing else.
func (c *calls) answer(ctx context.Context, request []byte) (response []byte, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		c.metrics.panics.Inc()
		c.Log.Error("Handling of a request panicked", "panic", fmt.Sprint(v), "bytes", len(request), "stack", string(debug.Stack()))
		response, err = c.panicked(request, v)
	}()
	return c.Handler(ctx, request)
}

// panicked makes the answer after a panic. It reads the same request that may be what the handler could not
// bear, so a second panic is possible, and fails the call.
func (c *calls) panicked(request []byte, value any) (response []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			c.Log.Error("Answering a request that panicked", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			response, err = nil, status.Error(codes.Internal, "cannot answer a request whose handling panicked")
		}
	}()
	return c.Panicked(request, value), nil
}
