package s3

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// What is read of an answer, in bytes. A policy has at most 20 KiB, and 1,000 rules of a lifecycle some hundreds. A page of
// 1,000 versions has keys of up to 1 KiB, which encoding makes three times as long, and an administration API lists 100,000
// users of 200 bytes each. Endpoints are the tenants' choice, so what is not bounded here is theirs to fill.
const (
	maxErrorBody = 64 << 10
	maxBody      = 1 << 20
	maxListBody  = 4 << 20
	maxAdminBody = 20 << 20
)

// body is an answer's. It ends the call when it is closed, or read to its end.
type body struct {
	io.ReadCloser

	call *call
	ctx  context.Context //nolint:containedctx // It is the time that the call may take.
	left int64
	once sync.Once
}

// Read fails with an *Error if the answer breaks off or is too long. What is too long of an answer that is a failure anyway
// is left out, as its beginning says what is wrong.
func (b *body) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if b.call.status >= http.StatusMultipleChoices {
			b.end(nil)
			return 0, io.EOF
		}
		// At the limit exactly, an answer may be at its end.
		n, err := b.ReadCloser.Read(make([]byte, 1))
		if n == 0 && err == io.EOF {
			b.end(nil)
			return 0, io.EOF
		}
		failure := &Error{Class: NotS3, Status: b.call.status, words: "the answer is too long to be one of an S3 server"}
		b.end(failure)
		return 0, failure
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	switch err {
	case nil:
		return n, nil
	case io.EOF:
		b.end(nil)
		return n, io.EOF
	}
	if b.call.status == http.StatusBadRequest && b.call.request.URL.Scheme == "http" {
		// A server of https that is spoken to in plain text says so, and breaks off as soon as it did.
		b.end(nil)
		return n, io.EOF
	}
	failure := b.call.unanswered(b.ctx, err)
	if failure.Class == Unreachable && !failure.final {
		failure.words = b.call.line.site + " breaks off in the middle of its answer"
	}
	b.end(failure)
	return n, failure
}

// Close ends the call, as one that went well if nothing else is known of it.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.end(nil)
	return err
}

func (b *body) end(failure *Error) { b.once.Do(func() { b.call.end(failure) }) }
