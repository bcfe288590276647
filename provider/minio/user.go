package minio

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/s3"
)

const (
	noSuchUser   = "XMinioAdminNoSuchUser"
	noSuchPolicy = "XMinioAdminNoSuchPolicy"
)

// Policies returns the names of the policies of the user with an access key, sorted, and whether there is such a user.
func (c Client) Policies(ctx context.Context, accessKey string) (names []string, found bool, err error) {
	text, err := c.call(ctx, http.MethodGet, "user-info", url.Values{"accessKey": {accessKey}}, nil)
	if s3.Code(err) == noSuchUser {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	var user struct {
		Policies string `json:"policyName"`
	}
	if err := json.Unmarshal(text, &user); err != nil {
		return nil, false, errors.New("the server's answer about a user is not MinIO's")
	}
	if user.Policies != "" {
		names = strings.Split(user.Policies, ",")
		slices.Sort(names)
	}
	return names, true, nil
}

// AddUser makes a user without rights. It gives one that exists the secret.
func (c Client) AddUser(ctx context.Context, accessKey, secret string) error {
	keys, err := c.s3.Credentials(ctx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]string{"secretKey": secret, "status": "enabled"})
	if err != nil {
		return errors.New("cannot write a user as JSON")
	}
	body, err := seal(keys.SecretAccessKey, text)
	if err != nil {
		return err
	}
	_, err = c.call(ctx, http.MethodPut, "add-user", url.Values{"accessKey": {accessKey}}, body)
	return err
}

// SetPolicy gives a user this one policy in place of all that it has.
func (c Client) SetPolicy(ctx context.Context, accessKey, policy string) error {
	_, err := c.call(ctx, http.MethodPut, "set-user-or-group-policy",
		url.Values{"policyName": {policy}, "userOrGroup": {accessKey}, "isGroup": {"false"}}, nil)
	return err
}

// RemoveUser removes a user, if there is one.
func (c Client) RemoveUser(ctx context.Context, accessKey string) error {
	_, err := c.call(ctx, http.MethodDelete, "remove-user", url.Values{"accessKey": {accessKey}}, nil)
	if s3.Code(err) == noSuchUser {
		return nil
	}
	return err
}

// Policy returns a canned policy's document, and whether there is such a policy.
func (c Client) Policy(ctx context.Context, name string) (document []byte, found bool, err error) {
	text, err := c.call(ctx, http.MethodGet, "info-canned-policy", url.Values{"name": {name}}, nil)
	if s3.Code(err) == noSuchPolicy {
		return nil, false, nil
	}
	return text, err == nil, err
}

// PutPolicy makes a canned policy, or replaces its document.
func (c Client) PutPolicy(ctx context.Context, name string, document []byte) error {
	_, err := c.call(ctx, http.MethodPut, "add-canned-policy", url.Values{"name": {name}}, document)
	return err
}

// RemovePolicy removes a canned policy, if there is one. The server refuses while a user has it.
func (c Client) RemovePolicy(ctx context.Context, name string) error {
	_, err := c.call(ctx, http.MethodDelete, "remove-canned-policy", url.Values{"name": {name}}, nil)
	if s3.Code(err) == noSuchPolicy {
		return nil
	}
	return err
}
