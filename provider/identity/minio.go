package identity

import (
	"context"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"golang.org/x/sync/errgroup"

	"my-operator.dev/echo/provider/minio"
	"my-operator.dev/echo/provider/policy"
	"my-operator.dev/echo/provider/s3"
)

// minioServer makes a user for each key, and one canned policy for all of an owner's.
//
// There is no cheap call that lists the users of an owner. So the policy tells: the Sid of its first statement is the
// owner's mark followed by what is random in the ID of each key. An ID is written there before its user is made, and
// taken away after its user is removed; so no user is ever unknown, and an ID without a user harms nobody.
type minioServer struct{ admin minio.Client }

// NewMinIO returns a MinIO server. The client is of its administration API, which is at the S3 endpoint.
func NewMinIO(admin *s3.Client) Server { return minioServer{admin: minio.New(admin)} }

// minioState is what there is of an owner.
type minioState struct {
	// found tells that there is a policy.
	found bool
	// document is the policy's.
	document policy.Document
	// noted are the IDs of keys in it; users those of them that there are.
	noted, users []string
	// bare are those users who do not have this policy, or have others too.
	bare []string
}

// Observe implements Server. It makes one call for the policy, then one for each key at once.
func (m minioServer) Observe(ctx context.Context, o Owner, g Grant) (Observation, error) {
	if err := g.check(); err != nil {
		return Observation{}, err
	}

	s, err := m.state(ctx, o)
	if err != nil {
		return Observation{}, err
	}

	return Observation{
		Exists: s.found,
		Keys:   s.users,
		Exact:  len(s.users) > 0 && len(s.bare) == 0 && policy.Equal(s.document, minioPolicy(o, g, nil)),
		Notes:  g.notes(),
	}, nil
}

// Make implements Server.
func (m minioServer) Make(ctx context.Context, o Owner, g Grant) (Key, error) {
	if err := g.check(); err != nil {
		return Key{}, err
	}

	s, err := m.state(ctx, o)
	if err != nil {
		return Key{}, err
	}

	if len(s.users) >= MaxKeys {
		return Key{}, ErrTooManyKeys
	}

	// A request to make one of these may still be under way, from before a kill.
	for _, id := range without(s.noted, s.users...) {
		if err := m.admin.RemoveUser(ctx, id); err != nil {
			return Key{}, errors.Wrap(err, "cannot remove what is left of a key")
		}
	}

	key := o.key()
	if err := m.write(ctx, o, g, append(slices.Clone(s.users), key.AccessKeyID)); err != nil {
		return Key{}, err
	}

	if err := m.admin.AddUser(ctx, key.AccessKeyID, key.SecretAccessKey); err != nil {
		return Key{}, errors.Wrap(err, "cannot make a user")
	}

	if err := m.admin.SetPolicy(ctx, key.AccessKeyID, o.name()); err != nil {
		return Key{}, errors.Wrap(err, "cannot give a user its policy")
	}

	return key, nil
}

// Grant implements Server.
func (m minioServer) Grant(ctx context.Context, o Owner, g Grant) error {
	if err := g.check(); err != nil {
		return err
	}

	s, err := m.state(ctx, o)
	if err != nil || len(s.users) == 0 {
		return err
	}

	if !policy.Equal(s.document, minioPolicy(o, g, nil)) {
		if err := m.write(ctx, o, g, s.noted); err != nil {
			return err
		}
	}

	for _, id := range s.bare {
		if err := m.admin.SetPolicy(ctx, id, o.name()); err != nil {
			return errors.Wrap(err, "cannot give a user its policy")
		}
	}

	return nil
}

// Remove implements Server.
func (m minioServer) Remove(ctx context.Context, o Owner, g Grant, id string) error {
	if !o.has(id) {
		return nil
	}

	s, err := m.noted(ctx, o)
	if err != nil {
		return err
	}

	if err := m.admin.RemoveUser(ctx, id); err != nil {
		return errors.Wrap(err, "cannot remove a user")
	}

	if !slices.Contains(s.noted, id) {
		return nil
	}

	return m.write(ctx, o, g, without(s.noted, id))
}

// RemoveAll implements Server.
func (m minioServer) RemoveAll(ctx context.Context, o Owner, _ Grant) error {
	s, err := m.noted(ctx, o)
	if err != nil || !s.found {
		return err
	}

	for _, id := range s.noted {
		if err := m.admin.RemoveUser(ctx, id); err != nil {
			return errors.Wrap(err, "cannot remove a user")
		}
	}

	return errors.Wrap(m.admin.RemovePolicy(ctx, o.name()), "cannot remove a policy")
}

// state asks for the policy, and for the users it tells of.
func (m minioServer) state(ctx context.Context, o Owner) (minioState, error) {
	s, err := m.noted(ctx, o)
	if err != nil {
		return minioState{}, err
	}

	found := make([]bool, len(s.noted))
	policies := make([][]string, len(s.noted))
	calls, ctx := errgroup.WithContext(ctx)

	for i, id := range s.noted {
		calls.Go(func() (err error) {
			policies[i], found[i], err = m.admin.Policies(ctx, id)
			return err
		})
	}

	if err := calls.Wait(); err != nil {
		return minioState{}, errors.Wrap(err, "cannot look at a user")
	}

	for i, id := range s.noted {
		if !found[i] {
			continue
		}

		s.users = append(s.users, id)

		if !slices.Equal(policies[i], []string{o.name()}) {
			s.bare = append(s.bare, id)
		}
	}

	return s, nil
}

// noted asks for the policy alone. A policy of the owner's name without the owner's mark is an ErrNotOurs.
func (m minioServer) noted(ctx context.Context, o Owner) (minioState, error) {
	text, found, err := m.admin.Policy(ctx, o.name())
	if err != nil || !found {
		return minioState{}, errors.Wrap(err, "cannot read a policy")
	}

	document, err := policy.Parse(text)
	if err != nil {
		return minioState{}, errors.Wrap(err, "cannot read a policy")
	}

	s := minioState{found: true, document: document}

	for _, statement := range document.Having(o.sid()) {
		suffixes := strings.TrimPrefix(statement.Sid(), o.sid())
		for ; len(suffixes) >= suffixLength; suffixes = suffixes[suffixLength:] {
			s.noted = append(s.noted, o.base()+suffixes[:suffixLength])
		}
	}

	if len(document.Having(o.sid())) == 0 {
		return minioState{}, ErrNotOurs
	}

	slices.Sort(s.noted)
	s.noted = slices.Compact(s.noted)

	return s, nil
}

// write sets the policy, which notes these keys.
func (m minioServer) write(ctx context.Context, o Owner, g Grant, ids []string) error {
	text, err := minioPolicy(o, g, ids).Marshal()
	if err != nil {
		return err
	}

	return errors.Wrap(m.admin.PutPolicy(ctx, o.name(), text), "cannot write a policy")
}

// minioPolicy returns the policy of a grant, which notes these keys.
func minioPolicy(o Owner, g Grant, ids []string) policy.Document {
	var sid strings.Builder

	sid.WriteString(o.sid())

	for _, id := range ids {
		sid.WriteString(strings.TrimPrefix(id, o.base()))
	}

	return policy.Document{}.With(g.statements(sid.String(), "aws", nil)...)
}

// without returns the strings that are none of these.
func without(of []string, these ...string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(s string) bool { return slices.Contains(these, s) })
}
