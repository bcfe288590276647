package identity

import (
	"context"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"golang.org/x/sync/errgroup"

	"my-operator.dev/echo/provider/iam"
	"my-operator.dev/echo/provider/policy"
	"my-operator.dev/echo/provider/s3"
)

const (
	// userPath sets our users apart, so that an administrator can grant rights on all of them by one ARN:
	// arn:aws:iam::*:user/echo/*.
	userPath = "/echo/"

	// userPolicy is what the inline policy is called.
	userPolicy = "echo"

	// The tags that say whose a user is. They are those of buckets.
	tagOwner    = "my-operator.dev/owner"
	tagOwnerUID = "my-operator.dev/owner-uid"

	// tagValue is how long a tag's value may be.
	tagValue = 256
)

// awsServer makes one user for an owner, with an inline policy and a key for each key.
type awsServer struct {
	iam       iam.Client
	partition string
}

// NewAWS returns a server of the IAM API. The client is of that API; the region is that of the buckets.
func NewAWS(admin *s3.Client, region string) Server {
	return awsServer{iam: iam.New(admin), partition: iam.Partition(region)}
}

// Observe implements Server. It makes two calls at once.
func (a awsServer) Observe(ctx context.Context, o Owner, g Grant) (Observation, error) {
	if err := g.check(); err != nil {
		return Observation{}, err
	}

	var (
		out  Observation
		text []byte
	)

	calls, ctx := errgroup.WithContext(ctx)

	calls.Go(func() (err error) {
		out.Keys, out.Exists, err = a.iam.AccessKeys(ctx, o.name())
		return errors.Wrap(err, "cannot list access keys")
	})
	calls.Go(func() (err error) {
		text, _, err = a.iam.UserPolicy(ctx, o.name(), userPolicy)
		return errors.Wrap(err, "cannot read a user's policy")
	})

	if err := calls.Wait(); err != nil {
		return Observation{}, err
	}

	out.Exact = len(out.Keys) > 0 && a.grants(text, o, g)
	out.Notes = g.notes()

	return out, nil
}

// Make implements Server.
func (a awsServer) Make(ctx context.Context, o Owner, g Grant) (Key, error) {
	if err := g.check(); err != nil {
		return Key{}, err
	}

	owner := strings.ToValidUTF8((o.Namespace + "/" + o.Name)[:min(tagValue, len(o.Namespace)+1+len(o.Name))], "")

	exists, err := a.iam.CreateUser(ctx, o.name(), userPath, map[string]string{tagOwner: owner, tagOwnerUID: o.UID})
	if err != nil {
		return Key{}, errors.Wrap(err, "cannot make a user")
	}

	if exists {
		if _, err := a.ours(ctx, o); err != nil {
			return Key{}, err
		}
	}

	if err := a.write(ctx, o, g); err != nil {
		return Key{}, err
	}

	var key Key

	key.AccessKeyID, key.SecretAccessKey, err = a.iam.CreateAccessKey(ctx, o.name())
	if errors.Is(err, iam.ErrLimitExceeded) {
		return Key{}, ErrTooManyKeys
	}

	return key, errors.Wrap(err, "cannot make an access key")
}

// Grant implements Server.
func (a awsServer) Grant(ctx context.Context, o Owner, g Grant) error {
	if err := g.check(); err != nil {
		return err
	}

	found, err := a.ours(ctx, o)
	if err != nil || !found {
		return err
	}

	return a.write(ctx, o, g)
}

// Remove implements Server.
func (a awsServer) Remove(ctx context.Context, o Owner, _ Grant, id string) error {
	found, err := a.ours(ctx, o)
	if err != nil || !found {
		return err
	}

	return errors.Wrap(a.iam.DeleteAccessKey(ctx, o.name(), id), "cannot delete an access key")
}

// RemoveAll implements Server.
func (a awsServer) RemoveAll(ctx context.Context, o Owner, _ Grant) error {
	found, err := a.ours(ctx, o)
	if err != nil || !found {
		return err
	}

	ids, _, err := a.iam.AccessKeys(ctx, o.name())
	if err != nil {
		return errors.Wrap(err, "cannot list access keys")
	}

	for _, id := range ids {
		if err := a.iam.DeleteAccessKey(ctx, o.name(), id); err != nil {
			return errors.Wrap(err, "cannot delete an access key")
		}
	}

	if err := a.iam.DeleteUserPolicy(ctx, o.name(), userPolicy); err != nil {
		return errors.Wrap(err, "cannot delete a user's policy")
	}

	return errors.Wrap(a.iam.DeleteUser(ctx, o.name()), "cannot delete a user")
}

// ours tells whether there is the user. One that does not have the owner's tag is an ErrNotOurs.
func (a awsServer) ours(ctx context.Context, o Owner) (found bool, err error) {
	tags, found, err := a.iam.Tags(ctx, o.name())
	if err != nil {
		return false, errors.Wrap(err, "cannot look at a user")
	}

	if found && tags[tagOwnerUID] != o.UID {
		return false, ErrNotOurs
	}

	return found, nil
}

// write sets the user's policy.
func (a awsServer) write(ctx context.Context, o Owner, g Grant) error {
	text, err := a.document(o, g).Marshal()
	if err != nil {
		return err
	}

	return errors.Wrap(a.iam.PutUserPolicy(ctx, o.name(), userPolicy, text), "cannot write a user's policy")
}

// grants tells whether a policy means what a grant says. One that cannot be read does not.
func (a awsServer) grants(text []byte, o Owner, g Grant) bool {
	if len(text) == 0 {
		return false
	}

	d, err := policy.Parse(text)

	return err == nil && policy.Equal(d, a.document(o, g))
}

func (a awsServer) document(o Owner, g Grant) policy.Document {
	return policy.Document{}.With(g.statements(o.sid(), a.partition, nil)...)
}
