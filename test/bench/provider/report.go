package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/test/bench/plot"
)

// plots is the folder of the plots, below that of the report.
const plots = "benchmarks"

// write writes benchmarks-provider.md and its plots into the folder.
func (r *results) write(folder string) error {
	if err := os.MkdirAll(filepath.Join(folder, plots), 0o755); err != nil {
		return errors.Wrap(err, "cannot make the folder for plots")
	}

	last := r.rounds[len(r.rounds)-1]
	ready := plot.Chart{Title: fmt.Sprintf("%d Buckets, made at once", r.plan.buckets), X: "seconds", Y: "how many", Linear: true, Lines: []plot.Line{
		{Name: "Buckets Ready", Points: last.settled.curve},
		{Name: "the floor", Points: last.floor.curve},
	}}
	memory := plot.Chart{Title: fmt.Sprintf("The provider while %d Buckets become Ready", r.plan.buckets), X: "seconds", Y: "MiB resident", Linear: true, Lines: []plot.Line{
		{Name: "provider-echo", Points: last.settled.memory},
	}}

	for name, chart := range map[string]plot.Chart{"provider-ready.svg": ready, "provider-memory.svg": memory} {
		if err := os.WriteFile(filepath.Join(folder, plots, name), chart.SVG(), 0o644); err != nil {
			return errors.Wrap(err, "cannot write a plot")
		}
	}

	b := &bytes.Buffer{}
	r.head(b)
	r.marks(b)
	r.peers(b)
	r.figures(b)
	r.requests(b)

	return errors.Wrap(os.WriteFile(filepath.Join(folder, "benchmarks-provider.md"), b.Bytes(), 0o644), "cannot write the report")
}

func (r *results) head(b *bytes.Buffer) {
	rounds := "One round: a sample, no median."
	if n := len(r.rounds); n > 1 {
		rounds = fmt.Sprintf("Times are medians of %d rounds; all else is of the last one.", n)
	}

	b.WriteString("# Benchmarks of provider-echo\n\n")
	fmt.Fprintf(b, "`%s` wrote this page on %s, in %s, with %s on %d cores (%s), %s/%s. Run it again for figures of your own machine.\n\n",
		r.plan.command, r.began.UTC().Format(time.DateOnly), r.took.Round(time.Second), r.version, runtime.NumCPU(), r.processor, runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(b, "The package provider-echo, installed by Crossplane on a real control plane with the runtime config of `package/install`, "+
		"and %d plain Buckets (no sub-resource declared) on versitygw behind a proxy that counts calls. "+
		"API server, etcd, S3 server, provider and the clients that make the load share the machine. %s\n\n", r.plan.buckets, rounds)
	fmt.Fprintf(b, "**The floor** is what a plain client takes in the same run for %d resources of a copy of the Bucket's CRD with one status write each, "+
		"%d of them under way at a time, which is also how Buckets are made and deleted. Ratios travel between machines, times do not.\n\n", r.plan.buckets, workers)
}

// of returns the median of what the rounds have of something.
func (r *results) of(what func(round) time.Duration) float64 {
	all := make([]float64, 0, len(r.rounds))
	for _, round := range r.rounds {
		all = append(all, what(round).Seconds())
	}

	return median(all)
}

func (r *results) last() round { return r.rounds[len(r.rounds)-1] }

// ratio is the median of the rounds' ratios of something to the floor.
func (r *results) ratio(what func(round) time.Duration) float64 {
	all := make([]float64, 0, len(r.rounds))
	for _, round := range r.rounds {
		all = append(all, what(round).Seconds()/round.floor.api.Seconds())
	}

	return median(all)
}

// median is the middle of values, the lower one of two. There must be one.
func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[(len(values)-1)/2] }
