package controlplane

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// startTimeout bounds each stage of the start. On an idle machine the whole
// start takes some ten seconds; on a loaded one several times that.
const startTimeout = 2 * time.Minute

// A ControlPlane is a running control plane.
type ControlPlane struct {
	options Options
	dir     workDir
	ports   ports
	pki     pki

	// registry is the address of the OCI registry, localhost:PORT.
	registry string
	admin    *rest.Config
	client   client.Client
	clients  kubernetes.Interface
	// s3 are the S3 servers of the options.
	s3 []S3Server

	// mu guards stages.
	mu sync.Mutex
	// stages are the components in the order they started. Those of one stage
	// start and stop together.
	stages [][]*process

	packages *packageRuntime
}

// Start starts a control plane, and returns when all of it is healthy. When a
// component does not become so, everything is stopped again, and the error holds
// the component's name and the tail of its log.
func Start(ctx context.Context, o Options) (*ControlPlane, error) {
	return begin(ctx, o,
		(*ControlPlane).startKubernetes,
		(*ControlPlane).startAround,
		(*ControlPlane).startS3,
		(*ControlPlane).startCrossplane,
		(*ControlPlane).startPackages,
	)
}

// begin takes the steps of a start in their order.
func begin(ctx context.Context, o Options, steps ...func(*ControlPlane, context.Context) error) (*ControlPlane, error) {
	o, err := o.defaulted()
	if err != nil {
		return nil, err
	}
	dir, err := openWorkDir(o.WorkDir)
	if err != nil {
		return nil, err
	}
	cp := &ControlPlane{options: o, dir: dir}
	for _, step := range steps {
		if err := step(cp, ctx); err != nil {
			return nil, errors.Join(errors.Wrap(err, "cannot start the control plane"), cp.Stop())
		}
	}
	return cp, nil
}

// startStage starts components side by side, and waits until all are healthy.
func (cp *ControlPlane) startStage(ctx context.Context, ps ...*process) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.Errorf("waited %s", startTimeout))
	defer cancel()

	cp.mu.Lock()
	cp.stages = append(cp.stages, ps)
	cp.mu.Unlock()

	g, ctx := errgroup.WithContext(ctx)
	for _, p := range ps {
		g.Go(func() error {
			started := time.Now()
			if err := p.start(); err != nil {
				return err
			}
			if err := p.await(ctx); err != nil {
				return err
			}
			cp.progress("%s is healthy after %.1f s", p.name, time.Since(started).Seconds())
			return nil
		})
	}
	return g.Wait()
}

// Stop stops everything in the reverse order of its start, each component with
// SIGTERM and after a grace of five seconds with SIGKILL. It returns when no
// process is left. Stopping twice does nothing.
func (cp *ControlPlane) Stop() error {
	if cp.packages != nil {
		cp.packages.stop()
	}
	cp.mu.Lock()
	stages := cp.stages
	cp.stages = nil
	cp.mu.Unlock()

	for _, stage := range slices.Backward(stages) {
		wg := sync.WaitGroup{}
		for _, p := range stage {
			wg.Go(p.stop)
		}
		wg.Wait()
	}
	cp.ports.release()
	return cp.dir.close()
}

// Restart stops one component and starts it again, as StopComponent and
// StartComponent do.
func (cp *ControlPlane) Restart(ctx context.Context, component string) error {
	if err := cp.StopComponent(component); err != nil {
		return err
	}
	return cp.StartComponent(ctx, component)
}

// StopComponent stops one component, and returns when it is gone. It stays away
// until it is started again. Components are named by the constants, and by
// [ControlPlane.Components].
func (cp *ControlPlane) StopComponent(name string) error {
	p, err := cp.component(name)
	if err != nil {
		return err
	}
	p.stop()
	return nil
}

// StartComponent starts a component that was stopped, on the same address and
// with its data, and returns when it is healthy. Starting one that runs only
// waits for its health.
func (cp *ControlPlane) StartComponent(ctx context.Context, name string) error {
	p, err := cp.component(name)
	if err != nil {
		return err
	}
	if err := p.start(); err != nil {
		return err
	}
	return p.await(ctx)
}

// Kill kills one component with SIGKILL. It starts again by itself a moment
// later, as if a kubelet had noticed.
func (cp *ControlPlane) Kill(component string) error {
	p, err := cp.component(component)
	if err != nil {
		return err
	}
	p.kill()
	return nil
}

// Components returns the process id of each component by its name.
func (cp *ControlPlane) Components() map[string]int {
	cp.mu.Lock()
	defer cp.mu.Unlock()
	pids := map[string]int{}
	for _, stage := range cp.stages {
		for _, p := range stage {
			pids[p.name] = p.pid()
		}
	}
	return pids
}

func (cp *ControlPlane) component(name string) (*process, error) {
	cp.mu.Lock()
	defer cp.mu.Unlock()
	for _, stage := range cp.stages {
		for _, p := range stage {
			if p.name == name {
				return p, nil
			}
		}
	}
	return nil, errors.Errorf("no component is named %q", name)
}

// Config returns the administrator's client configuration.
func (cp *ControlPlane) Config() *rest.Config { return rest.CopyConfig(cp.admin) }

// Client returns an uncached client of the administrator.
func (cp *ControlPlane) Client() client.Client { return cp.client }

// Kubeconfig returns the path of the administrator's kubeconfig.
func (cp *ControlPlane) Kubeconfig() string { return cp.dir.join(dirPKI, "admin.kubeconfig") }

// Registry returns the address of the OCI registry, localhost:PORT. It speaks
// plain HTTP, which clients accept of localhost.
func (cp *ControlPlane) Registry() string { return cp.registry }

// WorkDir returns the directory of everything the control plane writes.
func (cp *ControlPlane) WorkDir() string { return cp.dir.path }

// Log returns the path of a component's log, or of a package's, which is named
// kind-name, as in function-function-echo.
func (cp *ControlPlane) Log(name string) string { return cp.dir.join(dirLogs, name+".log") }

func (cp *ControlPlane) tool(name string) string { return filepath.Join(cp.options.Tools, name) }

func (cp *ControlPlane) progress(format string, args ...any) {
	cp.mu.Lock()
	defer cp.mu.Unlock()
	_, _ = fmt.Fprintf(cp.options.Progress, format+"\n", args...)
}
