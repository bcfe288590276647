package iam

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/s3"
)

const (
	// version of the API, which each request names.
	version = "2010-05-08"

	// maxAnswer bounds what is read of one answer. A policy has at most 20 KiB, each byte of it written as three.
	maxAnswer = 1 << 20
)

// The codes of errors that are no failures.
const (
	noSuchEntity  = "NoSuchEntity"
	alreadyExists = "EntityAlreadyExists"
	limitExceeded = "LimitExceeded"
)

// ErrLimitExceeded is returned by CreateAccessKey for a user who has as many keys as may be, which are two.
var ErrLimitExceeded = errors.New("the user has as many access keys as it may have")

// A Client speaks to the IAM API at a client's endpoint, signing for its region. Its errors are those of package s3.
type Client struct{ s3 *s3.Client }

// New returns a client. It calls nobody.
func New(c *s3.Client) Client { return Client{s3: c} }

// Endpoint returns where AWS serves IAM for a region, and the region that requests to it are signed for. Each
// partition has one.
func Endpoint(region string) (endpoint, signingRegion string) {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "https://iam.cn-north-1.amazonaws.com.cn", "cn-north-1"
	case strings.HasPrefix(region, "us-gov-"):
		return "https://iam.us-gov.amazonaws.com", "us-gov-west-1"
	default:
		return "https://iam.amazonaws.com", "us-east-1"
	}
}

// Partition returns the second part of ARNs in a region.
func Partition(region string) string {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		return "aws-us-gov"
	default:
		return "aws"
	}
}

// call does one action. Its answer is decoded into answer, unless that is nil.
func (c Client) call(ctx context.Context, action string, parameters url.Values, answer any) error {
	parameters.Set("Action", action)
	parameters.Set("Version", version)
	body := parameters.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.s3.Endpoint()+"/", strings.NewReader(body))
	if err != nil {
		return s3.Explain(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	keys, err := c.s3.Credentials(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(body))
	hash := hex.EncodeToString(sum[:])
	r.Header.Set("X-Amz-Content-Sha256", hash)
	if err := v4.NewSigner().SignHTTP(ctx, keys, r, hash, "iam", c.s3.Region(), time.Now()); err != nil {
		return s3.Explain(err)
	}
	got, err := c.s3.HTTP().Do(r)
	if err != nil {
		return s3.Explain(err)
	}
	defer got.Body.Close() //nolint:errcheck // It was read to its end, or is of no use.
	text, err := io.ReadAll(io.LimitReader(got.Body, maxAnswer))
	if err != nil {
		return s3.Explain(err)
	}
	if got.StatusCode != http.StatusOK {
		return c.refusal(got.StatusCode, text)
	}
	if answer == nil {
		return nil
	}
	if err := xml.Unmarshal(text, answer); err != nil {
		return errors.Errorf("the server's answer to %s is not IAM's", action)
	}
	return nil
}

// refusal is the error of an answer.
func (c Client) refusal(status int, text []byte) error {
	var e struct {
		Code    string `xml:"Error>Code"`
		Message string `xml:"Error>Message"`
	}
	if xml.Unmarshal(text, &e) != nil {
		e.Code, e.Message = "", ""
	}
	return s3.NewError(status, e.Code, e.Message)
}
