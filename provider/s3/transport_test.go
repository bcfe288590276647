package s3

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

func TestNoRedirectIsFollowed(t *testing.T) {
	followed := atomic.Int32{}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, status)
		}))
		client := newTestClient(t, server.URL)
		if err := getTagging(t.Context(), client); !Is(err, NotS3) || !strings.HasPrefix(Explain(err).Error(), fmt.Sprintf("the answer is a redirect (HTTP status %d ", status)) {
			t.Errorf("%d: %v", status, err)
		}
		// Some libraries bring a client of their own, and take the transport only.
		careless := &http.Client{Transport: client.HTTP().Transport}
		answer, err := careless.Get(server.URL)
		if err == nil {
			answer.Body.Close()
		}
		if !Is(err, NotS3) {
			t.Errorf("%d: a client of another's follows: %v", status, err)
		}
		server.Close()
	}
	if n := followed.Load(); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	endless := func(status int, head, more string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, head)
			more := strings.Repeat(more, 1000)
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, more); err != nil {
					return
				}
			}
		}
	}
	list := func(ctx context.Context, c *Client) error {
		_, err := c.ListObjectVersions(ctx, &awss3.ListObjectVersionsInput{Bucket: aws.String("a-bucket")})
		return err
	}
	cases := map[string]struct {
		reason  string
		handler http.HandlerFunc
		call    func(context.Context, *Client) error
		want    string
	}{
		"Tags":  {"A success without end is none.", endless(200, "<Tagging><TagSet>", "<Tag/>"), getTagging, "the answer is too long to be one of an S3 server"},
		"List":  {"A list may be longer, and not without end.", endless(200, "<ListVersionsResult>", "<Version/>"), list, "the answer is too long to be one of an S3 server"},
		"Error": {"An error's beginning is enough.", endless(400, "<Error><Code>InvalidArgument</Code>", "<x/>"), getTagging, "the server answers with HTTP status 400 Bad Request"},
		"Blank": {"Nor is white space read for ever.", endless(404, "", " "), getTagging, "the server has no such thing (NotFound)"},
		"Header": {"Headers are bounded too.", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		}, getTagging, "SITE cannot be reached: it breaks off the connection"},
		"Cut": {"An answer that ends too early is no answer.", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "<Tagging>")
		}, getTagging, "SITE breaks off in the middle of its answer"},
		"Aborted": {"A connection that is cut is told.", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, getTagging,
			"SITE cannot be reached: it breaks off the connection"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(tc.handler)
			defer server.Close()
			client := newTestClient(t, server.URL)
			err := tc.call(t.Context(), client)
			if diff := cmp.Diff(strings.ReplaceAll(tc.want, "SITE", server.URL), fmt.Sprint(Explain(err))); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s\n%v", tc.reason, diff, err)
			}
			idle(t, client, 32)
		})
	}
}

// idle fails the test if one of the calls has not given back its turn.
func idle(t *testing.T, c *Client, turns int64) {
	t.Helper()
	if !c.way.line.inFlight.TryAcquire(turns) {
		t.Error("A call is still in flight")
		return
	}
	c.way.line.inFlight.Release(turns)
}

func TestLengthAtTheLimit(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", maxAdminBody))
		if r.URL.Path == "/more" {
			_, _ = io.WriteString(w, "x")
		}
	}))
	defer server.Close()
	client := newTestClient(t, server.URL)
	for path, fits := range map[string]bool{"/": true, "/more": false} {
		answer, err := client.HTTP().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(answer.Body)
		answer.Body.Close()
		if diff := cmp.Diff(fits, err == nil); diff != "" {
			t.Errorf("%s: -want, +got:\n%s", path, diff)
		}
	}
	idle(t, client, 32)
}

func TestUnreachable(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<Tagging/>") }))
	defer secure.Close()
	picky := httptest.NewUnstartedServer(http.NotFoundHandler())
	picky.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	picky.StartTLS()
	defer picky.Close()
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	closed := closedPort(t)

	cases := map[string]struct {
		reason   string
		endpoint string
		bundle   []byte
		class    Class
		words    string
	}{
		"Trusted":   {"The bundle is what makes it so.", secure.URL, bundle, OK, "<nil>"},
		"Authority": {"It tells what to do.", secure.URL, nil, Untrusted, "no trusted connection to SITE: its certificate is signed by an unknown authority; give the CA bundle"},
		"Name":      {"The name is checked.", strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), bundle, Untrusted, "no trusted connection to SITE: its certificate is for another name"},
		"NoTLS":     {"A frequent mistake.", strings.Replace(plain.URL, "http", "https", 1), nil, Untrusted, "no trusted connection to SITE: it does not speak TLS; is the endpoint one of http?"},
		"Version":   {"A server that is too old.", picky.URL, bundle, Untrusted, "no trusted connection to SITE: it refuses the TLS handshake"},
		"OnlyTLS":   {"The other mistake.", strings.Replace(secure.URL, "https", "http", 1), nil, NotS3, "the server answers with HTTP status 400 Bad Request"},
		"Refused":   {"Nobody is there.", closed, nil, Unreachable, "SITE cannot be reached: connection refused"},
		"Metadata":  {"A machine's metadata is not for tenants.", "http://169.254.169.254", nil, Unreachable, "SITE cannot be reached: link-local addresses are not allowed"},
		"LinkLocal": {"Nor is a neighbour.", "http://[fe80::1]", nil, Unreachable, "SITE cannot be reached: link-local addresses are not allowed"},
		"Refused6":  {"Addresses of version 6 are known.", strings.Replace(closed, "127.0.0.1", "[::1]", 1), nil, Unreachable, "SITE cannot be reached: connection refused"},
		"NoName":    {"Such a name never resolves.", "http://nobody.invalid", nil, Unreachable, "SITE cannot be reached: its name does not resolve"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			client, err := newClients(t, Options{}).For(t.Context(), Connection{
				Endpoint: tc.endpoint, PathStyle: true, CABundle: tc.bundle, Credentials: Credentials{AccessKeyID: "a", SecretAccessKey: "b"},
			})
			if err != nil {
				t.Fatal(err)
			}
			err = getTagging(t.Context(), client)
			want := []string{string(tc.class), strings.ReplaceAll(tc.words, "SITE", tc.endpoint)}
			if diff := cmp.Diff(want, []string{string(ClassOf(err)), fmt.Sprint(Explain(err))}); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s\n%v", tc.reason, diff, err)
			}
		})
	}
}

func TestDialRefusesLinkLocal(t *testing.T) {
	for _, address := range []string{"169.254.169.254:80", "[::ffff:169.254.169.254]:80", "[fe80::1]:80", "[fe80::1%lo]:80"} {
		_, err := dial(t.Context(), "tcp", address)
		if !errors.Is(err, errLinkLocal) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// closedPort is a URL where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

func TestSlowServer(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(release)
	connection := Connection{Endpoint: server.URL, PathStyle: true, Credentials: Credentials{AccessKeyID: "a", SecretAccessKey: "b"}}

	t.Run("Timeout", func(t *testing.T) {
		client, err := newClients(t, Options{Timeout: 50 * time.Millisecond}).For(t.Context(), connection)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		err = getTagging(t.Context(), client)
		if diff := cmp.Diff(server.URL+" does not answer within 50ms", fmt.Sprint(Explain(err))); diff != "" {
			t.Errorf("-want, +got:\n%s", diff)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("It took %s; such a call is not tried again", took)
		}
		for range tripAfter - 1 {
			err = getTagging(t.Context(), client)
		}
		if !Is(err, Unreachable) || !Is(getTagging(t.Context(), client), Open) {
			t.Errorf("The breaker does not open: %v", err)
		}
		idle(t, client, 32)
	})
	t.Run("Cancelled", func(t *testing.T) {
		client := newTestClient(t, server.URL)
		for range 2 * tripAfter {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
			if err := getTagging(ctx, client); !Is(err, Cancelled) {
				t.Errorf("It is not the server's fault: %v", err)
			}
			cancel()
		}
		idle(t, client, 32)
	})
	t.Run("Busy", func(t *testing.T) {
		client, err := newClients(t, Options{Timeout: 300 * time.Millisecond, MaxInFlight: 2}).For(t.Context(), connection)
		if err != nil {
			t.Fatal(err)
		}
		classes := sync.Map{}
		group := sync.WaitGroup{}
		for range 2 {
			group.Go(func() { classes.Store(ClassOf(getTagging(t.Context(), client)), true) })
		}
		time.Sleep(50 * time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if err := getTagging(ctx, client); !Is(err, Cancelled) {
			t.Errorf("The wait does not end with the context: %v", err)
		}
		group.Wait()
		if _, ok := classes.Load(Unreachable); !ok {
			t.Error("The two that had their turn do not time out")
		}
		idle(t, client, 2)
	})
}
