package s3proxy

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"
)

// A Fault is what requests meet on their way: a delay, if it has one, and then the
// first of its other parts that is set.
type Fault struct {
	// Share of the requests that meet the fault, from 0 to 1; zero is all.
	Share float64

	// Delay before anything else happens.
	Delay time.Duration

	// Down resets the connection instead of answering.
	Down bool

	// Status to answer with in the server's place, in the form of S3's errors.
	Status int

	// Cut has the server act on a request, and breaks off its answer in the middle
	// of the body, or of the header where there is no body.
	Cut bool

	// Applied lets the server act on a request before its connection is reset:
	// the call took effect, and its caller does not know.
	Applied bool

	// Skew moves the time at which a request says that it was signed. The real
	// server then refuses it for the difference between the clocks.
	Skew time.Duration
}

// The form of the time in a signed request, by AWS's Signature Version 4.
const signedAt = "20060102T150405Z"

// meet does to a request what the fault says, and returns whether it is answered.
func (f *Fault) meet(forward http.Handler, w http.ResponseWriter, r *http.Request) (answered bool) {
	if f.Share > 0 && rand.Float64() >= f.Share {
		return false
	}

	select {
	case <-time.After(f.Delay):
	case <-r.Context().Done():
		return true
	}

	switch {
	case f.Down:
		reset(w)
	case f.Status != 0:
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(f.Status)
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>made by the test</Message></Error>", code(f.Status))
	case f.Cut:
		header, body := answer(forward, r)
		cut(w, header, body)
	case f.Applied:
		answer(forward, r)
		reset(w)
	case f.Skew != 0:
		if t, err := time.Parse(signedAt, r.Header.Get("X-Amz-Date")); err == nil {
			r.Header.Set("X-Amz-Date", t.Add(f.Skew).Format(signedAt))
		}

		return false
	default:
		return false
	}

	return true
}

// code is the error code that S3 has for a status.
func code(status int) string {
	switch status {
	case http.StatusServiceUnavailable:
		return "SlowDown"
	case http.StatusInternalServerError:
		return "InternalError"
	default:
		return http.StatusText(status)
	}
}

// answer is that of the server, as it would go over the wire.
func answer(forward http.Handler, r *http.Request) (header, body []byte) {
	recorder := httptest.NewRecorder()
	forward.ServeHTTP(recorder, r)

	rsp := recorder.Result()
	rsp.ContentLength = int64(recorder.Body.Len())
	body = bytes.Clone(recorder.Body.Bytes())

	wire := bytes.Buffer{}
	_ = rsp.Write(&wire) // To memory.

	return wire.Bytes()[:wire.Len()-len(body)], body
}

// cut sends half of an answer, and ends the connection.
func cut(w http.ResponseWriter, header, body []byte) {
	half := slices.Concat(header, body[:len(body)/2])
	if len(body) == 0 {
		half = header[:len(header)/2]
	}

	c := hijack(w)
	_, _ = c.Write(half)
	_ = c.Close()
}

// reset ends the connection as a dead machine's would: without a goodbye.
func reset(w http.ResponseWriter) {
	c := hijack(w)
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}

	_ = c.Close()
}

// hijack takes the connection of a request.
func hijack(w http.ResponseWriter) net.Conn {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}

	return c
}
