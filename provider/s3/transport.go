package s3

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"golang.org/x/sync/semaphore"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const (
	// dialTimeout is short, since a server that is there accepts within a round trip.
	dialTimeout = 3 * time.Second
	tlsTimeout  = 5 * time.Second
	// keepIdle is longer than the usual poll interval of a minute, so that polls find their connections open.
	keepIdle = 90 * time.Second
	// maxHeader is what the headers of an answer may have, in bytes.
	maxHeader = 64 << 10
)

// A line is what all clients share that speak to one endpoint with the same CA bundle and style of path. Identity is no
// part of what makes a line, so all it may learn is whether the endpoint can be connected to: that does not depend on who
// asks, so no tenant can spoil it for another. What the server answers may, and is kept by client.
type line struct {
	site      string
	transport *http.Transport
	inFlight  *semaphore.Weighted
	breaker   breaker
	// users are the clients that hold the line.
	users int
}

// newLine fails if the CA bundle has no certificate.
func newLine(endpoint string, caBundle []byte, maxInFlight int) (*line, error) {
	t := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dial,
		TLSHandshakeTimeout:    tlsTimeout,
		MaxIdleConnsPerHost:    maxInFlight,
		MaxIdleConns:           maxInFlight,
		IdleConnTimeout:        keepIdle,
		MaxResponseHeaderBytes: maxHeader,
		// A small answer may unpack to a large one.
		DisableCompression: true,
		TLSClientConfig:    &tls.Config{MinVersion: tls.VersionTLS12},
	}
	if len(caBundle) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(caBundle) {
			return nil, &Error{Class: Invalid, words: "the CA bundle holds no certificate in PEM"}
		}
		t.TLSClientConfig.RootCAs = pool
	}
	return &line{site: site(endpoint), transport: t, inFlight: semaphore.NewWeighted(int64(maxInFlight))}, nil
}

// A dialError tells apart that nobody was there from that who was there did not answer.
type dialError struct{ error }

func (e dialError) Unwrap() error { return e.error }

var errLinkLocal = errors.New("link-local addresses are not allowed")

// dial refuses link-local addresses: no S3 server has one, but the metadata service of a cloud's machines does, and
// tenants choose endpoints.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{
		Timeout:   dialTimeout,
		KeepAlive: 30 * time.Second,
		Control: func(_, address string, _ syscall.RawConn) error {
			if a, err := netip.ParseAddrPort(address); err == nil && a.Addr().Unmap().IsLinkLocalUnicast() {
				return errLinkLocal
			}
			return nil
		},
	}
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, dialError{err}
	}
	return conn, nil
}

// roundTripper is the way of all requests of one client.
type roundTripper struct {
	line    *line
	breaker breaker
	timeout time.Duration
	metrics *metrics
	// serverName is what the server last called itself.
	serverName atomic.Pointer[string]
}

// RoundTrip fails with an *Error. Its time runs until the answer's body is closed.
func (t *roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	parent := r.Context()
	ctx, cancel := context.WithTimeout(parent, t.timeout)
	c := &call{roundTripper: t, request: r, parent: parent, cancel: cancel, began: began}
	if failure := c.begin(ctx); failure != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		c.count(failure)
		cancel()
		return nil, failure
	}
	answer, err := t.line.transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		failure := c.unanswered(ctx, err)
		c.end(failure)
		return nil, failure
	}
	t.remember(answer.Header.Get("Server"))
	c.status = answer.StatusCode
	if failure := webPage(answer); failure != nil {
		_ = answer.Body.Close()
		c.end(failure)
		return nil, failure
	}
	answer.Body = &body{ReadCloser: answer.Body, call: c, ctx: ctx, left: c.bodyLimit()}
	return answer, nil
}

// webPage is the failure of an answer that says it is a web page and that all went well, as web servers and portals answer
// whatever they are asked. Read as XML it would be a list of nothing.
func webPage(answer *http.Response) *Error {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind != "text/html" || answer.StatusCode/100 != 2 {
		return nil
	}
	return &Error{Class: NotS3, Status: answer.StatusCode, words: notS3(answer.StatusCode)}
}

// remember keeps the server's name. It is the server's own claim, so it is cut to what a name needs.
func (t *roundTripper) remember(name string) {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, name[:min(len(name), maxServerName)])
	if old := t.serverName.Load(); name != "" && (old == nil || *old != name) {
		t.serverName.Store(&name)
	}
}

const maxServerName = 32

// A call is one request from its turn until its answer was read.
type call struct {
	*roundTripper

	request *http.Request
	// parent is the context of the caller, without the call's own timeout.
	parent context.Context //nolint:containedctx // A call lives as long as its context.
	cancel context.CancelFunc
	// began is before the wait for its turn, and sent is after it.
	began, sent time.Time
	// status is that of the answer, or 0.
	status int
	// lineDone and ownDone report to the breakers that let the call pass.
	lineDone, ownDone func(verdict, *Error)
}

// begin waits for the call's turn, unless a breaker is open.
func (c *call) begin(ctx context.Context) *Error {
	// Following a redirect would hand a signed request to whoever the server names.
	if c.request.Response != nil {
		return &Error{Class: NotS3, Status: c.request.Response.StatusCode, words: notS3(c.request.Response.StatusCode)}
	}
	// Asked before the wait too, so that nobody waits for a dead server.
	for _, b := range []*breaker{&c.line.breaker, &c.breaker} {
		if refused := b.refused(); refused != nil {
			return refused
		}
	}
	if err := c.line.inFlight.Acquire(ctx, 1); err != nil {
		if c.parent.Err() != nil {
			return &Error{Class: Cancelled, cause: c.parent.Err()}
		}
		return &Error{Class: Busy, words: "too many calls to " + c.line.site + " are under way, and it is slow to answer them"}
	}
	var refused *Error
	if c.lineDone, refused = c.line.breaker.pass(); refused == nil {
		if c.ownDone, refused = c.breaker.pass(); refused != nil {
			c.lineDone(unknown, nil)
		}
	}
	if refused != nil {
		c.line.inFlight.Release(1)
		return refused
	}
	c.metrics.inFlight.Inc()
	c.sent = time.Now()
	return nil
}

// end gives back what begin took, and says how the call went. A failure to read the answer counts as none.
func (c *call) end(failure *Error) {
	c.lineDone(c.verdictOnLine(failure), failure)
	c.ownDone(c.verdictOnServer(failure))
	c.line.inFlight.Release(1)
	c.metrics.inFlight.Dec()
	c.count(failure)
	c.cancel()
}

// count counts what did not come through the SDK, as the middleware counts what did.
func (c *call) count(failure *Error) {
	if awsmiddleware.GetOperationName(c.parent) != "" {
		return
	}
	class := classOfStatus(c.status)
	if failure != nil {
		class = failure.Class
	}
	c.metrics.observe(operationHTTP, class, time.Since(c.began))
}

// verdictOnLine is about whether one can connect.
func (c *call) verdictOnLine(failure *Error) verdict {
	var dialing dialError
	switch {
	case failure == nil, c.status != 0:
		return alive
	case failure.Class == Unreachable && errors.As(failure.cause, &dialing):
		return dead
	default:
		return unknown
	}
}

// verdictOnServer is about whether it answers, and in time. Only reads are held to be too slow, as emptying a bucket may
// rightly take long.
func (c *call) verdictOnServer(failure *Error) (verdict, *Error) {
	class := classOfStatus(c.status)
	switch {
	case c.verdictOnLine(failure) == dead:
		return unknown, failure // The line's breaker has it.
	case failure != nil && (failure.Class == Unreachable || failure.Class == NotS3):
		return dead, failure
	case failure != nil:
		return unknown, failure
	case class == ServerFault || class == Throttled:
		return dead, NewError(c.status, "", "")
	case c.request.Method == http.MethodGet && time.Since(c.sent) > c.timeout/slowShare:
		return dead, &Error{Class: Unreachable, words: c.line.site + " is too slow to answer"}
	default:
		return alive, nil
	}
}

// slowShare is the part of a call's time within which a healthy server answers a read: a half.
const slowShare = 2

// bodyLimit is how many bytes of the answer are read.
func (c *call) bodyLimit() int64 {
	operation := awsmiddleware.GetOperationName(c.parent)
	switch {
	case c.status >= http.StatusMultipleChoices:
		return maxErrorBody
	case operation == "": // Of an administration API, which is spoken to without the SDK.
		return maxAdminBody
	case operation == "DeleteObjects", strings.HasPrefix(operation, "List"):
		return maxListBody
	default:
		return maxBody
	}
}

// unanswered puts a failure to get an answer in plain words.
func (c *call) unanswered(ctx context.Context, err error) *Error {
	switch {
	case c.parent.Err() != nil:
		return &Error{Class: Cancelled, cause: c.parent.Err()}
	case ctx.Err() != nil:
		return &Error{Class: Unreachable, final: true, cause: ctx.Err(), words: c.line.site + " does not answer within " + c.timeout.String()}
	}
	return unreachable(c.line.site, err)
}
