// Command provider measures what provider-echo costs with many Buckets, and writes
// docs/benchmarks-provider.md with its plots.
//
// One run starts a real control plane, versitygw behind a proxy that counts calls, and
// the real package; makes Buckets, all of them at once; lets them be polled; and
// deletes them. In the same run the floor is measured: as many resources of a copy of
// the Bucket's CRD with one status write each, and as many S3 buckets with tags, by
// plain clients.
//
// With 2,000 Buckets it takes some eight minutes, and three with -quick, which makes 200. It
// needs Linux (/proc) and the tools that hack/toolbuild makes. Everything is on
// loopback, and nothing is left behind.
//
// The files in the order in which they run: rig.go starts, floor.go, settle.go,
// steady.go and remove.go measure by what counts.go, watch.go and record.go see, and
// the report files write.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"my-operator.dev/echo/test/bench/proc"
	"my-operator.dev/echo/test/controlplane"
)

// A plan says how much to measure, and for how long.
type plan struct {
	buckets int
	rounds  int // of floor, creation and deletion, for medians

	// fresh and idle are how long after its start the provider's memory is read,
	// while nothing happens: before and after it gives back what it needed for the
	// start. Quiet is how long after the last Bucket became Ready it is read.
	fresh, idle, quiet time.Duration

	// poll is the poll interval for the measurement of polls, and polls how many of
	// them each Bucket gets. They are counted from warm after each was seen once, when
	// the provider has given back what it needed for its start, and works as it does
	// from then on.
	poll  time.Duration
	polls int
	warm  time.Duration

	command string // that runs this plan
}

var (
	full  = plan{buckets: 2000, rounds: 1, fresh: 20 * time.Second, idle: 75 * time.Second, quiet: 75 * time.Second, poll: 20 * time.Second, polls: 3, warm: 40 * time.Second, command: "go run ./test/bench/provider"}
	quick = plan{buckets: 200, rounds: 1, fresh: 15 * time.Second, idle: 35 * time.Second, quiet: 65 * time.Second, poll: 10 * time.Second, polls: 2, warm: 35 * time.Second, command: "go run ./test/bench/provider -quick"}
)

// limit is how long a run may take before it gives up.
const limit = 30 * time.Minute

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	q := flag.Bool("quick", false, "make fewer Buckets and wait less; figures are rough")
	n := flag.Int("n", 0, "how many Buckets to make; 0 for the default of 2000, or 200 with -quick")
	rounds := flag.Int("rounds", 1, "how often to measure the floor, creation and deletion, of which the report has medians")
	docs := flag.String("docs", "docs", "folder to write benchmarks-provider.md to")
	dist := flag.String("dist", "", "folder of the packages to measure; built if empty")
	tools := flag.String("tools", os.Getenv(controlplane.ToolsEnv), "folder of the servers and tools, as hack/toolbuild prints it")
	flag.Parse()

	if *tools == "" || *rounds < 1 || *n < 0 {
		return errors.Errorf("set -tools, or %s, to what `go run ./hack/toolbuild` prints; -rounds is at least 1, and -n not below 0", controlplane.ToolsEnv)
	}

	p := full
	if *q {
		p = quick
	}

	if *n > 0 {
		p.buckets, p.command = *n, fmt.Sprintf("%s -n %d", p.command, *n)
	}

	if *rounds > 1 {
		p.rounds, p.command = *rounds, fmt.Sprintf("%s -rounds %d", p.command, *rounds)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	log.SetLogger(log.Log) // What client libraries log is of no interest here.

	r, err := measure(ctx, p, *tools, *dist)
	if err != nil {
		return err
	}

	return r.write(*docs)
}

// results are what one run measures.
type results struct {
	plan      plan
	began     time.Time
	took      time.Duration
	processor string
	version   string

	fresh, idle proc.Memory
	rounds      []round
	steady      *steady
}

// A round is one of floor, creation and deletion.
type round struct {
	floor   *floor
	settled *settled
	removed *removed
}

// measure does the whole run.
func measure(ctx context.Context, p plan, tools, dist string) (res *results, err error) {
	res = &results{plan: p, began: time.Now(), processor: proc.Processor(), version: runtime.Version()}

	r, err := newRig(ctx, tools, dist)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()

	if res.fresh, res.idle, err = r.idle(ctx, p); err != nil {
		return nil, err
	}

	for i := range p.rounds {
		round := round{}
		say("Round %d of %d", i+1, p.rounds)

		if round.floor, err = r.floor(ctx, p.buckets); err != nil {
			return nil, err
		}

		if round.settled, err = r.settle(ctx, p.buckets, p.quiet); err != nil {
			return nil, err
		}

		if i == p.rounds-1 {
			if res.steady, err = r.steady(ctx, p.buckets, p.warm, p.poll, p.polls); err != nil {
				return nil, err
			}
		}

		if round.removed, err = r.remove(ctx, p.buckets); err != nil {
			return nil, err
		}

		res.rounds = append(res.rounds, round)
	}

	res.took = time.Since(res.began)

	return res, nil
}

func say(format string, a ...any) { fmt.Fprintf(os.Stderr, format+"\n", a...) }

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
