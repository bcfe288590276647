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

// minioServer makes a user for each key, one group for all of an owner's users, and one canned policy, which each of
// the users has.
//
// There is no cheap call that lists the users of an owner. So the policy and the group tell, which need each other:
//
//   - The Sid of the policy's first statement is the owner's mark followed by what is random in the ID of each key. An ID
//     is written there before its user is made, and taken away after its user is removed: no kill leaves a user unknown,
//     and an ID without a user harms nobody.
//   - A policy is only ever replaced as a whole. Of two processes that make keys at once, as when a leader that was cut
//     off goes on beside the next, one replaces the other's note. A user is added to a group by itself, so there both
//     users are found. The group has no rights.
type minioServer struct{ admin minio.Client }

// NewMinIO returns a MinIO server. The client is of its administration API, which is at the S3 endpoint.
func NewMinIO(admin *s3.Client) Server { return minioServer{admin: minio.New(admin)} }

// minioState is what there is of an owner.
type minioState struct {
	// found tells that there is a policy or a group.
	found bool
	// document is the policy's.
	document policy.Document
	// noted are the IDs of keys in the policy, and members those in the group.
	noted, members []string
	// users are all of these that there are.
	users []string
	// bare are those users who are not in the group, who do not have the policy, or who have others too.
	bare []string
}

// Observe implements Server. It makes one call for the policy and one for the group, then one for each key at once.
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
	for _, id := range without(s.known(), s.users...) {
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

	if err := m.admit(ctx, o, key.AccessKeyID); err != nil {
		return Key{}, err
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
		if err := m.admit(ctx, o, id); err != nil {
			return err
		}
	}

	return nil
}

// Remove implements Server.
func (m minioServer) Remove(ctx context.Context, o Owner, g Grant, id string) error {
	if !o.has(id) {
		return nil
	}

	s, err := m.register(ctx, o)
	if err != nil {
		return err
	}

	// It leaves the group by that.
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
	s, err := m.register(ctx, o)
	if err != nil || !s.found {
		return err
	}

	for _, id := range s.known() {
		if err := m.admin.RemoveUser(ctx, id); err != nil {
			return errors.Wrap(err, "cannot remove a user")
		}
	}

	if err := m.admin.RemoveGroup(ctx, o.name()); err != nil {
		return errors.Wrap(err, "cannot remove a group")
	}

	return errors.Wrap(m.admin.RemovePolicy(ctx, o.name()), "cannot remove a policy")
}

// admit has a user be found in the group, then gives it the policy.
func (m minioServer) admit(ctx context.Context, o Owner, id string) error {
	if err := m.admin.AddToGroup(ctx, o.name(), id); err != nil {
		return errors.Wrap(err, "cannot add a user to its group")
	}

	return errors.Wrap(m.admin.SetPolicy(ctx, id, o.name()), "cannot give a user its policy")
}

// state asks for the policy and the group, and for the users they tell of.
func (m minioServer) state(ctx context.Context, o Owner) (minioState, error) {
	s, err := m.register(ctx, o)
	if err != nil {
		return minioState{}, err
	}

	ids := s.known()
	found := make([]bool, len(ids))
	policies := make([][]string, len(ids))
	calls, ctx := errgroup.WithContext(ctx)

	for i, id := range ids {
		calls.Go(func() (err error) {
			policies[i], found[i], err = m.admin.Policies(ctx, id)
			return err
		})
	}

	if err := calls.Wait(); err != nil {
		return minioState{}, errors.Wrap(err, "cannot look at a user")
	}

	for i, id := range ids {
		if !found[i] {
			continue
		}

		s.users = append(s.users, id)

		if !slices.Contains(s.members, id) || !slices.Equal(policies[i], []string{o.name()}) {
			s.bare = append(s.bare, id)
		}
	}

	return s, nil
}

// register asks for the policy and the group alone.
func (m minioServer) register(ctx context.Context, o Owner) (minioState, error) {
	var (
		s       minioState
		text    []byte
		written bool
	)

	calls, ctx := errgroup.WithContext(ctx)

	calls.Go(func() (err error) {
		text, written, err = m.admin.Policy(ctx, o.name())
		return errors.Wrap(err, "cannot read a policy")
	})
	calls.Go(func() (err error) {
		s.members, s.found, err = m.admin.Members(ctx, o.name())
		return errors.Wrap(err, "cannot read a group")
	})

	if err := calls.Wait(); err != nil {
		return minioState{}, err
	}

	s.members = slices.DeleteFunc(s.members, func(id string) bool { return !o.has(id) })

	if !written {
		return s, nil
	}

	s.found = true

	return s, s.read(o, text)
}

// read a policy. One of the owner's name without the owner's mark is an ErrNotOurs.
func (s *minioState) read(o Owner, text []byte) error {
	document, err := policy.Parse(text)
	if err != nil {
		return errors.Wrap(err, "cannot read a policy")
	}

	marked := document.Having(o.sid())
	if len(marked) == 0 {
		return ErrNotOurs
	}

	s.document = document

	for _, statement := range marked {
		suffixes := strings.TrimPrefix(statement.Sid(), o.sid())
		for ; len(suffixes) >= suffixLength; suffixes = suffixes[suffixLength:] {
			s.noted = append(s.noted, o.base()+suffixes[:suffixLength])
		}
	}

	return nil
}

// known are the IDs of all keys that there may be, sorted.
func (s *minioState) known() []string {
	ids := slices.Concat(s.noted, s.members)
	slices.Sort(ids)

	return slices.Compact(ids)
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
