package controlplane

import (
	"context"
	"io"
	"net"
	"net/http"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// answers returns a check that a URL answers 200.
func answers(client *http.Client, url string) func(context.Context) error {
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return errors.Wrapf(err, "cannot ask %s", url)
		}
		rsp, err := client.Do(req)
		if err != nil {
			return errors.Wrapf(err, "cannot ask %s", url)
		}
		defer func() { _ = rsp.Body.Close() }()
		if rsp.StatusCode == http.StatusOK {
			return nil
		}
		body, _ := io.ReadAll(io.LimitReader(rsp.Body, 4<<10))
		return errors.Errorf("%s answers %s: %s", url, rsp.Status, body)
	}
}

// listens returns a check that somebody accepts connections at an address.
func listens(address string) func(context.Context) error {
	return func(ctx context.Context) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err != nil {
			return errors.Wrapf(err, "cannot connect to %s", address)
		}
		return errors.Wrapf(conn.Close(), "cannot close the connection to %s", address)
	}
}
