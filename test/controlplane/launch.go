package controlplane

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// A start is a command to start, and where to answer.
type start struct {
	cmd  *exec.Cmd
	done chan error
}

// starter starts processes on one thread that lives as long as this process.
// The kernel delivers a parent-death signal when the *thread* that started the
// child ends, and Go's threads may end before the program does.
var starter = sync.OnceValue(func() chan<- start { //nolint:gochecknoglobals // There is one such thread in a program.
	starts := make(chan start)
	go func() {
		runtime.LockOSThread()
		for s := range starts {
			s.done <- s.cmd.Start()
		}
	}()
	return starts
})

// launch starts the command such that it dies with this process.
func launch(cmd *exec.Cmd) error {
	s := start{cmd: cmd, done: make(chan error, 1)}
	starter() <- s
	return <-s.done
}

// attributes put the process in a group of its own, so that an interrupt typed
// at the terminal reaches only us and the end is an orderly one, and have the
// kernel kill it when we die.
func attributes(uid uint32) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if uid != 0 {
		a.Credential = &syscall.Credential{Uid: uid, Gid: uid}
	}
	return a
}
