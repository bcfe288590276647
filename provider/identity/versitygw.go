package identity

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/policy"
	"my-operator.dev/echo/provider/s3"
	"my-operator.dev/echo/provider/versitygw"
)

// versitygwServer makes a user for each key, whose access key ID begins with the owner's base name, and makes it a
// principal of a statement in the bucket's policy.
//
// The server takes no policy with a principal that there is not, so users come before statements and go after them.
type versitygwServer struct {
	bucket *s3.Client
	users  *versitygw.Users
}

// malformedPolicy is the code of what the server says of a policy with a principal that there is not.
const malformedPolicy = "MalformedPolicy"

// NewVersitygw returns a versitygw server. The client is of its S3 API; all who look at one server share its users.
func NewVersitygw(bucket *s3.Client, users *versitygw.Users) Server {
	return versitygwServer{bucket: bucket, users: users}
}

// Observe implements Server. It makes one call for the bucket's policy; the list of users serves many.
func (v versitygwServer) Observe(ctx context.Context, o Owner, g Grant) (Observation, error) {
	if err := g.check(); err != nil {
		return Observation{}, err
	}

	users, err := v.users.Having(ctx, o.base())
	if err != nil {
		return Observation{}, errors.Wrap(err, "cannot list users")
	}

	document, _, err := v.policy(ctx, g.Bucket)
	if err != nil {
		return Observation{}, err
	}

	return Observation{
		Exists: len(users) > 0 || hasAccess(document, o),
		Keys:   keysOf(users),
		Exact:  len(users) > 0 && len(promoted(users)) == 0 && policy.Equal(document, withAccess(document, o, g, keysOf(users))),
		Notes:  g.notes(),
	}, nil
}

// Make implements Server.
func (v versitygwServer) Make(ctx context.Context, o Owner, g Grant) (Key, error) {
	if err := g.check(); err != nil {
		return Key{}, err
	}

	users, err := v.users.Having(ctx, o.base())
	if err != nil {
		return Key{}, errors.Wrap(err, "cannot list users")
	}

	if len(users) >= MaxKeys {
		return Key{}, ErrTooManyKeys
	}

	key := o.key()

	exists, err := v.users.Create(ctx, key.AccessKeyID, key.SecretAccessKey)
	if err != nil {
		return Key{}, errors.Wrap(err, "cannot make a user")
	}

	if exists {
		return Key{}, ErrNotOurs
	}

	return key, v.write(ctx, o, g, append(keysOf(users), key.AccessKeyID))
}

// Grant implements Server.
func (v versitygwServer) Grant(ctx context.Context, o Owner, g Grant) error {
	if err := g.check(); err != nil {
		return err
	}

	users, err := v.users.Having(ctx, o.base())
	if err != nil {
		return errors.Wrap(err, "cannot list users")
	}

	if len(users) == 0 {
		return nil
	}

	for _, id := range promoted(users) {
		if err := v.users.Demote(ctx, id); err != nil {
			return errors.Wrap(err, "cannot give a user its role")
		}
	}

	return v.write(ctx, o, g, keysOf(users))
}

// Remove implements Server.
func (v versitygwServer) Remove(ctx context.Context, o Owner, g Grant, id string) error {
	if !o.has(id) {
		return nil
	}

	users, err := v.users.Having(ctx, o.base())
	if err != nil {
		return errors.Wrap(err, "cannot list users")
	}

	if err := v.write(ctx, o, g, without(keysOf(users), id)); err != nil {
		return err
	}

	return errors.Wrap(v.users.Remove(ctx, id), "cannot remove a user")
}

// RemoveAll implements Server.
func (v versitygwServer) RemoveAll(ctx context.Context, o Owner, g Grant) error {
	users, err := v.users.HavingNow(ctx, o.base())
	if err != nil {
		return errors.Wrap(err, "cannot list users")
	}

	if err := v.write(ctx, o, g, nil); err != nil {
		return err
	}

	for _, user := range users {
		if err := v.users.Remove(ctx, user.AccessKeyID); err != nil {
			return errors.Wrap(err, "cannot remove a user")
		}
	}

	return nil
}

// write gives access to these keys of the owner, and to no others of the owner's, in the bucket's policy. A bucket that
// is gone needs no keys to be taken out.
func (v versitygwServer) write(ctx context.Context, o Owner, g Grant, ids []string) error {
	unlock, err := v.bucket.Lock(ctx, g.Bucket)
	if err != nil {
		return err
	}
	defer unlock()

	current, found, err := v.policy(ctx, g.Bucket)
	if err != nil {
		return err
	}

	if !found && len(ids) > 0 {
		return errors.Errorf("there is no bucket %q", g.Bucket)
	}

	next := withAccess(current, o, g, ids)
	if policy.Equal(current, next) {
		return nil
	}

	err = v.put(ctx, g.Bucket, next)
	if s3.Code(err) == malformedPolicy {
		err = v.putPruned(ctx, g.Bucket, next)
	}

	return errors.Wrap(err, "cannot write the bucket's policy")
}

// putPruned writes a bucket's policy without other owners' keys whose users are gone, as someone removed them by hand.
// With one of them, the server takes no policy at all.
func (v versitygwServer) putPruned(ctx context.Context, bucket string, d policy.Document) error {
	users, err := v.users.HavingNow(ctx, "")
	if err != nil {
		return err
	}

	all := keysOf(users)

	return v.put(ctx, bucket, keepAccess(d, func(id string) bool { return slices.Contains(all, id) }))
}

// policy returns the bucket's policy, which may say nothing, and whether there is the bucket.
func (v versitygwServer) policy(ctx context.Context, bucket string) (d policy.Document, found bool, err error) {
	answer, err := v.bucket.GetBucketPolicy(ctx, &awss3.GetBucketPolicyInput{Bucket: &bucket})

	switch {
	case s3.Is(err, s3.NoSuchBucket):
		return policy.Document{}, false, nil
	case s3.Is(err, s3.NotConfigured):
		return policy.Document{}, true, nil
	case err != nil:
		return policy.Document{}, false, errors.Wrap(s3.Explain(err), "cannot read the bucket's policy")
	}

	d, err = policy.Parse([]byte(aws.ToString(answer.Policy)))

	return d, true, errors.Wrap(err, "cannot read the bucket's policy")
}

// put writes a bucket's policy, or removes it if it says nothing.
func (v versitygwServer) put(ctx context.Context, bucket string, d policy.Document) error {
	if len(d.Statements) == 0 {
		_, err := v.bucket.DeleteBucketPolicy(ctx, &awss3.DeleteBucketPolicyInput{Bucket: &bucket})
		return s3.Explain(err)
	}

	text, err := d.Marshal()
	if err != nil {
		return err
	}

	_, err = v.bucket.PutBucketPolicy(ctx, &awss3.PutBucketPolicyInput{Bucket: &bucket, Policy: aws.String(string(text))})

	return s3.Explain(err)
}

// keysOf returns the users' access key IDs.
func keysOf(users []versitygw.User) []string {
	ids := make([]string, 0, len(users))
	for _, u := range users {
		ids = append(ids, u.AccessKeyID)
	}

	return ids
}

// promoted returns the IDs of those who have come to another role, such as admin.
func promoted(users []versitygw.User) []string {
	return keysOf(slices.DeleteFunc(slices.Clone(users), func(u versitygw.User) bool { return u.Role == versitygw.RoleUser }))
}
