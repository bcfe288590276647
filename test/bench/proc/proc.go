// Package proc reads from /proc what a process needs.
package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Memory is what a process has resident, in MiB.
type Memory struct {
	RSS  float64
	Anon float64 // of that, what is not a file's: the heap, stacks, written data
}

func (m Memory) String() string { return fmt.Sprintf("%.1f (%.1f)", m.RSS, m.Anon) }

// ReadMemory reads smaps_rollup and not status, whose figures are off by up to 32
// pages a processor.
func ReadMemory(pid int) (Memory, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return Memory{}, errors.Wrap(err, "cannot read memory")
	}

	m := Memory{}

	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}

		kib, _ := strconv.ParseFloat(f[1], 64) // The first line is of another form, and not looked at.

		switch f[0] {
		case "Rss:":
			m.RSS = kib / 1024
		case "Anonymous:":
			m.Anon = kib / 1024
		}
	}

	return m, nil
}

// CPU is the time that a process has computed so far: the first field of each
// thread's schedstat, which counts nanoseconds where stat counts hundredths of
// a second. A Go process keeps its threads, so none is forgotten.
func CPU(pid int) (time.Duration, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(files) == 0 {
		return 0, errors.Errorf("cannot find the threads of process %d: has it ended?", pid)
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

// Processor is the name of the processor's model.
func Processor() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}

	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}

	return "unknown processor"
}
