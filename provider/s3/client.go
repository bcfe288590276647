package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
)

// A Client speaks to one server as one identity. It is safe for concurrent use, and is not closed by those who use it.
type Client struct {
	// Client has the operations.
	*awss3.Client

	endpoint    string
	region      string
	http        *http.Client
	credentials aws.CredentialsProvider
	locks       *locks
	way         *roundTripper
}

// Endpoint is the URL that was given or, where none was, AWS's for the region.
func (c *Client) Endpoint() string { return c.endpoint }

// Region is what requests are signed for.
func (c *Client) Region() string { return c.region }

// HTTP is for what the SDK has no operation for, such as a server's administration API at the same endpoint. It goes
// through the same limits, breakers and bounds. For an API at another endpoint ask Clients for another Connection.
func (c *Client) HTTP() *http.Client { return c.http }

// Credentials returns the keys of this moment. Those of the environment change.
func (c *Client) Credentials(ctx context.Context) (aws.Credentials, error) {
	keys, err := c.credentials.Retrieve(ctx)
	if err != nil {
		return aws.Credentials{}, classify(err)
	}
	return keys, nil
}

// Sign signs a request of HTTP's with Signature Version 4, as of service s3. The body is what the request will send.
func (c *Client) Sign(ctx context.Context, r *http.Request, body []byte) error {
	keys, err := c.Credentials(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	r.Header.Set("X-Amz-Content-Sha256", hash)
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }) // As S3's rules are.
	return signer.SignHTTP(ctx, keys, r, hash, "s3", c.region, time.Now())
}

// Lock waits until it alone holds the bucket among all clients of the same endpoint, for what is read, modified and
// written back, such as a policy. It fails only if the context ends first.
func (c *Client) Lock(ctx context.Context, bucket string) (unlock func(), err error) {
	return c.locks.lock(ctx, c.endpoint+"\n"+bucket)
}

// ServerName is what the server calls itself, such as MinIO, VERSITYGW or AmazonS3: the Server header of the last answer
// that had one, cut to 32 plain characters. It is empty before the first answer. Nothing that matters may depend on it.
func (c *Client) ServerName() string {
	if name := c.way.serverName.Load(); name != nil {
		return *name
	}
	return ""
}

// String names the client by its endpoint.
func (c *Client) String() string { return "s3 client of " + c.endpoint }

// Format writes String, whatever the verb.
func (c *Client) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }
