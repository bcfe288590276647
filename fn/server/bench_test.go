package server

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"
)

// BenchmarkCall is one call over loopback of a client that sends and takes bytes, so that what is
// counted is gRPC and the server and no message.
func BenchmarkCall(b *testing.B) {
	for _, size := range []int{4 << 10, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			response := []byte(strings.Repeat("x", 4<<10))
			r := start(b, Options{Handler: func(context.Context, []byte) ([]byte, error) { return response, nil }})
			conn := r.dial(b, nil)
			name := "/" + services[0] + "/" + method
			request := mem.SliceBuffer(bytes.Repeat([]byte("x"), size))
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				got := &frame{}
				if err := conn.Invoke(b.Context(), name, &frame{Buffer: request}, got, grpc.ForceCodecV2(newCodec())); err != nil {
					b.Fatal(err)
				}
				got.Free()
			}
		})
	}
}

// TestCallAllocations bounds what one call costs beyond gRPC: from the decoded frames to the response's frame.
func TestCallAllocations(t *testing.T) {
	r := start(t, Options{Handler: func(_ context.Context, b []byte) ([]byte, error) { return []byte{}, nil }})
	c := &calls{Options: r.Options, metrics: newMetrics().forService(services[0])}
	codec := newCodec()
	pieces := mem.BufferSlice{mem.SliceBuffer(make([]byte, 16<<10)), mem.SliceBuffer(make([]byte, 40<<10))}
	decode := func(v any) error { return codec.Unmarshal(pieces, v) }
	got := testing.AllocsPerRun(1000, func() {
		f, err := c.call(t.Context(), decode)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec.Marshal(f); err != nil {
			t.Fatal(err)
		}
	})
	// The request's frame and the response's, each with its buffer, and the slice that gRPC wants it in.
	if want := 5.0; got > want {
		t.Errorf("want at most %.0f allocations, got %.0f", want, got)
	}
}
