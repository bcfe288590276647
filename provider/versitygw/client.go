package versitygw

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"net/http"
	"net/url"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/s3"
)

const (
	// RoleUser is the role of who may do what bucket policies and lists say, and cannot make buckets.
	RoleUser = "user"

	// maxAnswer bounds what is read of one answer: a list of 100,000 users of 200 bytes each.
	maxAnswer = 20 << 20

	userExists   = "XAdminUserExists"
	userNotFound = "XAdminUserNotFound"
)

// A client speaks to the administration API at an S3 client's endpoint, as the same identity. Its errors are those of
// package s3.
type client struct{ s3 *s3.Client }

// call sends one request and returns its answer's body.
func (c client) call(ctx context.Context, name string, query url.Values, body []byte) ([]byte, error) {
	target := c.s3.Endpoint() + "/" + name
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPatch, target, bytes.NewReader(body))
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
	if answer.StatusCode >= http.StatusMultipleChoices {
		return nil, c.refusal(answer.StatusCode, text)
	}
	return text, nil
}

// refusal is the error of an answer.
func (c client) refusal(status int, text []byte) error {
	var e struct {
		XMLName xml.Name `xml:"Error"`
		Code    string   `xml:"Code"`
		Message string   `xml:"Message"`
	}
	if xml.Unmarshal(text, &e) != nil {
		e.Code, e.Message = "", ""
	}
	return s3.NewError(status, e.Code, e.Message)
}

// create makes a user of role RoleUser. It returns whether there is one of this access key already, which stays as it is.
func (c client) create(ctx context.Context, accessKey, secret string) (exists bool, err error) {
	//nolint:gosec // To carry the secret is what the request is for.
	body, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"Account"`
		Access  string   `xml:"Access"`
		Secret  string   `xml:"Secret"`
		Role    string   `xml:"Role"`
	}{Access: accessKey, Secret: secret, Role: RoleUser})
	if err != nil {
		return false, errors.New("cannot write a user as XML")
	}
	_, err = c.call(ctx, "create-user", nil, body)
	if s3.Code(err) == userExists {
		return true, nil
	}
	return false, err
}

// demote gives a user the role RoleUser.
func (c client) demote(ctx context.Context, accessKey string) error {
	body, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"MutableProps"`
		Role    string   `xml:"Role"`
	}{Role: RoleUser})
	if err != nil {
		return errors.New("cannot write a user as XML")
	}
	_, err = c.call(ctx, "update-user", url.Values{"access": {accessKey}}, body)
	return err
}

// remove removes a user, if there is one.
func (c client) remove(ctx context.Context, accessKey string) error {
	_, err := c.call(ctx, "delete-user", url.Values{"access": {accessKey}}, nil)
	if s3.Code(err) == userNotFound {
		return nil
	}
	return err
}

// list returns all users.
func (c client) list(ctx context.Context) ([]User, error) {
	text, err := c.call(ctx, "list-users", nil, nil)
	if err != nil {
		return nil, err
	}
	var all struct {
		Accounts []struct {
			Access string `xml:"Access"`
			Role   string `xml:"Role"`
		} `xml:"Accounts"`
	}
	if err := xml.Unmarshal(text, &all); err != nil {
		return nil, errors.New("the server's list of users is not versitygw's")
	}
	users := make([]User, 0, len(all.Accounts))
	for _, a := range all.Accounts {
		users = append(users, User{AccessKeyID: a.Access, Role: a.Role})
	}
	return users, nil
}
