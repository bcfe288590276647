package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
	storagev1beta1 "my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/bench/proc"
	"my-operator.dev/echo/test/controlplane"
	"my-operator.dev/echo/test/s3proxy"
)

const (
	providerName = "provider-echo"
	packageRef   = "xpkg.my-operator.dev/provider-echo:v0.1.0"
	namespace    = "team-bench"

	startTimeout = 5 * time.Minute
)

// A rig is what a run needs: a control plane with the provider installed, and an S3
// server behind a proxy.
type rig struct {
	cp     *controlplane.ControlPlane
	proxy  *s3proxy.Proxy
	server controlplane.S3Server
	client client.WithWatch
	config *rest.Config

	// process is the provider's, and started when it last was.
	process *controlplane.PackageProcess
	started time.Time
}

// newRig starts all that is needed. Packages are built unless dist has them.
func newRig(ctx context.Context, tools, dist string) (*rig, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	if dist == "" {
		dir, err := os.MkdirTemp("", "echo-bench-")
		if err != nil {
			return nil, errors.Wrap(err, "cannot make a folder")
		}
		defer os.RemoveAll(dir) //nolint:errcheck // It is in the folder for what may go.

		dist = dir
		if err := build(ctx, tools, dist); err != nil {
			return nil, err
		}
	}

	say("Starting a control plane")

	cp, err := controlplane.Start(ctx, controlplane.Options{Tools: tools, S3: []string{controlplane.Versitygw}})
	if err != nil {
		return nil, err
	}

	r := &rig{cp: cp}
	if err := r.prepare(ctx, dist); err != nil {
		return nil, errors.Join(err, r.stop())
	}

	return r, nil
}

// build makes the packages, as they are published.
func build(ctx context.Context, tools, dist string) error {
	say("Building the packages")

	cmd := exec.CommandContext(ctx, "go", "run", "my-operator.dev/echo/hack/packages", "--tools", tools, "--out", dist)
	cmd.Stderr = os.Stderr

	return errors.Wrap(cmd.Run(), "cannot build the packages")
}

// stop ends all that was started.
func (r *rig) stop() error {
	if r.proxy != nil {
		r.proxy.Close()
	}

	return r.cp.Stop()
}

// prepare makes clients, installs the provider, and makes a config for it.
func (r *rig) prepare(ctx context.Context, dist string) error {
	var err error
	if r.server, err = r.cp.S3(controlplane.Versitygw); err != nil {
		return err
	}

	if r.proxy, err = s3proxy.Start(r.server.Endpoint); err != nil {
		return err
	}

	scheme := kruntime.NewScheme()
	for _, add := range []func(*kruntime.Scheme) error{clientgoscheme.AddToScheme, extv1.AddToScheme, providerv1beta1.AddToScheme, storagev1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return errors.Wrap(err, "cannot make a scheme")
		}
	}

	// The client's own limit of requests would be what is measured.
	r.config = rest.CopyConfig(r.cp.Config())
	r.config.QPS = -1

	if r.client, err = client.NewWithWatch(r.config, client.Options{Scheme: scheme}); err != nil {
		return errors.Wrap(err, "cannot make a client")
	}

	if err := r.install(ctx, dist); err != nil {
		return err
	}

	if err := r.copyCRD(ctx); err != nil {
		return err
	}

	return r.configure(ctx)
}

// install installs the provider as its README says.
func (r *rig) install(ctx context.Context, dist string) error {
	say("Installing %s", packageRef)

	if err := r.cp.Push(ctx, packageRef, filepath.Join(dist, providerName+"-"+runtime.GOARCH+".xpkg")); err != nil {
		return err
	}

	folder, err := install()
	if err != nil {
		return err
	}

	for _, manifest := range []string{"provider-runtime-config.yaml", "provider-rbac.yaml", "provider.yaml"} {
		if _, err := r.cp.Kubectl(ctx, "apply", "-f", filepath.Join(folder, manifest)); err != nil {
			return err
		}
	}

	if err := r.cp.WaitPackage(ctx, controlplane.Provider, providerName); err != nil {
		return err
	}

	if r.process, err = r.cp.ProviderProcess(providerName); err != nil {
		return err
	}

	r.started = time.Now()

	return r.process.Await(ctx)
}

// install finds package/install, whichever folder of the repository this runs in.
func install() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", errors.Wrap(err, "cannot tell the working directory")
	}

	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return filepath.Join(folder, "package", "install"), nil
		}
	}

	return "", errors.New("run this in the repository")
}

// configure makes the namespace of the Buckets, and a config that leads to the proxy.
func (r *rig) configure(ctx context.Context) error {
	config := &providerv1beta1.ClusterProviderConfig{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	config.Spec.Endpoint, config.Spec.Region = r.proxy.URL(), r.server.Region
	config.Spec.AllowedNamespaces.Names = []string{namespace}
	config.Spec.Credentials = providerv1beta1.ClusterCredentials{
		Source:    providerv1beta1.CredentialsSecret,
		SecretRef: &providerv1beta1.SecretReference{Namespace: controlplane.Namespace, Name: "s3"},
	}

	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}},
		&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: controlplane.Namespace, Name: "s3"},
			StringData: map[string]string{"AWS_ACCESS_KEY_ID": r.server.AccessKey, "AWS_SECRET_ACCESS_KEY": r.server.SecretKey},
		},
		config,
	} {
		if err := r.client.Create(ctx, o); err != nil {
			return errors.Wrapf(err, "cannot make %T", o)
		}
	}

	return nil
}

// restart starts the provider anew with another poll interval.
func (r *rig) restart(ctx context.Context, poll time.Duration) error {
	before := r.process.PID
	config := &unstructured.Unstructured{}
	config.SetAPIVersion("pkg.crossplane.io/v1beta1")
	config.SetKind("DeploymentRuntimeConfig")

	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := r.client.Get(ctx, client.ObjectKey{Name: providerName}, config); err != nil {
			return err
		}

		containers, _, err := unstructured.NestedSlice(config.Object, containersPath...)
		if err != nil || len(containers) != 1 {
			return errors.Errorf("want one container in the runtime config, got %d: %v", len(containers), err)
		}

		container, ok := containers[0].(map[string]any)
		if !ok {
			return errors.Errorf("want a container in the runtime config, got %T", containers[0])
		}

		args, _, err := unstructured.NestedStringSlice(container, "args")
		if err != nil {
			return err
		}

		if err := unstructured.SetNestedStringSlice(container, append(args, "--poll="+poll.String()), "args"); err != nil {
			return err
		}

		if err := unstructured.SetNestedSlice(config.Object, containers, containersPath...); err != nil {
			return err
		}

		return r.client.Update(ctx, config)
	})
	if err != nil {
		return errors.Wrap(err, "cannot set the poll interval")
	}

	for r.process.PID == before || r.process.PID == 0 {
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return errors.Wrap(err, "the provider does not start again")
		}

		if r.process, err = r.cp.ProviderProcess(providerName); err != nil {
			return err
		}
	}

	r.started = time.Now()

	return r.process.Await(ctx)
}

// containersPath is where a runtime config has its containers.
var containersPath = []string{"spec", "deploymentTemplate", "spec", "template", "spec", "containers"}

// idle reads the memory of a provider that has nothing to do.
func (r *rig) idle(ctx context.Context, p plan) (fresh, idle proc.Memory, err error) {
	say("Idling for %s", p.idle)

	if err := sleep(ctx, time.Until(r.started.Add(p.fresh))); err != nil {
		return fresh, idle, err
	}

	if fresh, err = proc.ReadMemory(r.process.PID); err != nil {
		return fresh, idle, err
	}

	if err := sleep(ctx, time.Until(r.started.Add(p.idle))); err != nil {
		return fresh, idle, err
	}

	idle, err = proc.ReadMemory(r.process.PID)
	say("Idle: %s MiB, then %s", fresh, idle)

	return fresh, idle, err
}
