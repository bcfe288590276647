// Package raw carries gRPC messages as bytes, so that a client costs little
// beside the server that it measures, and a server can answer without decoding.
package raw

import (
	"fmt"

	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
)

// The method that Crossplane calls, as a client and as a server name it.
const (
	Service    = "apiextensions.fn.proto.v1.FunctionRunnerService"
	Method     = "RunFunction"
	FullMethod = "/" + Service + "/" + Method
)

// MaxMessage is the largest message that clients and servers here take, in
// bytes: enough for a thousand Pods and their managed fields many times over.
const MaxMessage = 64 << 20

// A Message is one message in wire form.
type Message []byte

// A Length is all that is kept of a message that nobody reads.
type Length int

// Codec passes messages on as they are. It knows *Message and *Length alone.
type Codec struct{}

// Name is that of gRPC's own codec, because the bytes mean the same.
func (Codec) Name() string { return proto.Name }

// Marshal lends gRPC the bytes of v, a *Message. They must not change until the
// call is over.
func (Codec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*Message)
	if !ok {
		return nil, fmt.Errorf("cannot send a %T as bytes", v)
	}

	return mem.BufferSlice{mem.SliceBuffer(*m)}, nil
}

// Unmarshal copies the message into v if that is a *Message, and only measures
// it if v is a *Length.
func (Codec) Unmarshal(data mem.BufferSlice, v any) error {
	switch v := v.(type) {
	case *Message:
		*v = data.Materialize()
	case *Length:
		*v = Length(data.Len())
	default:
		return fmt.Errorf("cannot receive a %T as bytes", v)
	}

	return nil
}
