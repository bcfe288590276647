package controlplane

import (
	"context"
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// lookInterval is how often the package runtime looks at the revisions. Asking
// is simpler than watching and, for a handful of revisions, as cheap; and it
// outlives any restart of the API server.
const lookInterval = 250 * time.Millisecond

// A packageRuntime is the External package runtime: it does for packages what
// core does by Deployments in a cluster.
type packageRuntime struct {
	cp     *ControlPlane
	cancel context.CancelFunc
	// done is closed when the loop has ended.
	done chan struct{}
	// stops are packages on their way out.
	stops sync.WaitGroup

	// mu guards running, which only the loop writes, and twins.
	mu sync.Mutex
	// running packages by the UID of their revision.
	running map[types.UID]*packageProcess
	// twins are second processes of packages that tests have started.
	twins []*process
}

// startPackages starts the package runtime.
func (cp *ControlPlane) startPackages(_ context.Context) error {
	ctx, cancel := context.WithCancel(context.Background())
	cp.packages = &packageRuntime{cp: cp, cancel: cancel, done: make(chan struct{}), running: map[types.UID]*packageProcess{}}
	go cp.packages.run(ctx)
	return nil
}

// stop ends the runtime and every package it runs.
func (r *packageRuntime) stop() {
	r.cancel()
	<-r.done
	for uid := range r.snapshot() {
		r.end(uid)
	}
	r.mu.Lock()
	twins := r.twins
	r.mu.Unlock()
	for _, p := range twins {
		r.stops.Go(p.stop)
	}
	r.stops.Wait()
}

func (r *packageRuntime) run(ctx context.Context) {
	defer close(r.done)
	for {
		r.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookInterval):
		}
	}
}

// look brings what runs in line with the revisions: first those that are active,
// then the end of those that are not, so that an upgrade leaves no gap.
func (r *packageRuntime) look(ctx context.Context) {
	live := map[types.UID]bool{}
	for _, kind := range []PackageKind{Function, Provider} {
		revisions, err := r.cp.revisions(ctx, kind)
		if err != nil {
			// The API server may be restarting. What runs keeps running.
			return
		}
		pending := map[string]bool{}
		for i := range revisions {
			rev := &revisions[i]
			if !rev.active() || rev.GetDeletionTimestamp() != nil {
				continue
			}
			live[rev.GetUID()] = true
			if !r.ensure(ctx, rev) {
				pending[rev.pkg()] = true
			}
		}
		// A package whose new revision does not serve yet keeps its old one.
		for i := range revisions {
			rev := &revisions[i]
			if pending[rev.pkg()] && rev.GetDeletionTimestamp() == nil {
				live[rev.GetUID()] = true
			}
		}
	}
	for uid, p := range r.snapshot() {
		if live[uid] {
			continue
		}
		r.end(uid)
		if p.kind == Provider {
			r.cp.withdrawRights(ctx, p.revision)
		}
	}
}

// ensure runs an active revision and reports its health. It returns whether the
// revision serves.
func (r *packageRuntime) ensure(ctx context.Context, rev *revision) bool {
	if rev.Status.ResolvedImage == "" {
		// Core has not pulled the package yet.
		return false
	}
	p, err := r.ensureProcess(ctx, rev)
	endpoint := ""
	if err == nil {
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		err = p.process.healthy(attempt)
		cancel()
		if err != nil {
			err = errors.Wrapf(err, "%s ended %d times; the tail of its log is:\n%s\nlast answer", p.process.name, p.process.ends(), p.process.tail())
		}
		endpoint = p.endpoint()
	}
	if rev.packageKind() == Provider {
		// Nobody dials a provider.
		endpoint = ""
	} else if endpoint != "" {
		endpoint = "dns:///" + endpoint
	}
	if r.cp.setRuntimeStatus(ctx, rev, endpoint, err) != nil {
		// A conflict with core. The next look tries again.
		return false
	}
	return err == nil
}

// ensureProcess returns the process of an active revision, with its certificates
// up to date. It starts one that does not run, and replaces one that was started
// another way than the runtime config now says.
func (r *packageRuntime) ensureProcess(ctx context.Context, rev *revision) (*packageProcess, error) {
	config, err := r.cp.runtimeConfig(ctx, rev)
	if err != nil {
		return nil, err
	}
	p, ok := r.snapshot()[rev.GetUID()]
	if !ok {
		if p, err = r.cp.newPackageProcess(ctx, rev, config.account); err != nil {
			return nil, err
		}
		r.mu.Lock()
		r.running[rev.GetUID()] = p
		r.mu.Unlock()
	}
	if err := r.cp.ensureCertificates(ctx, rev, p); err != nil {
		return nil, err
	}
	return p, p.run(config.container)
}

func (r *packageRuntime) snapshot() map[types.UID]*packageProcess {
	r.mu.Lock()
	defer r.mu.Unlock()
	running := make(map[types.UID]*packageProcess, len(r.running))
	maps.Copy(running, r.running)
	return running
}

// end stops a package in the background: one that finishes its calls does not
// hold up the others.
func (r *packageRuntime) end(uid types.UID) {
	r.mu.Lock()
	p := r.running[uid]
	delete(r.running, uid)
	r.mu.Unlock()
	r.stops.Go(p.process.stop)
}
