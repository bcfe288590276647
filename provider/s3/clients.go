package s3

import (
	"cmp"
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
)

const (
	defaultInFlight = 32
	defaultTimeout  = 15 * time.Second
	// keepClient is how long a client stays that nobody asks for. It is longer than poll intervals are.
	keepClient = time.Hour
	// maxClients is how many clients are kept. Each takes some 10 KiB, and more once it has connections.
	maxClients = 1024
	// sweepEvery is how often is looked for clients that nobody asks for.
	sweepEvery = time.Minute
	// One more attempt bridges a connection that broke. What lasts longer is the controllers' to back off from.
	maxAttempts     = 2
	maxRetryBackoff = 300 * time.Millisecond
)

// Options of Clients.
type Options struct {
	// MaxInFlight is how many calls may be under way to one endpoint. Default 32.
	MaxInFlight int
	// Timeout is how long one call may take, waiting for its turn and reading its answer included. Default 15 s.
	Timeout time.Duration
	// Registerer is where metrics are registered. Default: nowhere.
	Registerer prometheus.Registerer
}

// Clients makes clients and shares them. Those that nobody asked for in an hour are let go.
type Clients struct {
	options     Options
	metrics     *metrics
	locks       locks
	environment aws.CredentialsProvider

	mu      sync.Mutex
	clients map[[sha256.Size]byte]*entry
	lines   map[lineKey]*line
	swept   time.Time
}

// An entry is a client that is kept.
type entry struct {
	client *Client
	line   lineKey
	used   time.Time
}

// A lineKey is what a line is shared by.
type lineKey struct {
	endpoint  string
	caBundle  [sha256.Size]byte
	pathStyle bool
}

// NewClients fails if its metrics are registered already.
func NewClients(o Options) (*Clients, error) {
	o.MaxInFlight = cmp.Or(o.MaxInFlight, defaultInFlight)
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	c := &Clients{
		options:     o,
		environment: newEnvironment(),
		clients:     map[[sha256.Size]byte]*entry{},
		lines:       map[lineKey]*line{},
		swept:       time.Now(),
	}
	var err error
	c.metrics, err = newMetrics(o.Registerer, c.openBreakers)
	return c, err
}

// For returns the client of a connection. It calls nobody. An error is an *Error that says what is wrong with the connection.
func (c *Clients) For(ctx context.Context, conn Connection) (*Client, error) {
	digest := conn.Digest()
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.clients[digest]; ok {
		e.used = now
		return e.client, nil
	}
	conn, err := conn.normal()
	if err != nil {
		return nil, err
	}
	endpoint, err := endpointOf(ctx, conn)
	if err != nil {
		return nil, err
	}
	c.sweep(now)
	key := lineKey{endpoint: endpoint, caBundle: sha256.Sum256(conn.CABundle), pathStyle: conn.PathStyle}
	l, ok := c.lines[key]
	if !ok {
		if l, err = newLine(endpoint, conn.CABundle, c.options.MaxInFlight); err != nil {
			return nil, err
		}
		c.lines[key] = l
	}
	l.users++
	client := c.newClient(conn, endpoint, l)
	c.clients[digest] = &entry{client: client, line: key, used: now}
	return client, nil
}

// endpointOf is the connection's endpoint, or AWS's for its region.
func endpointOf(ctx context.Context, conn Connection) (string, error) {
	if conn.Endpoint != "" {
		return conn.Endpoint, nil
	}
	found, err := awss3.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx, awss3.EndpointParameters{Region: aws.String(conn.Region)}.WithDefaults())
	if err != nil {
		return "", &Error{Class: Invalid, cause: err, words: "the region is not one of AWS: correct it, or set an endpoint"}
	}
	return found.URI.String(), nil
}

// newClient only puts together what is there.
func (c *Clients) newClient(conn Connection, endpoint string, l *line) *Client {
	way := &roundTripper{line: l, timeout: c.options.Timeout, metrics: c.metrics}
	client := &Client{
		endpoint:    endpoint,
		region:      conn.Region,
		http:        &http.Client{Transport: way, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		credentials: c.environment,
		locks:       &c.locks,
		way:         way,
	}
	if k := conn.Credentials; !k.Environment {
		client.credentials = credentials.NewStaticCredentialsProvider(k.AccessKeyID, k.SecretAccessKey, k.SessionToken)
	}
	o := &observer{metrics: c.metrics, tracer: otel.Tracer("my-operator.dev/echo/provider/s3"), client: client}
	options := awss3.Options{
		AppID:        "provider-echo",
		Region:       conn.Region,
		UsePathStyle: conn.PathStyle,
		Credentials:  client.credentials,
		HTTPClient:   client.http,
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = maxAttempts, maxRetryBackoff
		}),
		// Servers other than AWS's do not know the checksums that the SDK adds of itself.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		// A bucket's name must not decide where requests go, nor how they are signed.
		DisableMultiRegionAccessPoints: true,
		DisableS3ExpressSessionAuth:    aws.Bool(true),
		APIOptions:                     []func(*middleware.Stack) error{o.register},
	}
	if conn.Endpoint != "" {
		options.BaseEndpoint = aws.String(conn.Endpoint)
	}
	client.Client = awss3.New(options)
	return client
}

// sweep lets go what nobody asked for, and the one longest not asked for if there are too many. It wants the mutex held.
func (c *Clients) sweep(now time.Time) {
	full := len(c.clients) >= maxClients
	if !full && now.Sub(c.swept) < sweepEvery {
		return
	}
	c.swept = now
	var oldest [sha256.Size]byte
	var oldestUsed time.Time
	for digest, e := range c.clients {
		if now.Sub(e.used) > keepClient {
			c.drop(digest)
		} else if oldestUsed.IsZero() || e.used.Before(oldestUsed) {
			oldest, oldestUsed = digest, e.used
		}
	}
	if len(c.clients) >= maxClients {
		c.drop(oldest)
	}
}

// drop forgets a client. Who holds it still may go on with it.
func (c *Clients) drop(digest [sha256.Size]byte) {
	e := c.clients[digest]
	delete(c.clients, digest)
	l := c.lines[e.line]
	if l.users--; l.users == 0 {
		delete(c.lines, e.line)
		l.transport.CloseIdleConnections()
	}
}

// openBreakers counts them for a metric.
func (c *Clients) openBreakers() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, l := range c.lines {
		if l.breaker.isOpen() {
			n++
		}
	}
	for _, e := range c.clients {
		if e.client.way.breaker.isOpen() {
			n++
		}
	}
	return float64(n)
}
