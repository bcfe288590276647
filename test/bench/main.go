// Command bench measures function-echo beside servers that bound what a function
// costs, in one run and by turns, and writes docs/benchmarks.md with its plots.
//
// It takes some five minutes, and under one with -quick, whose figures are rough.
// It needs Linux (/proc) and nothing but Go; all servers are on loopback.
//
// The files in the order in which they run: servers.go builds, process.go starts
// and stops, fixtures.go makes the requests, memory.go, load.go and growth.go
// measure, and the report_*.go files write.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

// A plan says how long to measure what.
type plan struct {
	starts  int           // of each server, for the time to the first answer
	settle  time.Duration // from start until memory is read
	idle    time.Duration // for which idle CPU is counted
	rounds  int           // in which each server has one slice of each load
	slice   time.Duration // of load on one server
	growth  time.Duration // of load on one server for one point of a curve
	command string        // that runs this plan
}

var (
	full  = plan{starts: 11, settle: 5 * time.Second, idle: 60 * time.Second, rounds: 5, slice: 800 * time.Millisecond, growth: 500 * time.Millisecond, command: "go run ./test/bench"}
	quick = plan{starts: 5, settle: 3 * time.Second, idle: 8 * time.Second, rounds: 1, slice: 250 * time.Millisecond, growth: 120 * time.Millisecond, command: "go run ./test/bench -quick"}
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	p := full
	q := flag.Bool("quick", false, "measure for less than a minute, roughly")
	docs := flag.String("docs", "docs", "folder to write benchmarks.md to")
	idle := flag.Duration("idle", 0, "how long to count idle CPU; 0 for the default")
	flag.Parse()

	if *q {
		p = quick
	}

	if *idle > 0 {
		p.idle = *idle
	}

	// The client shares the machine with the server, so it had better not
	// collect its own garbage meanwhile.
	debug.SetGCPercent(800)

	r, err := measure(ctx, p)
	if err != nil {
		return err
	}

	return r.write(*docs)
}

// results are what one run measures.
type results struct {
	plan    plan
	began   time.Time
	took    time.Duration
	servers []*measured
	curves  []*curve
	sizes   map[string]int // of requests, by the name of their case
}

// measure does the whole run.
func measure(ctx context.Context, p plan) (*results, error) {
	res := &results{plan: p, began: time.Now(), sizes: map[string]int{}}

	rig, err := newRig(ctx)
	if err != nil {
		return nil, err
	}
	defer rig.close()

	say("Making requests")

	work, err := rig.prepare(ctx, works)
	if err != nil {
		return nil, err
	}

	for _, w := range work {
		res.sizes[w.Name] = len(w.requests[echo])
	}

	for _, s := range servers {
		res.servers = append(res.servers, &measured{server: s, loads: map[loadKey]*load{}})
	}

	if err := rig.measureStarts(ctx, p, res.servers, work); err != nil {
		return nil, err
	}

	if err := rig.measureLoads(ctx, p, res.servers, work); err != nil {
		return nil, err
	}

	if res.curves, err = rig.measureGrowth(ctx, p); err != nil {
		return nil, err
	}

	res.took = time.Since(res.began)

	return res, nil
}

func say(format string, a ...any) { fmt.Fprintf(os.Stderr, format+"\n", a...) }
