package s3

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
)

func keysOf(id string) Credentials { return Credentials{AccessKeyID: id, SecretAccessKey: "secret"} }

func TestClientsAreShared(t *testing.T) {
	clients := newClients(t, Options{})
	base := Connection{Endpoint: "http://127.0.0.1:1", Credentials: keysOf("a")}
	first := clientFor(t, clients, base)
	cases := map[string]struct {
		reason           string
		change           func(*Connection)
		client, sameLine bool
	}{
		"Same":        {"Equal connections have one client.", func(*Connection) {}, true, true},
		"Credentials": {"Other keys need another client, not other connections.", func(c *Connection) { c.Credentials = keysOf("b") }, false, true},
		"Slash":       {"It is the same place.", func(c *Connection) { c.Endpoint += "/" }, false, true},
		"PathStyle":   {"Hosts differ by style, and so may their faults.", func(c *Connection) { c.PathStyle = true }, false, false},
		"Endpoint":    {"Another place.", func(c *Connection) { c.Endpoint += "1" }, false, false},
		"AWS":         {"Another place.", func(c *Connection) { c.Endpoint, c.Region = "", "eu-west-1" }, false, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			connection := base
			tc.change(&connection)
			got := clientFor(t, clients, connection)
			if diff := cmp.Diff([]bool{tc.client, tc.sameLine}, []bool{got == first, got.way.line == first.way.line}); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
	aws := clientFor(t, clients, Connection{Region: "cn-north-1", Credentials: keysOf("a")})
	if diff := cmp.Diff([]string{"https://s3.cn-north-1.amazonaws.com.cn", "cn-north-1"}, []string{aws.Endpoint(), aws.Region()}); diff != "" {
		t.Errorf("AWS's own endpoint depends on the region.\n-want, +got:\n%s", diff)
	}
}

func clientFor(t *testing.T, clients *Clients, c Connection) *Client {
	t.Helper()
	client, err := clients.For(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestClientsAreLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clients := newClients(t, Options{})
		connection := func(i int) Connection {
			return Connection{Endpoint: fmt.Sprintf("http://127.0.0.1:%d", i%2+1), Credentials: keysOf(strconv.Itoa(i))}
		}
		first := clientFor(t, clients, connection(0))
		time.Sleep(keepClient)
		clientFor(t, clients, connection(1))
		if clientFor(t, clients, connection(0)) != first {
			t.Error("A client that was asked for is let go")
		}
		time.Sleep(keepClient + time.Second)
		clientFor(t, clients, connection(3))
		if n, lines := len(clients.clients), len(clients.lines); n != 1 || lines != 1 {
			t.Errorf("%d clients and %d lines are kept, want 1 and 1", n, lines)
		}
		for i := range 2 * maxClients {
			time.Sleep(time.Millisecond)
			clientFor(t, clients, connection(i))
		}
		if n, lines := len(clients.clients), len(clients.lines); n != maxClients || lines != 2 {
			t.Errorf("%d clients and %d lines are kept, want %d and 2", n, lines, maxClients)
		}
		last := clientFor(t, clients, connection(2*maxClients-1))
		if clientFor(t, clients, connection(2*maxClients-1)) != last {
			t.Error("The latest client is not kept")
		}
	})
}

func TestCallsInFlightAreLimited(t *testing.T) {
	now, most := atomic.Int32{}, atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		time.Sleep(2 * time.Millisecond)
		_, _ = fmt.Fprint(w, "<Tagging/>")
	}))
	defer server.Close()
	clients := newClients(t, Options{MaxInFlight: 3})
	group := sync.WaitGroup{}
	for i := range 60 {
		group.Go(func() {
			client, err := clients.For(t.Context(), Connection{Endpoint: server.URL, PathStyle: true, Credentials: keysOf(strconv.Itoa(i % 4))})
			if err == nil {
				err = getTagging(t.Context(), client)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if m := most.Load(); m > 3 {
		t.Errorf("%d calls at once, want at most 3 over all clients of an endpoint", m)
	}
}

func TestOneTenantsFaultIsNotAnothers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), "Credential=bad/") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = fmt.Fprint(w, "<Tagging/>")
	}))
	defer server.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	clients := newClients(t, Options{})
	connection := func(endpoint, id string) Connection {
		return Connection{Endpoint: endpoint, PathStyle: true, Credentials: keysOf(id)}
	}
	dead := closedPort(t)
	cases := map[string]struct {
		reason string
		of     Connection
		last   Class
	}{
		"Faults":   {"What the server answers depends on who asks.", connection(server.URL, "bad"), Open},
		"Good":     {"So others at the same server go on.", connection(server.URL, "good"), OK},
		"Dead":     {"Nobody is there.", connection(dead, "one"), Open},
		"Distrust": {"A bundle that is wrong says nothing about the server.", connection(secure.URL, "one"), Untrusted},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			client := clientFor(t, clients, tc.of)
			for range tripAfter {
				_ = getTagging(t.Context(), client)
			}
			if diff := cmp.Diff(tc.last, ClassOf(getTagging(t.Context(), client))); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
	if err := getTagging(t.Context(), clientFor(t, clients, connection(dead, "two"))); !Is(err, Open) || RetryAfter(err) <= 0 {
		t.Errorf("A dead endpoint is dead for all: %v", err)
	}
}

func TestMetrics(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "A server\x80 of a long name, longer than any")
		switch r.Method {
		case http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprint(w, xmlError("NoSuchTagSet", ""))
		case http.MethodPut:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	registry := prometheus.NewRegistry()
	clients := newClients(t, Options{Registerer: registry})
	client := clientFor(t, clients, Connection{Endpoint: server.URL, PathStyle: true, Credentials: keysOf("a")})
	if diff := cmp.Diff("", client.ServerName()); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
	_ = getTagging(t.Context(), client)
	_ = headBucket(t.Context(), client)
	for range 3 {
		_ = putPolicy(t.Context(), client)
	}
	answer, err := client.HTTP().Post(server.URL, "", nil)
	if !Is(err, Open) {
		t.Errorf("Requests of HTTP's do not share the breaker: %v", err)
	}
	if err == nil {
		answer.Body.Close()
	}
	want := map[string]float64{
		"echo_s3_breaker_open": 1,
		"echo_s3_in_flight":    0,
		"echo_s3_request_duration_seconds operation=GetBucketTagging":             1,
		"echo_s3_request_duration_seconds operation=HTTP":                         1,
		"echo_s3_request_duration_seconds operation=HeadBucket":                   1,
		"echo_s3_request_duration_seconds operation=PutBucketPolicy":              6,
		"echo_s3_requests_total operation=GetBucketTagging result=not_configured": 1,
		"echo_s3_requests_total operation=HTTP result=open":                       1,
		"echo_s3_requests_total operation=HeadBucket result=ok":                   1,
		"echo_s3_requests_total operation=PutBucketPolicy result=open":            1,
		"echo_s3_requests_total operation=PutBucketPolicy result=throttled":       5,
	}
	if diff := cmp.Diff(want, gather(t, registry)); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
	if diff := cmp.Diff("A server of a long name, longer", client.ServerName()); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
	if _, err := NewClients(Options{Registerer: registry}); err == nil {
		t.Error("Metrics are registered twice")
	}
}

// gather returns values by the metric's name and labels, and for a histogram how many were observed.
func gather(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			name := []string{family.GetName()}
			for _, label := range m.GetLabel() {
				name = append(name, label.GetName()+"="+label.GetValue())
			}
			values[strings.Join(name, " ")] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return values
}

func TestLock(t *testing.T) {
	clients := newClients(t, Options{})
	one := clientFor(t, clients, Connection{Endpoint: "http://127.0.0.1:1", Credentials: keysOf("a")})
	two := clientFor(t, clients, Connection{Endpoint: "http://127.0.0.1:1", Credentials: keysOf("b")})
	unlock, err := one.Lock(t.Context(), "bucket")
	if err != nil {
		t.Fatal(err)
	}
	other, err := two.Lock(t.Context(), "other-bucket")
	if err != nil {
		t.Fatalf("Another bucket is locked: %v", err)
	}
	other()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := two.Lock(ctx, "bucket"); !Is(err, Cancelled) {
		t.Errorf("The bucket is not locked for other clients: %v", err)
	}
	unlock()
	unlock()
	counter := 0
	group := sync.WaitGroup{}
	for range 50 {
		group.Go(func() {
			unlock, err := two.Lock(t.Context(), "bucket")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			counter++
		})
	}
	group.Wait()
	if counter != 50 || len(clients.locks.keys) != 0 {
		t.Errorf("%d of 50 were alone; %d locks are left, want 0", counter, len(clients.locks.keys))
	}
}
