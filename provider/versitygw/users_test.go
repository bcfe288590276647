package versitygw

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/s3"
)

// gateway answers list-users with users that it had when the request came, after a call of ours in between.
type gateway struct {
	lists   atomic.Int32
	between func()
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch r.URL.Path {
	case "/create-user":
		w.WriteHeader(http.StatusCreated)
	case "/list-users":
		g.lists.Add(1)
		if g.between != nil {
			g.between()
		}
		w.Header().Set("Content-Type", "application/xml")
		_, _ = io.WriteString(w, `<ListUserAccountsResult><Accounts><Access>B1</Access><Secret>hush</Secret><Role>user</Role></Accounts>`+
			`<Accounts><Access>A1</Access><Secret>hush</Secret><Role>admin</Role></Accounts></ListUserAccountsResult>`)
	}
}

func TestUsers(t *testing.T) {
	cases := map[string]struct {
		reason string
		do     func(t *testing.T, u *Users, g *gateway)
		want   []User
		lists  int32
	}{
		"Prefix": {
			reason: "Only those whose keys begin so are found.",
			do:     func(*testing.T, *Users, *gateway) {},
			want:   []User{{AccessKeyID: "A1", Role: "admin"}}, lists: 1,
		},
		"Shared": {
			reason: "Those who ask at about the same time share a list.",
			do: func(t *testing.T, u *Users, _ *gateway) {
				t.Helper()
				var all sync.WaitGroup
				for range 50 {
					all.Go(func() {
						if _, err := u.Having(t.Context(), "B"); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
			},
			want: []User{{AccessKeyID: "A1", Role: "admin"}}, lists: 1,
		},
		"Created": {
			reason: "What we made is there without another list.",
			do: func(t *testing.T, u *Users, _ *gateway) {
				t.Helper()
				list(t, u)
				create(t, u, "A2")
			},
			want: []User{{AccessKeyID: "A1", Role: "admin"}, {AccessKeyID: "A2", Role: RoleUser}}, lists: 1,
		},
		"CreatedMeanwhile": {
			reason: "What we made is there though a list that was under way does not have it.",
			do: func(t *testing.T, u *Users, g *gateway) {
				t.Helper()
				g.between = sync.OnceFunc(func() { create(t, u, "A2") })
				list(t, u)
			},
			want: []User{{AccessKeyID: "A1", Role: "admin"}, {AccessKeyID: "A2", Role: RoleUser}}, lists: 1,
		},
		"Removed": {
			reason: "What we removed is gone though an older list has it.",
			do: func(t *testing.T, u *Users, _ *gateway) {
				t.Helper()
				list(t, u)
				if err := u.Remove(t.Context(), "A1"); err != nil {
					t.Error(err)
				}
			},
			want: []User{}, lists: 1,
		},
		"Now": {
			reason: "Who needs to know for certain asks again.",
			do: func(t *testing.T, u *Users, _ *gateway) {
				t.Helper()
				list(t, u)
				list(t, u)
			},
			want: []User{{AccessKeyID: "A1", Role: "admin"}}, lists: 2,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			g := &gateway{}
			u := users(t, g)
			tc.do(t, u, g)
			got, err := u.Having(t.Context(), "A")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\nHaving(...): -want, +got:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.lists, g.lists.Load()); diff != "" {
				t.Errorf("\n%s\nlists asked for: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func users(t *testing.T, g *gateway) *Users {
	t.Helper()
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	clients, err := s3.NewClients(s3.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clients.For(t.Context(), s3.Connection{Endpoint: server.URL, Credentials: s3.Credentials{AccessKeyID: "root", SecretAccessKey: strings.Repeat("s", 8)}})
	if err != nil {
		t.Fatal(err)
	}
	return NewUsers(c)
}

func list(t *testing.T, u *Users) {
	t.Helper()
	if _, err := u.HavingNow(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

func create(t *testing.T, u *Users, id string) {
	t.Helper()
	if _, err := u.Create(t.Context(), id, "secret"); err != nil {
		t.Error(err)
	}
}
