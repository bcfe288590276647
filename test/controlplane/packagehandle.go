package controlplane

import (
	"context"
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A PackageProcess is the process that runs a function or a provider.
type PackageProcess struct {
	// Revision is the name of the package revision.
	Revision string
	// PID is the process id of the incarnation at the time of asking, or of the
	// last Await.
	PID int
	// Restarts is how often the process had ended by itself or been killed then.
	Restarts int
	// Endpoint is where a function serves gRPC, localhost:PORT. Empty for a
	// provider.
	Endpoint string
	// MetricsURL is where Prometheus metrics are.
	MetricsURL string
	// CertificatesDir holds ca.crt, tls.crt and tls.key. They follow the Secret
	// that the revision's status names: deleting it rotates them.
	CertificatesDir string
	// Log is the path of the process's log.
	Log string

	process *process
}

// Kill kills the process with SIGKILL, and returns when it is gone. It starts
// again a moment later, as if a kubelet had noticed, however often it was killed.
func (p *PackageProcess) Kill() { p.process.kill() }

// Stop ends the process with SIGTERM, and after a grace of five seconds with
// SIGKILL, and returns when it is gone. It stays away until Start: meanwhile its
// revision is unhealthy.
func (p *PackageProcess) Stop() { p.process.stop() }

// Start starts a process that was stopped, the same way and at the same addresses,
// and returns when it is healthy.
func (p *PackageProcess) Start(ctx context.Context) error {
	if err := p.process.start(); err != nil {
		return err
	}
	return p.Await(ctx)
}

// Await returns when the process is healthy, and brings PID and Restarts up to
// date. It gives up when ctx does, or when the process keeps ending.
func (p *PackageProcess) Await(ctx context.Context) error {
	err := p.process.await(ctx)
	p.PID, p.Restarts = p.process.pid(), p.process.ends()
	return err
}

// FunctionProcess returns the process that runs the active revision of a
// function, by the name of the function.
func (cp *ControlPlane) FunctionProcess(name string) (*PackageProcess, error) {
	return cp.packageProcess(Function, name)
}

// ProviderProcess is FunctionProcess for a provider.
func (cp *ControlPlane) ProviderProcess(name string) (*PackageProcess, error) {
	return cp.packageProcess(Provider, name)
}

// ProviderTwin starts a second process of a provider's active revision beside the
// first, with the same rights and arguments, and returns when it is healthy: two
// replicas if the arguments ask for leader election, and else what must never be.
// It lives until it or the control plane is stopped, and takes no part in the
// health of the revision.
func (cp *ControlPlane) ProviderTwin(ctx context.Context, name string) (*PackageProcess, error) {
	first, err := cp.newestProcess(Provider, name)
	if err != nil {
		return nil, err
	}
	p := &packageProcess{
		kind: first.kind, pkg: first.pkg, revision: first.revision, created: first.created,
		image: first.image, binary: first.binary, certificates: first.certificates, env: first.env,
	}
	if err := cp.prepare(p, fmt.Sprintf("%s-twin-%d", first.process.name, time.Now().UnixNano())); err != nil {
		return nil, err
	}
	config := first.configuration()
	if config == nil {
		return nil, errors.Errorf("provider %s does not run yet", name)
	}
	if err := p.run(*config); err != nil {
		return nil, err
	}
	cp.packages.mu.Lock()
	cp.packages.twins = append(cp.packages.twins, p.process)
	cp.packages.mu.Unlock()

	twin := p.handle()
	return twin, twin.Await(ctx)
}

func (cp *ControlPlane) packageProcess(kind PackageKind, name string) (*PackageProcess, error) {
	p, err := cp.newestProcess(kind, name)
	if err != nil {
		return nil, err
	}
	return p.handle(), nil
}

func (cp *ControlPlane) newestProcess(kind PackageKind, name string) (*packageProcess, error) {
	var newest *packageProcess
	for _, p := range cp.packages.snapshot() {
		// During an upgrade there are two; the newer one is the active one.
		if p.kind == kind && p.pkg == name && (newest == nil || p.created.After(newest.created)) {
			newest = p
		}
	}
	if newest == nil {
		return nil, errors.Errorf("no process runs %s %s", kind, name)
	}
	return newest, nil
}

func (p *packageProcess) handle() *PackageProcess {
	h := &PackageProcess{
		Revision:        p.revision,
		PID:             p.process.pid(),
		Restarts:        p.process.ends(),
		MetricsURL:      fmt.Sprintf("http://%s/metrics", loopback(p.metrics)),
		CertificatesDir: p.certificates,
		Log:             p.process.log,
		process:         p.process,
	}
	if p.kind == Function {
		h.Endpoint = p.endpoint()
	}
	return h
}
