package controlplane

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// locks is the directory of the locks that the control planes of one user share.
func locks() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("echo-locks-%d", os.Getuid()))
}

// tryLock locks a file that it makes if need be, or fails at once when another
// process, or another control plane in this one, holds it. The kernel drops the
// lock when its holder dies.
func tryLock(path string) (*os.File, error) {
	return flock(path, syscall.LOCK_EX|syscall.LOCK_NB)
}

// exclusive locks a file, and waits for it.
func exclusive(path string) (release func(), err error) {
	f, err := flock(path, syscall.LOCK_EX)
	if err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

func flock(path string, how int) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, errors.Wrap(err, "cannot make the directory of a lock")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, errors.Wrap(err, "cannot open a lock")
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close()
		return nil, errors.Wrapf(err, "cannot lock %s", path)
	}
	return f, nil
}
