package identity

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/provider/identity"
	"my-operator.dev/echo/provider/s3"
	"my-operator.dev/echo/test/controlplane"
)

const (
	region       = "us-east-1"
	startTimeout = time.Minute
)

// A server is one that runs, and how to reach it as its administrator.
type server struct {
	api v1beta1.IdentityAPI
	// bucket and admin are the URLs of its S3 API and of its identity API.
	bucket, admin string
	root          s3.Credentials
	// identities is the directory that the server keeps users and their policies in.
	identities string
}

// servers are those under test, by name.
var servers = map[string]server{}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	cp, err := controlplane.StartS3(ctx, controlplane.Options{S3: []string{controlplane.MinIO, controlplane.Versitygw}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer cp.Stop()
	for _, name := range []string{controlplane.MinIO, controlplane.Versitygw} {
		s, err := cp.S3(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		servers[name] = server{
			api: v1beta1.IdentityAPI(s.Identity), bucket: s.Endpoint, admin: s.Endpoint,
			root:       s3.Credentials{AccessKeyID: s.AccessKey, SecretAccessKey: s.SecretKey},
			identities: cp.WorkDir(),
		}
	}
	stop, err := startIAM(ctx)
	defer stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// startIAM starts a gateway whose users are those of an IAM service, and adds it to the servers.
func startIAM(ctx context.Context) (stop func(), err error) {
	stop = func() {}
	dir, err := os.MkdirTemp("", "iam")
	if err != nil {
		return stop, err
	}
	users, data, metadata := filepath.Join(dir, "users"), filepath.Join(dir, "data"), filepath.Join(dir, "metadata")
	var running []*exec.Cmd
	stop = func() {
		for _, c := range running {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
		_ = os.RemoveAll(dir)
	}
	for _, d := range []string{users, data, metadata} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return stop, err
		}
	}
	socket := filepath.Join(dir, "private")
	ports, err := freePorts()
	if err != nil {
		return stop, err
	}
	for i, args := range [][]string{
		{"iam", "--dir", users, "--private-ports", socket},
		{"--iam-standalone-endpoint", socket, "posix", "--sidecar", metadata, data},
	} {
		c := exec.Command(filepath.Join(os.Getenv(controlplane.ToolsEnv), "versitygw"), append([]string{"--quiet", "--region", region, "--port", ports[i]}, args...)...)
		c.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID=root", "ROOT_SECRET_ACCESS_KEY=rootsecret")
		if err := c.Start(); err != nil {
			return stop, err
		}
		running = append(running, c)
		if err := listening(ctx, ports[i]); err != nil {
			return stop, err
		}
	}
	servers["versitygw-iam"] = server{
		api: v1beta1.IdentityAWS, bucket: "http://" + ports[1], admin: "http://" + ports[0],
		root: s3.Credentials{AccessKeyID: "root", SecretAccessKey: "rootsecret"}, identities: users,
	}
	return stop, nil
}

// freePorts returns two addresses on loopback that nobody listens at.
func freePorts() ([]string, error) {
	var free []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		free = append(free, l.Addr().String())
	}
	return free, nil
}

func listening(ctx context.Context, address string) error {
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return errors.Wrap(err, "the server does not listen")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// as returns a client of the server's S3 API with a key.
func (s server) as(t *testing.T, k s3.Credentials) *s3.Client {
	t.Helper()
	return client(t, s3.Connection{Endpoint: s.bucket, Region: region, PathStyle: true, Credentials: k})
}

// provider returns the server's identities as a process just started sees them.
func (s server) provider(t *testing.T) identity.Server {
	t.Helper()
	conn := s3.Connection{Endpoint: s.bucket, Region: region, PathStyle: true, Credentials: s.root}
	of, err := identity.NewServers().For(s.api, client(t, conn), client(t, identity.AdminConnection(s.api, conn, s.admin)))
	if err != nil {
		t.Fatal(err)
	}
	return of
}

func client(t *testing.T, conn s3.Connection) *s3.Client {
	t.Helper()
	clients, err := s3.NewClients(s3.Options{Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	c, err := clients.For(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// leftovers returns the files in which the server keeps anything of our users or policies: by name for MinIO, whose
// files are encrypted, else by content.
func (s server) leftovers(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(s.identities, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			// MinIO takes directories away while they are looked at.
			return nil //nolint:nilerr // What is gone is no leftover.
		case d.IsDir():
		case strings.Contains(path, "/config/iam/users/"), strings.Contains(path, "/config/iam/groups/"), strings.Contains(path, "/config/iam/policies/"), strings.Contains(path, "/config/iam/policydb/"):
			found = append(found, path)
		case filepath.Base(path) == "users.json", filepath.Base(path) == "iam.json":
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if strings.Contains(strings.ToLower(string(text)), `"secret`) || strings.Contains(string(text), "echo-") {
				found = append(found, path+": "+string(text))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func keys(k identity.Key) s3.Credentials {
	return s3.Credentials{AccessKeyID: k.AccessKeyID, SecretAccessKey: k.SecretAccessKey}
}
