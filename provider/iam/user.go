package iam

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"my-operator.dev/echo/provider/s3"
)

// CreateUser makes a user with tags. It returns whether there is one of this name already, which stays as it is.
func (c Client) CreateUser(ctx context.Context, name, path string, tags map[string]string) (exists bool, err error) {
	p := url.Values{"UserName": {name}, "Path": {path}}
	for i, key := range slices.Sorted(maps.Keys(tags)) {
		member := "Tags.member." + strconv.Itoa(i+1)
		p.Set(member+".Key", key)
		p.Set(member+".Value", tags[key])
	}
	err = c.call(ctx, "CreateUser", p, nil)
	if s3.Code(err) == alreadyExists {
		return true, nil
	}
	return false, err
}

// Tags returns a user's tags, and whether there is such a user.
func (c Client) Tags(ctx context.Context, name string) (tags map[string]string, found bool, err error) {
	var answer struct {
		Tags []struct {
			Key   string `xml:"Key"`
			Value string `xml:"Value"`
		} `xml:"GetUserResult>User>Tags>member"`
	}
	err = c.call(ctx, "GetUser", url.Values{"UserName": {name}}, &answer)
	if s3.Code(err) == noSuchEntity {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	tags = make(map[string]string, len(answer.Tags))
	for _, t := range answer.Tags {
		tags[t.Key] = t.Value
	}
	return tags, true, nil
}

// DeleteUser deletes a user that has neither keys nor policies, if there is one.
func (c Client) DeleteUser(ctx context.Context, name string) error {
	return unlessGone(c.call(ctx, "DeleteUser", url.Values{"UserName": {name}}, nil))
}

// PutUserPolicy sets a user's inline policy.
func (c Client) PutUserPolicy(ctx context.Context, user, name string, document []byte) error {
	p := url.Values{"UserName": {user}, "PolicyName": {name}, "PolicyDocument": {string(document)}}
	return c.call(ctx, "PutUserPolicy", p, nil)
}

// UserPolicy returns a user's inline policy, and whether there are such a user and such a policy.
func (c Client) UserPolicy(ctx context.Context, user, name string) (document []byte, found bool, err error) {
	var answer struct {
		Document string `xml:"GetUserPolicyResult>PolicyDocument"`
	}
	err = c.call(ctx, "GetUserPolicy", url.Values{"UserName": {user}, "PolicyName": {name}}, &answer)
	if s3.Code(err) == noSuchEntity {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	// It comes encoded as part of a URL's path. Some servers send it as it is, which begins with a brace.
	if text, err := url.PathUnescape(answer.Document); err == nil && answer.Document != "" && answer.Document[0] != '{' {
		return []byte(text), true, nil
	}
	return []byte(answer.Document), true, nil
}

// DeleteUserPolicy deletes a user's inline policy, if there are such a user and such a policy.
func (c Client) DeleteUserPolicy(ctx context.Context, user, name string) error {
	return unlessGone(c.call(ctx, "DeleteUserPolicy", url.Values{"UserName": {user}, "PolicyName": {name}}, nil))
}

// CreateAccessKey makes a further key for a user. It is an ErrLimitExceeded when the user has two.
func (c Client) CreateAccessKey(ctx context.Context, user string) (id, secret string, err error) {
	var answer struct {
		ID     string `xml:"CreateAccessKeyResult>AccessKey>AccessKeyId"`
		Secret string `xml:"CreateAccessKeyResult>AccessKey>SecretAccessKey"`
	}
	err = c.call(ctx, "CreateAccessKey", url.Values{"UserName": {user}}, &answer)
	if s3.Code(err) == limitExceeded {
		return "", "", ErrLimitExceeded
	}
	return answer.ID, answer.Secret, err
}

// AccessKeys returns the IDs of a user's keys, sorted, and whether there is such a user.
func (c Client) AccessKeys(ctx context.Context, user string) (ids []string, found bool, err error) {
	var answer struct {
		IDs []string `xml:"ListAccessKeysResult>AccessKeyMetadata>member>AccessKeyId"`
	}
	err = c.call(ctx, "ListAccessKeys", url.Values{"UserName": {user}}, &answer)
	if s3.Code(err) == noSuchEntity {
		return nil, false, nil
	}
	slices.Sort(answer.IDs)
	return answer.IDs, err == nil, err
}

// DeleteAccessKey deletes one of a user's keys, if there is such a user with such a key.
func (c Client) DeleteAccessKey(ctx context.Context, user, id string) error {
	return unlessGone(c.call(ctx, "DeleteAccessKey", url.Values{"UserName": {user}, "AccessKeyId": {id}}, nil))
}

func unlessGone(err error) error {
	if s3.Code(err) == noSuchEntity {
		return nil
	}
	return err
}
