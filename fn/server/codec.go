package server

import (
	"math/bits"
	"sync"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
)

// A frame is one message of ours as it stands on the wire.
type frame struct{ mem.Buffer }

// A codec passes frames through as they are, and leaves every other message to the generated code: the health
// service shares the server, and a server has one codec.
type codec struct {
	encoding.CodecV2

	pool *pool
}

func newCodec() codec {
	return codec{CodecV2: encoding.GetCodecV2(proto.Name), pool: &pool{}}
}

// Marshal gives gRPC the frame itself; gRPC frees it when it has been sent.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if f, ok := v.(*frame); ok {
		return mem.BufferSlice{f.Buffer}, nil
	}
	return c.CodecV2.Marshal(v)
}

// Unmarshal makes v, a frame, hold the message in one piece. A message that arrived in one piece, which is any up
// to HTTP/2's 16 KiB, is not copied; a longer one is, once. Whoever asked for the frame frees it.
func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if f, ok := v.(*frame); ok {
		f.Buffer = data.MaterializeToBuffer(c.pool)
		return nil
	}
	return c.CodecV2.Unmarshal(data, v)
}

const (
	minTierBits = 15 // Nothing shorter than 16 KiB is ever copied, and 32 KiB is the next power of two.
	maxTierBits = 23 // 8 MiB, for a request of 4 MiB and a little more should not cost a jump: see docs/memory.md.
)

// A pool lends buffers for whole requests, in sizes that are powers of two from 32 KiB to 8 MiB. gRPC's own pool
// has nothing between 32 KiB and 1 MiB, so that a request of 33 KiB would touch, and hold, thirty times its
// size. Longer requests are rare and get memory of their own, so that one of them does not leave its size behind.
// What nobody borrows, the garbage collector takes back: nothing here outlives two of its cycles.
type pool struct {
	tiers [maxTierBits - minTierBits + 1]sync.Pool
}

// Get lends a buffer of the given length. Its content is whatever the last borrower left.
func (p *pool) Get(length int) *[]byte {
	i := 0
	if length > 1<<minTierBits {
		i = bits.Len(uint(length-1)) - minTierBits
	}
	if i >= len(p.tiers) {
		b := make([]byte, length)
		return &b
	}
	b, ok := p.tiers[i].Get().(*[]byte)
	if !ok {
		n := make([]byte, 1<<(i+minTierBits))
		b = &n
	}
	*b = (*b)[:length]
	return b
}

// Put takes a buffer back that Get has lent.
func (p *pool) Put(b *[]byte) {
	if i := bits.Len(uint(cap(*b)-1)) - minTierBits; i < len(p.tiers) {
		p.tiers[i].Put(b)
	}
}
