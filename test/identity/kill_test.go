package identity

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"

	"my-operator.dev/echo/provider/identity"
)

// mostCalls is more than any step makes.
const mostCalls = 20

// A killer lets a number of requests through. The answer to the last of them is lost, as when the process that asked
// is killed while the server works; after it nothing reaches the server any more.
type killer struct{ left atomic.Int64 }

// before stands before a server.
func (k *killer) before(t *testing.T, target string) string {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	// Requests are signed for the host that they name, so it stays.
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := k.left.Add(-1); {
		case n > 0:
			forward.ServeHTTP(w, r)
			return
		case n == 0:
			forward.ServeHTTP(httptest.NewRecorder(), r)
		}
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestKilled kills each step after each of its calls, for an owner who is new and for one who has a key. A process that
// is started then has to find what nobody knows and to come to one key that works, and its removal has to leave nothing.
func TestKilled(t *testing.T) {
	steps := map[string]func(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant, known string) error{
		"make": func(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant, _ string) error {
			_, err := of.Make(t.Context(), o, g)
			return err
		},
		"grant": func(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant, _ string) error {
			return of.Grant(t.Context(), o, identity.Grant{Bucket: g.Bucket, Prefix: "p/"})
		},
		"remove": func(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant, known string) error {
			return of.Remove(t.Context(), o, g, known)
		},
		"remove all": func(t *testing.T, of identity.Server, o identity.Owner, g identity.Grant, _ string) error {
			return of.RemoveAll(t.Context(), o, g)
		},
	}
	for name, s := range servers {
		t.Run(name, func(t *testing.T) {
			g := identity.Grant{Bucket: fill(t, s, "killed"), Write: true}
			for step, do := range steps {
				for _, has := range []bool{false, true} {
					killed := 0
					for calls := int64(1); calls < mostCalls; calls++ {
						o := owner(t, fmt.Sprint(step, has, calls))
						var known identity.Key
						if has {
							known = mustMake(t, s.provider(t), o, g)
						}
						k := &killer{}
						k.left.Store(calls)
						dying := s
						dying.bucket = k.before(t, s.bucket)
						dying.admin = dying.bucket
						if s.admin != s.bucket {
							dying.admin = k.before(t, s.admin)
						}
						err := do(t, dying.provider(t), o, g, known.AccessKeyID)
						recovered(t, s, o, g, known, fmt.Sprintf("%s, key before: %t, killed at call %d", step, has, calls))
						if k.left.Load() > 0 {
							done(t, err)
							break
						}
						killed++
					}
					t.Logf("%s, key before: %t: killed %d times", step, has, killed)
				}
			}
			if left := s.leftovers(t); len(left) > 0 {
				t.Errorf("the server still has %v", left)
			}
		})
	}
}

// recovered does what a controller does that is started after a kill and knows one key, or none.
func recovered(t *testing.T, s server, o identity.Owner, g identity.Grant, known identity.Key, when string) {
	t.Helper()
	of := s.provider(t)
	found, err := of.Observe(t.Context(), o, g)
	done(t, err)
	for _, id := range found.Keys {
		if id != known.AccessKeyID {
			done(t, of.Remove(t.Context(), o, g, id))
		}
	}
	if !slices.Contains(found.Keys, known.AccessKeyID) {
		known = mustMake(t, of, o, g)
	}
	done(t, of.Grant(t.Context(), o, g))
	seen(t, of, o, g, 1, true)
	if err := put(t.Context(), s.as(t, keys(known)), g.Bucket, "a"); err != nil {
		t.Errorf("%s: the key does not work: %v", when, err)
	}
	done(t, of.RemoveAll(t.Context(), o, g))
	gone(t, of, o, g)
	dead(t, s, known, g.Bucket)
}
