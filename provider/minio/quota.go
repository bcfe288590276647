package minio

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// quota is a bucket's, as the API has it. Before August 2023 servers knew Quota alone, in place of Size.
type quota struct {
	Quota int64  `json:"quota"`
	Size  int64  `json:"size"`
	Type  string `json:"quotatype,omitempty"`
}

// Quota returns how many bytes a bucket may hold, or 0 if it may hold any number.
func (c Client) Quota(ctx context.Context, bucket string) (int64, error) {
	text, err := c.call(ctx, http.MethodGet, "get-bucket-quota", url.Values{"bucket": {bucket}}, nil)
	if err != nil {
		return 0, err
	}
	var q quota
	if err := json.Unmarshal(text, &q); err != nil {
		return 0, errors.New("the server's answer about a quota is not MinIO's")
	}
	if q.Size != 0 {
		return q.Size, nil
	}
	return q.Quota, nil
}

// SetQuota sets how many bytes a bucket may hold. 0 takes the quota away. The server counts what is there every few
// minutes, so a bucket can come to hold somewhat more.
func (c Client) SetQuota(ctx context.Context, bucket string, size int64) error {
	q := quota{Quota: size, Size: size}
	if size != 0 {
		q.Type = "hard"
	}
	body, err := json.Marshal(q)
	if err != nil {
		return errors.New("cannot write a quota as JSON")
	}
	_, err = c.call(ctx, http.MethodPut, "set-bucket-quota", url.Values{"bucket": {bucket}}, body)
	return err
}
