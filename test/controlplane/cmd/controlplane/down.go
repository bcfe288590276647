package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// downTimeout is how long an orderly end may take: a few stages of a few seconds
// each.
const downTimeout = time.Minute

// record locks the file that names this process as the holder of the control
// plane. The lock, not the number in the file, says whether it lives: a number
// may be another process's by now.
func (c command) record() (release func(), err error) {
	f, err := os.OpenFile(c.file("pid"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Wrap(err, "cannot open the record of the control plane")
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, errors.Wrap(err, "a control plane is up already: take it down first")
	}
	if err := errors.Join(f.Truncate(0), writePID(f)); err != nil {
		_ = f.Close()
		return nil, errors.Wrap(err, "cannot record the control plane")
	}
	return func() { _ = f.Close() }, nil
}

func writePID(f *os.File) error {
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err //nolint:wrapcheck // The caller says what failed.
}

// holder returns the process that holds the control plane, if one does.
func (c command) holder() (pid int, ok bool) {
	f, err := os.Open(c.file("pid"))
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return 0, false
	}
	content, err := os.ReadFile(f.Name())
	if err != nil {
		return 0, false
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(content)))
	return pid, err == nil
}

// down stops the control plane, and returns when it is gone. That none is up is
// fine.
func (c command) down(ctx context.Context) error {
	pid, ok := c.holder()
	if !ok {
		fmt.Fprintln(os.Stderr, "no control plane is up")
		return nil
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return errors.Wrapf(err, "cannot stop process %d", pid)
	}
	ctx, cancel := context.WithTimeout(ctx, downTimeout)
	defer cancel()
	for {
		if _, ok := c.holder(); !ok {
			fmt.Fprintln(os.Stderr, "the control plane is down")
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Errorf("process %d did not end within %s", pid, downTimeout)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
