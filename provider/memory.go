package main

import (
	"context"
	"runtime/debug"
	"time"
)

// When memory that is not in use is given back: once the start is over, and now and
// then after that, since work leaves some too.
const (
	firstTrim  = 30 * time.Second
	trimPeriod = time.Minute
)

// trimMemory gives back memory that is not in use, until the context ends.
//
// Three quarters of what an idle provider has resident are pages of its own binary:
// the kernel maps 64 KiB around each byte that is touched, and the initialisation of
// Kubernetes' packages touches nearly all of them once. What is needed again comes
// back from the page cache, a few hundred faults each time. With the collection of
// garbage before it this takes some 20 ms of a processor in a minute.
func trimMemory(ctx context.Context) {
	for wait := firstTrim; ; wait = trimPeriod {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
			debug.FreeOSMemory()
			releaseBinary()
		}
	}
}
