package provider

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

const (
	repository = "../.."
	registry   = "xpkg.my-operator.dev/"
	version    = "v0.1.0"

	providerName      = "provider-echo"
	functionName      = "function-echo"
	configurationName = "configuration-echo"

	// poll is how often the provider compares a resource with its server. It is the
	// unit of time of these tests: what somebody changed behind the provider's back
	// is repaired within one.
	poll = 5 * time.Second

	startTimeout = 5 * time.Minute
	parallel     = "24"
)

// dist is where the packages are that are tested.
var dist = flag.String("dist", filepath.Join(repository, "dist"), "directory of the packages to test")

// cp is the control plane of all tests, root the client of its administrator, and
// scheme what clients know.
var (
	cp     *controlplane.ControlPlane
	root   client.Client
	scheme = kruntime.NewScheme()
)

// TestMain starts one control plane for all tests: each has namespaces of its own. In
// the end nothing that the provider has said may hold a secret.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()

	// Tests wait for the provider most of the time, so there may be more of them at
	// a time than there are processors, which is go test's own limit.
	if err := flag.Set("test.parallel", parallel); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	err := start(ctx)
	if cp != nil {
		defer func() { _ = cp.Stop() }()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	code := m.Run()
	if err := nothingLeaked(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	return code
}

func start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	for _, add := range []func(*kruntime.Scheme) error{clientgoscheme.AddToScheme, providerv1beta1.AddToScheme, storagev1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}

	var err error
	cp, err = controlplane.Start(ctx, controlplane.Options{
		TenantClusterRoles: []string{"echo-edit", "edit"},
		Progress:           os.Stderr,
		S3:                 []string{controlplane.Versitygw, controlplane.VersitygwTLS, controlplane.MinIO},
	})
	if err != nil {
		return err
	}

	if root, err = client.New(cp.Config(), client.Options{Scheme: scheme}); err != nil {
		return err
	}
	if err := startServers(ctx); err != nil {
		return err
	}

	return install(ctx)
}

// install installs the provider as its README says, with another poll interval.
func install(ctx context.Context) error {
	file := filepath.Join(*dist, providerName+"-"+runtime.GOARCH+".xpkg")
	if err := cp.Push(ctx, registry+providerName+":"+version, file); err != nil {
		return err
	}

	config, err := runtimeConfig()
	if err != nil {
		return err
	}
	if err := root.Create(ctx, config); err != nil {
		return errors.Wrap(err, "cannot make the runtime config")
	}

	for _, manifest := range []string{"provider-rbac.yaml", "tenant-rbac.yaml", "provider.yaml"} {
		if _, err := cp.Kubectl(ctx, "apply", "-f", filepath.Join(repository, "package", "install", manifest)); err != nil {
			return err
		}
	}

	return cp.WaitPackage(ctx, controlplane.Provider, providerName)
}

// runtimeConfig is the one that package/install has, with arguments added.
func runtimeConfig() (*unstructured.Unstructured, error) {
	text, err := os.ReadFile(filepath.Join(repository, "package", "install", "provider-runtime-config.yaml"))
	if err != nil {
		return nil, err
	}

	config := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &config.Object); err != nil {
		return nil, err
	}

	path := []string{"spec", "deploymentTemplate", "spec", "template", "spec", "containers"}
	containers, _, err := unstructured.NestedSlice(config.Object, path...)
	if err != nil || len(containers) != 1 {
		return nil, errors.Errorf("want one container in the runtime config, got %d: %v", len(containers), err)
	}

	container := containers[0].(map[string]any)
	args, _, err := unstructured.NestedStringSlice(container, "args")
	if err != nil {
		return nil, err
	}

	args = append(args, "--debug", "--poll="+poll.String())
	if err := unstructured.SetNestedStringSlice(container, args, "args"); err != nil {
		return nil, err
	}

	return config, unstructured.SetNestedSlice(config.Object, containers, path...)
}
