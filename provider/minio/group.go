package minio

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/s3"
)

const noSuchGroup = "XMinioAdminNoSuchGroup"

// Members returns the access keys of a group's users, and whether there is such a group.
func (c Client) Members(ctx context.Context, group string) (members []string, found bool, err error) {
	text, err := c.call(ctx, http.MethodGet, "group", url.Values{"group": {group}}, nil)
	if s3.Code(err) == noSuchGroup {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	var g struct {
		Members []string `json:"members"`
	}
	if err := json.Unmarshal(text, &g); err != nil {
		return nil, false, errors.New("the server's answer about a group is not MinIO's")
	}
	return g.Members, true, nil
}

// AddToGroup adds a user to a group beside those who are in it, and makes the group where there is none.
func (c Client) AddToGroup(ctx context.Context, group, accessKey string) error {
	return c.updateGroup(ctx, group, []string{accessKey}, false)
}

// RemoveGroup removes a group, if there is one. The server refuses while a user is in it.
func (c Client) RemoveGroup(ctx context.Context, group string) error {
	err := c.updateGroup(ctx, group, []string{}, true)
	if s3.Code(err) == noSuchGroup {
		return nil
	}
	return err
}

// updateGroup adds members or takes them out. To take out nobody is to remove the group.
func (c Client) updateGroup(ctx context.Context, group string, members []string, remove bool) error {
	body, err := json.Marshal(map[string]any{"group": group, "members": members, "isRemove": remove})
	if err != nil {
		return errors.New("cannot write a group as JSON")
	}
	_, err = c.call(ctx, http.MethodPut, "update-group-members", nil, body)
	return err
}
