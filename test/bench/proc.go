package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// memory is what a process has resident, in MiB.
type memory struct {
	rss  float64
	anon float64 // of that, what is not a file's: the heap, stacks, written data
}

// memory reads smaps_rollup and not status, whose figures are off by up to 32
// pages a processor.
func (p *process) memory() (memory, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.cmd.Process.Pid))
	if err != nil {
		return memory{}, errors.Wrap(err, "cannot read memory")
	}

	m := memory{}

	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}

		kib, _ := strconv.ParseFloat(f[1], 64) // The first line is of another form, and not looked at.

		switch f[0] {
		case "Rss:":
			m.rss = kib / 1024
		case "Anonymous:":
			m.anon = kib / 1024
		}
	}

	return m, nil
}

// cpu is the time that the process has computed so far: the first field of each
// thread's schedstat, which counts nanoseconds where stat counts hundredths of
// a second. A Go process keeps its threads, so none is forgotten.
func (p *process) cpu() (time.Duration, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(files) == 0 {
		return 0, errors.Errorf("cannot find the threads of %s: has it ended? %s", p.name, p.log)
	}

	var total time.Duration

	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return 0, errors.Wrap(err, "cannot read CPU time")
		}

		ns, _, _ := strings.Cut(string(b), " ")

		n, err := strconv.ParseInt(ns, 10, 64)
		if err != nil {
			return 0, errors.Wrap(err, "cannot read CPU time")
		}

		total += time.Duration(n)
	}

	return total, nil
}
