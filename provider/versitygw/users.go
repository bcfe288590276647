package versitygw

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"my-operator.dev/echo/provider/s3"
)

// freshFor is how old a list of users may be that Having answers from. With 2,000 identities that are looked at each
// ten minutes, 66 of them share one list.
const freshFor = 20 * time.Second

// Users are the users of one server. All that look at the same server share one, and so its list. It is safe for
// concurrent use. Its errors are those of package s3.
type Users struct {
	client client

	// turn holds one token: who has it asks the server, while others wait for what it finds.
	turn chan struct{}

	mu     sync.Mutex
	list   []User
	listed time.Time
	// made are this Users' own changes since the list was asked for, which may or may not be in it.
	made []change
}

// A User is one user of the server.
type User struct {
	AccessKeyID string
	Role        string
}

// A change is a user that is there since some moment or, without role, that is not.
type change struct {
	User

	at time.Time
}

// NewUsers returns the users of the server whose administration API is at a client's endpoint. It calls nobody.
func NewUsers(admin *s3.Client) *Users {
	return &Users{client: client{s3: admin}, turn: make(chan struct{}, 1)}
}

// Having returns the users whose access keys begin so, sorted. What others than this Users changed shows after 20
// seconds at most.
func (u *Users) Having(ctx context.Context, prefix string) ([]User, error) {
	return u.havingSince(ctx, prefix, time.Now().Add(-freshFor))
}

// HavingNow is Having of this moment. Those who ask at once share an answer.
func (u *Users) HavingNow(ctx context.Context, prefix string) ([]User, error) {
	return u.havingSince(ctx, prefix, time.Now())
}

// havingSince answers from a list that was asked for at or after a moment.
func (u *Users) havingSince(ctx context.Context, prefix string, since time.Time) ([]User, error) {
	if found, fresh := u.known(prefix, since); fresh {
		return found, nil
	}
	select {
	case u.turn <- struct{}{}:
		defer func() { <-u.turn }()
	case <-ctx.Done():
		return nil, s3.Explain(ctx.Err())
	}
	// Whoever had the turn before may have asked.
	if found, fresh := u.known(prefix, since); fresh {
		return found, nil
	}
	if err := u.refresh(ctx); err != nil {
		return nil, err
	}
	found, _ := u.known(prefix, since)
	return found, nil
}

// Create makes a user of role RoleUser. It returns whether there is one of this access key already, which stays as it
// is.
func (u *Users) Create(ctx context.Context, accessKeyID, secret string) (exists bool, err error) {
	exists, err = u.client.create(ctx, accessKeyID, secret)
	if err != nil || exists {
		return exists, err
	}
	u.remember(User{AccessKeyID: accessKeyID, Role: RoleUser})
	return false, nil
}

// Demote gives a user the role RoleUser.
func (u *Users) Demote(ctx context.Context, accessKeyID string) error {
	if err := u.client.demote(ctx, accessKeyID); err != nil {
		return err
	}
	u.remember(User{AccessKeyID: accessKeyID, Role: RoleUser})
	return nil
}

// Remove removes a user, if there is one.
func (u *Users) Remove(ctx context.Context, accessKeyID string) error {
	if err := u.client.remove(ctx, accessKeyID); err != nil {
		return err
	}
	u.remember(User{AccessKeyID: accessKeyID})
	return nil
}

// refresh asks for the list. A change made while the answer was under way holds against it.
func (u *Users) refresh(ctx context.Context) error {
	asked := time.Now()
	list, err := u.client.list(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(list, byKey)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.list, u.listed = list, asked
	u.made = slices.DeleteFunc(u.made, func(c change) bool { return c.at.Before(asked) })
	for _, c := range u.made {
		u.apply(c.User)
	}
	return nil
}

// remember writes a change of ours into the list.
func (u *Users) remember(user User) {
	u.mu.Lock()
	defer u.mu.Unlock()
	// A list is asked for within the time of a call and of freshFor, or is not used.
	u.made = slices.DeleteFunc(u.made, func(c change) bool { return time.Since(c.at) > time.Minute+freshFor })
	u.made = append(u.made, change{User: user, at: time.Now()})
	u.apply(user)
}

func (u *Users) apply(user User) {
	at, there := slices.BinarySearchFunc(u.list, user, byKey)
	if there {
		u.list = slices.Delete(u.list, at, at+1)
	}
	if user.Role != "" {
		u.list = slices.Insert(u.list, at, user)
	}
}

// known returns what the list says, and whether it was asked for at or after a moment.
func (u *Users) known(prefix string, since time.Time) (found []User, fresh bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	from, _ := slices.BinarySearchFunc(u.list, User{AccessKeyID: prefix}, byKey)
	to := from
	for to < len(u.list) && strings.HasPrefix(u.list[to].AccessKeyID, prefix) {
		to++
	}
	return slices.Clone(u.list[from:to]), !u.listed.IsZero() && !u.listed.Before(since)
}

func byKey(a, b User) int { return strings.Compare(a.AccessKeyID, b.AccessKeyID) }
