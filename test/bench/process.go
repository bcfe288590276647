package main

import (
	"bytes"
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"my-operator.dev/echo/test/bench/proc"
	"my-operator.dev/echo/test/bench/raw"
)

// startLimit is how long a server may take to start. The slowest takes a tenth of
// a second; a busy machine may take long.
const startLimit = 20 * time.Second

// A process is a running server, and a connection to it that is made by the
// first call.
type process struct {
	server

	began time.Time
	cmd   *exec.Cmd
	conn  *grpc.ClientConn
	log   *bytes.Buffer
}

// start starts a server and waits until it listens.
func (r *rig) start(ctx context.Context, s server) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}

	args := []string{"--address", address}

	if s.metrics {
		metrics, err := freeAddress()
		if err != nil {
			return nil, err
		}

		args = append(args, "--metrics-address", metrics)
	}

	if s.answers {
		args = append(args, "--answers", r.answers())
	}

	creds := insecure.NewCredentials()
	if s.insecure {
		args = append(args, "--insecure")
	} else {
		args = append(args, "--tls-certs-dir", r.certs())
		creds = credentials.NewTLS(r.creds.config)
	}

	p := &process{server: s, log: &bytes.Buffer{}}
	p.cmd = exec.CommandContext(ctx, filepath.Join(r.bin(), s.binary()), args...)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.began = time.Now()

	if err := p.cmd.Start(); err != nil {
		return nil, errors.Wrapf(err, "cannot start %s", s.name)
	}

	if err := p.listens(address); err != nil {
		p.stop()
		return nil, errors.Wrapf(err, "%s does not listen: %s", s.name, p.log)
	}

	p.conn, err = grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(creds),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(raw.Codec{}), grpc.MaxCallRecvMsgSize(raw.MaxMessage)))
	if err != nil {
		p.stop()
		return nil, errors.Wrapf(err, "cannot make a client of %s", s.name)
	}

	return p, nil
}

// listens waits until the process takes connections. It looks four times in a
// millisecond, which bounds how wrong a measured start can be.
func (p *process) listens(address string) error {
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			return c.Close()
		}

		if time.Since(p.began) > startLimit {
			return err
		}

		time.Sleep(250 * time.Microsecond)
	}
}

// stop ends the process and waits for it.
func (p *process) stop() {
	if p.conn != nil {
		_ = p.conn.Close()
	}

	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// memory is what the process has resident.
func (p *process) memory() (proc.Memory, error) { return proc.ReadMemory(p.cmd.Process.Pid) }

// cpu is the time that the process has computed so far.
func (p *process) cpu() (time.Duration, error) {
	t, err := proc.CPU(p.cmd.Process.Pid)
	return t, errors.Wrapf(err, "%s: %s", p.name, p.log)
}

// call has the server answer one request.
func (p *process) call(ctx context.Context, request []byte) ([]byte, error) {
	in, out := raw.Message(request), raw.Message(nil)
	err := p.conn.Invoke(ctx, raw.FullMethod, &in, &out)

	return out, errors.Wrapf(err, "cannot call %s", p.name)
}

// startAll starts a process for each server.
func (r *rig) startAll(ctx context.Context, which []server) ([]*process, func(), error) {
	var all []*process

	stop := func() {
		for _, p := range all {
			p.stop()
		}
	}

	for _, s := range which {
		p, err := r.start(ctx, s)
		if err != nil {
			stop()
			return nil, nil, err
		}

		all = append(all, p)
	}

	return all, stop, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", errors.Wrap(err, "cannot find a free port")
	}

	return l.Addr().String(), l.Close()
}
