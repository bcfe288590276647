package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseBinary unmaps the pages of the binary's code and constants. That is safe
// for mappings of a file that nobody has written to, as Anonymous: 0 says, since
// their contents are in the file. Where that cannot be told nothing is done.
func releaseBinary() {
	self, err := os.Executable()
	if err != nil {
		return
	}

	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer f.Close() //nolint:errcheck // It is only read.

	addresses := ""

	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())

		switch {
		case len(fields) >= 5 && !strings.HasSuffix(fields[0], ":"):
			addresses = ""
			if len(fields) == 6 && fields[5] == self && fields[1][1] == '-' {
				addresses = fields[0]
			}
		case len(fields) == 3 && fields[0] == "Anonymous:" && fields[1] == "0":
			release(addresses)
		}
	}
}

// release the pages at a range of addresses such as 00400000-01c21000.
func release(addresses string) {
	from, to, _ := strings.Cut(addresses, "-")

	start, err := strconv.ParseUint(from, 16, 64)
	if err != nil {
		return
	}

	end, err := strconv.ParseUint(to, 16, 64)
	if err != nil || end <= start {
		return
	}

	// If it fails, what there was is still there.
	_, _, _ = syscall.Syscall( //nolint:dogsled // Nothing can be done about a failure.
		syscall.SYS_MADVISE, uintptr(start), uintptr(end-start), syscall.MADV_DONTNEED)
}
