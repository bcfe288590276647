package faults

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
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

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
)

const (
	repository   = "../.."
	providerName = "provider-echo"
	providerRef  = controlplane.DefaultPackageHost + "/" + providerName + ":v0.1.0"

	// poll is how often the provider compares a resource with its server, and the
	// longest that it waits before it tries again what failed.
	poll = "--poll=10s"

	startTimeout = 5 * time.Minute

	// parallel is how many tests run at a time that break nothing but an endpoint or
	// credentials of their own.
	parallel = "12"
)

var (
	dist   = flag.String("dist", filepath.Join(repository, "dist"), "directory of the packages to test")
	trials = flag.Int("trials", 2, "how often to repeat what depends on chance; each other time on the other server")
	seed   = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of all random choices, to repeat them")
)

// cp is the control plane of all tests, and root the client of its administrator.
var (
	cp   *controlplane.ControlPlane
	root client.Client
)

// TestMain starts one control plane for all tests: each has a namespace of its own.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()

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

	fmt.Fprintf(os.Stderr, "random choices are those of -seed=%d\n", *seed)

	return m.Run()
}

func start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	var err error
	cp, err = controlplane.Start(ctx, controlplane.Options{
		Progress: os.Stderr,
		S3:       []string{controlplane.Versitygw, controlplane.MinIO},
	})
	if err != nil {
		return err
	}

	scheme := kruntime.NewScheme()
	for _, add := range []func(*kruntime.Scheme) error{clientgoscheme.AddToScheme, providerv1beta1.AddToScheme, storagev1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}

	config := cp.Config()
	config.QPS = -1
	if root, err = client.New(config, client.Options{Scheme: scheme}); err != nil {
		return err
	}

	if err := startServers(ctx); err != nil {
		return err
	}

	return install(ctx)
}

// install installs the provider, without leader election: with it, one that was killed
// would wait for its own lease to run out before it goes on, and meet fewer instants.
func install(ctx context.Context) error {
	if err := root.Create(ctx, runtimeConfig(poll)); err != nil {
		return errors.Wrap(err, "cannot make the runtime config")
	}

	file := filepath.Join(*dist, providerName+"-"+runtime.GOARCH+".xpkg")
	if err := cp.Push(ctx, providerRef, file); err != nil {
		return err
	}

	return cp.InstallPackage(ctx, controlplane.Provider, providerRef, providerName, "--runtime-config="+providerName)
}

// runtimeConfig has the provider run with arguments.
func runtimeConfig(args ...any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "pkg.crossplane.io/v1beta1",
		"kind":       "DeploymentRuntimeConfig",
		"metadata":   map[string]any{"name": providerName},
		"spec": map[string]any{"deploymentTemplate": map[string]any{"spec": map[string]any{
			"selector": map[string]any{},
			"template": map[string]any{"spec": map[string]any{
				"containers": []any{map[string]any{"name": "package-runtime", "args": args}},
			}},
		}}},
	}}
}

// random returns the choices of one trial of a test.
func random(trial int) *rand.Rand { return rand.New(rand.NewPCG(*seed, uint64(trial))) }
