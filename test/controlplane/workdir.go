package controlplane

import (
	"os"
	"path/filepath"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const (
	workDirPrefix = "echo-controlplane-"
	lockName      = "lock"
)

// A workDir holds what one control plane writes. It is locked for as long as
// the control plane lives.
type workDir struct {
	path string
	lock *os.File
	// temporary directories are removed at the end.
	temporary bool
}

// openWorkDir makes and locks a work directory. A given one that another control
// plane uses is refused. What is left in it from an earlier run is removed,
// because a killed control plane may leave anything.
func openWorkDir(given string) (workDir, error) {
	// Whoever makes or sweeps directories does so alone: between the making and
	// the locking of a directory it looks like a dead one's.
	release, err := exclusive(filepath.Join(locks(), "workdirs"))
	if err != nil {
		return workDir{}, err
	}
	defer release()

	w := workDir{path: given}
	if given == "" {
		sweep(os.TempDir())
		path, err := os.MkdirTemp("", workDirPrefix)
		if err != nil {
			return w, errors.Wrap(err, "cannot make a work directory")
		}
		w.path, w.temporary = path, true
	}

	path, err := filepath.Abs(w.path)
	if err != nil {
		return w, errors.Wrapf(err, "cannot resolve work directory %s", w.path)
	}
	w.path = path
	if err := os.MkdirAll(w.path, 0o700); err != nil {
		return w, errors.Wrap(err, "cannot make the work directory")
	}
	if w.lock, err = tryLock(filepath.Join(w.path, lockName)); err != nil {
		return w, errors.Wrapf(err, "another control plane uses %s", w.path)
	}
	// Functions run as a user of their own, and must reach their directory
	// below this one. What is private has private directories.
	if err := os.Chmod(w.path, 0o711); err != nil {
		return w, errors.Wrap(err, "cannot open the work directory to functions")
	}
	return w, w.layOut()
}

// Directories of a work directory.
const (
	dirEtcd     = "etcd"
	dirPKI      = "pki"
	dirLogs     = "logs"
	dirRegistry = "registry"
	dirTLS      = "tls"
	dirXpkg     = "xpkg"
	dirHome     = "home"
	dirPackages = "packages"
	dirS3       = "s3"
)

func (w workDir) layOut() error {
	for name, mode := range map[string]os.FileMode{
		dirEtcd: 0o700, dirPKI: 0o700, dirLogs: 0o700, dirRegistry: 0o700,
		dirTLS: 0o700, dirXpkg: 0o700, dirHome: 0o700, dirPackages: 0o711, dirS3: 0o700,
	} {
		path := w.join(name)
		if err := os.RemoveAll(path); err != nil {
			return errors.Wrapf(err, "cannot clear %s", path)
		}
		if err := os.Mkdir(path, mode); err != nil {
			return errors.Wrapf(err, "cannot make %s", path)
		}
		// Mkdir's mode is cut down by the umask.
		if err := os.Chmod(path, mode); err != nil {
			return errors.Wrapf(err, "cannot set the mode of %s", path)
		}
	}
	return nil
}

func (w workDir) join(elem ...string) string {
	return filepath.Join(append([]string{w.path}, elem...)...)
}

// close gives the directory up, and removes it if it is temporary.
func (w workDir) close() error {
	var err error
	if w.temporary {
		err = os.RemoveAll(w.path)
	}
	if w.lock != nil {
		_ = w.lock.Close()
	}
	return errors.Wrap(err, "cannot remove the work directory")
}

// sweep removes the temporary work directories whose control plane was killed:
// those whose lock nobody holds.
func sweep(tmp string) {
	found, err := filepath.Glob(filepath.Join(tmp, workDirPrefix+"*", lockName))
	if err != nil {
		return
	}
	for _, path := range found {
		if lock, err := tryLock(path); err == nil {
			_ = os.RemoveAll(filepath.Dir(path))
			_ = lock.Close()
		}
	}
}
