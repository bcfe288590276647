package controlplane

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const (
	// grace is what a process gets between SIGTERM and SIGKILL. Nothing here
	// holds state that outlives the control plane.
	grace = 5 * time.Second

	// minBackoff and maxBackoff bound the pause before a process that ended is
	// started again. A kubelet waits 10 s to 5 min; tests have less patience.
	minBackoff = 200 * time.Millisecond
	maxBackoff = 10 * time.Second

	// steady is how long a process must run for its next end to count as the
	// first again.
	steady = 10 * time.Second
)

// A process is a program that is kept running until it is stopped: when it ends
// by itself it is started again, as a kubelet would do.
type process struct {
	name string
	path string
	args []string
	// env is the whole environment of the process.
	env []string
	dir string
	// log receives standard output and error. It is appended to.
	log string
	// uid and gid to run as. Zero leaves them as they are.
	uid uint32
	// healthy says why the process does not serve yet.
	healthy func(ctx context.Context) error

	mu sync.Mutex
	// cmd is the incarnation that runs, or that ran last. Its ended is closed
	// when it is gone.
	cmd   *exec.Cmd
	ended <-chan struct{}
	// exits counts the incarnations that ended without being told to.
	exits int
	// killed says that the last end was of our doing.
	killed bool
	// stopping is closed to make the supervisor end; stopped when it has.
	stopping, stopped chan struct{}
}

// start starts the process and its supervisor. It does not wait for health.
// Starting what runs does nothing.
func (p *process) start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping != nil {
		return nil
	}
	p.exits = 0
	if err := p.spawn(); err != nil {
		return errors.Wrapf(err, "cannot start %s", p.name)
	}
	p.stopping, p.stopped = make(chan struct{}), make(chan struct{})
	go p.supervise(p.ended, p.stopping, p.stopped)
	return nil
}

// spawn starts one incarnation. The caller holds the mutex.
func (p *process) spawn() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return errors.Wrap(err, "cannot open its log")
	}
	defer func() { _ = log.Close() }()

	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, log, log
	cmd.SysProcAttr = attributes(p.uid)
	if err := launch(cmd); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	p.cmd, p.ended = cmd, ended
	return nil
}

func (p *process) supervise(ended <-chan struct{}, stopping <-chan struct{}, stopped chan<- struct{}) {
	defer close(stopped)
	backoff, started := minBackoff, time.Now()
	for {
		select {
		case <-stopping:
			p.end(ended)
			return
		case <-ended:
		}

		if p.wasKilled() || time.Since(started) > steady {
			backoff = minBackoff
		}
		select {
		case <-stopping:
			return
		case <-time.After(backoff):
		}
		backoff, started = min(2*backoff, maxBackoff), time.Now()

		p.mu.Lock()
		p.exits++
		if p.spawn() == nil {
			ended = p.ended
		}
		p.mu.Unlock()
	}
}

// wasKilled returns whether the last end was of our doing, once.
func (p *process) wasKilled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	killed := p.killed
	p.killed = false
	return killed
}

// end tells the current incarnation to end, and makes it after the grace.
func (p *process) end(ended <-chan struct{}) {
	p.signal(syscall.SIGTERM)
	select {
	case <-ended:
	case <-time.After(grace):
		p.signal(syscall.SIGKILL)
		<-ended
	}
}

// signal the process group, so that no child of the process survives it.
func (p *process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return
	}
	select {
	case <-p.ended:
	default:
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}

// stop ends the process, and returns when it is gone. Stopping what does not run
// does nothing.
func (p *process) stop() {
	p.mu.Lock()
	stopping, stopped := p.stopping, p.stopped
	p.stopping = nil
	p.mu.Unlock()
	if stopping != nil {
		close(stopping)
	}
	if stopped != nil {
		<-stopped
	}
}

// pid of the incarnation that runs or ran last.
func (p *process) pid() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

func (p *process) ends() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exits
}

// await returns when the process is healthy. It gives up when ctx does, or when
// the process ended several times meanwhile, with the tail of the log in the
// error.
func (p *process) await(ctx context.Context) error {
	const tooManyEnds = 3
	before := p.ends()
	for {
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		err := p.healthy(attempt)
		cancel()
		if err == nil {
			return nil
		}
		if p.ends()-before >= tooManyEnds {
			return errors.Errorf("%s keeps ending; the tail of %s is:\n%s", p.name, p.log, p.tail())
		}
		select {
		case <-ctx.Done():
			return errors.Wrapf(err, "%s did not become healthy (%s); the tail of %s is:\n%s\nlast answer", p.name, context.Cause(ctx), p.log, p.tail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// tail returns the last lines of the log.
func (p *process) tail() string {
	const lines, window = 20, 16 << 10
	content, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	content = content[max(0, len(content)-window):]
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// kill kills the process, and returns when it is gone. Its supervisor starts it
// again.
func (p *process) kill() {
	p.mu.Lock()
	ended := p.ended
	p.killed = true
	p.mu.Unlock()
	p.signal(syscall.SIGKILL)
	if ended != nil {
		<-ended
	}
}
