package minio

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"my-operator.dev/echo/provider/s3"
)

const (
	// root is where version 3 of the administration API is. All releases since 2020 have it.
	root = "/minio/admin/v3/"

	// maxAnswer bounds what is read of one answer. A policy has at most 20 KiB.
	maxAnswer = 1 << 20
)

// A Client speaks to the administration API at an S3 client's endpoint, as the same identity. Its errors are those of
// package s3.
type Client struct{ s3 *s3.Client }

// New returns a client. It calls nobody.
func New(c *s3.Client) Client { return Client{s3: c} }

// call sends one request and returns the answer's body. A query's values are bounded names of ours and of buckets.
func (c Client) call(ctx context.Context, method, name string, query url.Values, body []byte) ([]byte, error) {
	target := c.s3.Endpoint() + root + name + "?" + query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, s3.Explain(err)
	}
	if err := c.s3.Sign(ctx, r, body); err != nil {
		return nil, err
	}
	answer, err := c.s3.HTTP().Do(r)
	if err != nil {
		return nil, s3.Explain(err)
	}
	defer answer.Body.Close() //nolint:errcheck // It was read to its end, or is of no use.
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, s3.Explain(err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, c.refusal(answer.StatusCode, text)
	}
	return text, nil
}

// refusal is the error of an answer. What is not MinIO's own form of an error has neither code nor message.
func (c Client) refusal(status int, text []byte) error {
	var e struct {
		Code    string `json:"Code"`    //nolint:tagliatelle // MinIO's own.
		Message string `json:"Message"` //nolint:tagliatelle // MinIO's own.
	}
	if json.Unmarshal(text, &e) != nil {
		e.Code, e.Message = "", ""
	}
	return s3.NewError(status, e.Code, e.Message)
}
