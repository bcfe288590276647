package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// packageUser runs packages when the control plane itself runs as root: the user
// that images of scratch and distroless name as nonroot. It owns nothing but its
// certificates.
const packageUser = 65532

// A packageProcess is the process of one package revision.
type packageProcess struct {
	kind PackageKind
	// pkg and revision are names.
	pkg, revision string
	// created orders the revisions of a package.
	created time.Time

	image imageConfiguration
	// binary is the entrypoint that came out of the package.
	binary string
	// certificates is the directory that holds those of the server.
	certificates string
	// port is where a function serves gRPC, and a provider its health; metrics
	// is where either serves metrics.
	port, metrics int
	// env is set by the runtime, as core would set it.
	env []string

	// mu guards config.
	mu sync.Mutex
	// config is what the process runs with. Nil when it does not run.
	config  *corev1.Container
	process *process
}

// newPackageProcess takes the binary out of the package and prepares its
// process, which is not started. A provider acts as the service account of that
// name, or of the revision's name if that is empty.
func (cp *ControlPlane) newPackageProcess(ctx context.Context, rev *revision, account string) (*packageProcess, error) {
	p := &packageProcess{
		kind: rev.packageKind(), pkg: rev.pkg(), revision: rev.GetName(), created: rev.GetCreationTimestamp().Time,
	}
	dir := cp.dir.join(dirPackages, rev.GetName())
	if err := os.MkdirAll(dir, 0o711); err != nil {
		return nil, errors.Wrap(err, "cannot make a directory for the package")
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		return nil, errors.Wrap(err, "cannot open the package's directory to it")
	}
	p.binary, p.certificates = filepath.Join(dir, "entrypoint"), filepath.Join(dir, "tls")

	var err error
	if p.image, err = cp.unpack(ctx, rev.Status.ResolvedImage, p.binary); err != nil {
		return nil, err
	}
	if err := cp.prepare(p, fmt.Sprintf("%s-%s", p.kind, p.pkg)); err != nil {
		return nil, err
	}
	p.env = []string{
		"HOME=/",
		"POD_NAMESPACE=" + Namespace,
		"REVISION_NAME=" + rev.GetName(),
		"REVISION_UID=" + string(rev.GetUID()),
		"TLS_SERVER_CERTS_DIR=" + p.certificates,
	}
	if p.kind == Function {
		p.env = append(p.env, "FUNCTION_NAME="+p.pkg)
		return p, nil
	}
	kubeconfig, err := cp.providerAccount(ctx, rev, account, dir)
	p.env = append(p.env, "PROVIDER_NAME="+p.pkg, "KUBECONFIG="+kubeconfig)
	return p, err
}

// prepare takes ports for a package's process and makes the process, which has no
// arguments yet.
func (cp *ControlPlane) prepare(p *packageProcess, name string) error {
	for _, port := range []*int{&p.port, &p.metrics} {
		var err error
		if *port, err = cp.ports.take(); err != nil {
			return err
		}
	}
	p.process = &process{
		name: name, path: p.binary, dir: "/", log: cp.Log(name), uid: packageUID(),
		healthy: listens(loopback(p.port)),
	}
	if p.kind == Provider {
		p.process.healthy = answers(cp.pki.client, "http://"+loopback(p.port)+"/readyz")
	}
	return nil
}

// packageUID returns the user to run packages as: an unprivileged one if there
// is a choice.
func packageUID() uint32 {
	if os.Getuid() == 0 {
		return packageUser
	}
	return 0
}

// endpoint returns localhost:PORT, the name that the certificate is for.
func (p *packageProcess) endpoint() string { return fmt.Sprintf("localhost:%d", p.port) }

// run runs the process with a runtime config. One that runs with another config
// is replaced.
func (p *packageProcess) run(c corev1.Container) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.config != nil && equality.Semantic.DeepEqual(*p.config, c) {
		return nil
	}
	p.process.stop()
	p.config = nil
	if err := p.configure(c); err != nil {
		return err
	}
	if err := p.process.start(); err != nil {
		return err
	}
	p.config = &c
	return nil
}

// configuration returns what the process runs with, or nil.
func (p *packageProcess) configuration() *corev1.Container {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.config.DeepCopy()
}

// configure sets the command line and the environment from the image, the
// runtime config and the runtime itself, in this order, the last one winning:
// the addresses to serve at are the runtime's alone to know.
func (p *packageProcess) configure(c corev1.Container) error {
	args := slices.Concat(p.image.Entrypoint[1:], p.image.Cmd)
	if len(c.Args) > 0 {
		// As in a Pod: arguments replace the image's command.
		args = slices.Concat(p.image.Entrypoint[1:], c.Args)
	}
	switch p.kind {
	case Provider:
		args = append(args, "--metrics-bind-address", loopback(p.metrics), "--health-probe-bind-address", loopback(p.port))
	default:
		args = append(args, "--metrics-address", loopback(p.metrics), "--tls-certs-dir", p.certificates, "--address", loopback(p.port))
	}

	env := slices.Clone(p.image.Env)
	for _, e := range c.Env {
		if e.ValueFrom != nil {
			return errors.Errorf("cannot set %s: processes have no source for an environment variable but its value", e.Name)
		}
		env = append(env, e.Name+"="+e.Value)
	}
	p.process.args, p.process.env = args, slices.Concat(env, p.env)
	return nil
}
