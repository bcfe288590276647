package e2e

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"my-operator.dev/echo/test/controlplane"
)

const (
	repository = "../.."
	registry   = "xpkg.my-operator.dev/"
	version    = "v0.1.0"

	function = "function-echo"
	provider = "provider-echo"

	startTimeout = 5 * time.Minute

	parallel = "10"
)

// configurations are the packages under test, each on a control plane of its
// own: two cannot define the kind Echo in one.
var configurations = []string{"configuration-echo", "configuration-echo-claims"}

// patient keeps Crossplane's circuit breakers closed: a test has an Echo go
// through in seconds what takes it days otherwise.
var patient = []string{"--circuit-breaker-burst=10000", "--circuit-breaker-refill-rate=100"}

// clusters are the control planes, by the configuration they have installed.
var clusters = map[string]*controlplane.ControlPlane{}

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()

	// Tests wait for the control plane most of the time, so there may be more of
	// them at a time than there are processors, which is go test's own limit.
	if err := flag.Set("test.parallel", parallel); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	defer func() {
		for _, cp := range clusters {
			if err := cp.Stop(); err != nil {
				fmt.Fprintln(os.Stderr, "cannot stop:", err)
			}
		}
	}()

	if err := startAll(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	return m.Run()
}

func startAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)

	for _, c := range configurations {
		wg.Go(func() {
			cp, err := start(ctx, c)

			mu.Lock()
			defer mu.Unlock()

			if cp != nil {
				clusters[c] = cp
			}

			errs = append(errs, errors.Wrapf(err, "cannot start the control plane of %s", c))
		})
	}

	wg.Wait()

	return errors.Join(errs...)
}

// start starts a control plane and installs the product as its README says.
func start(ctx context.Context, configuration string) (*controlplane.ControlPlane, error) {
	cp, err := controlplane.Start(ctx, controlplane.Options{
		TenantClusterRoles: []string{"echo-edit", "edit"},
		Progress:           prefix{configuration, os.Stderr},
		CoreArgs:           patient,
		S3:                 []string{controlplane.Versitygw},
	})
	if err != nil {
		return nil, err
	}

	for name, files := range map[string][]string{
		function:      {function + "-amd64.xpkg", function + "-arm64.xpkg"},
		provider:      {provider + "-amd64.xpkg", provider + "-arm64.xpkg"},
		configuration: {configuration + ".xpkg"},
	} {
		for i, f := range files {
			files[i] = filepath.Join(repository, "dist", f)
		}

		if err := cp.Push(ctx, registry+name+":"+version, files...); err != nil {
			return cp, err
		}
	}

	if _, err := cp.Kubectl(ctx, "apply", "-k", filepath.Join(repository, "package", "install")); err != nil {
		return cp, err
	}

	if err := cp.InstallPackage(ctx, controlplane.Configuration, registry+configuration+":"+version, configuration); err != nil {
		return cp, err
	}

	if err := cp.WaitPackage(ctx, controlplane.Function, function); err != nil {
		return cp, err
	}

	if err := cp.WaitPackage(ctx, controlplane.Provider, provider); err != nil {
		return cp, err
	}

	return cp, storage(ctx, cp)
}

// storage makes the S3 server the one for Buckets that name no other.
func storage(ctx context.Context, cp *controlplane.ControlPlane) error {
	server, err := cp.S3(controlplane.Versitygw)
	if err != nil {
		return err
	}

	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: controlplane.Namespace, Name: server.Name},
		StringData: map[string]string{"AWS_ACCESS_KEY_ID": server.AccessKey, "AWS_SECRET_ACCESS_KEY": server.SecretKey},
	}
	if err := cp.Client().Create(ctx, secret); err != nil {
		return errors.Wrap(err, "cannot make the Secret of the S3 server")
	}

	config := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "provider.my-operator.dev/v1beta1",
		"kind":       "ClusterProviderConfig",
		"metadata":   map[string]any{"name": "default"},
		"spec": map[string]any{
			"endpoint":          server.Endpoint,
			"region":            server.Region,
			"identityAPI":       server.Identity,
			"credentials":       map[string]any{"source": "Secret", "secretRef": map[string]any{"namespace": secret.Namespace, "name": secret.Name}},
			"allowedNamespaces": map[string]any{"names": []any{"*"}},
		},
	}}

	return errors.Wrap(cp.Client().Create(ctx, config), "cannot make the ClusterProviderConfig")
}

// A prefix writes lines behind a name.
type prefix struct {
	name string
	w    io.Writer
}

func (p prefix) Write(b []byte) (int, error) {
	_, err := fmt.Fprintf(p.w, "%s: %s", p.name, b)
	return len(b), err
}
