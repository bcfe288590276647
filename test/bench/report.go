package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/test/bench/page"
	"my-operator.dev/echo/test/bench/plot"
	"my-operator.dev/echo/test/bench/proc"
)

// plots is the folder of the plots, below that of the report.
const plots = "benchmarks"

// write writes benchmarks.md and its plots into the folder.
func (r *results) write(folder string) error {
	if err := os.MkdirAll(filepath.Join(folder, plots), 0o755); err != nil {
		return errors.Wrap(err, "cannot make the folder for plots")
	}

	for _, c := range r.curves {
		if err := os.WriteFile(filepath.Join(folder, plots, c.file), c.chart().SVG(), 0o644); err != nil {
			return errors.Wrap(err, "cannot write a plot")
		}
	}

	b := &bytes.Buffer{}
	r.head(b)
	r.marks(b)
	r.figures(b)
	r.ratios(b)
	r.growth(b)

	return errors.Wrap(os.WriteFile(filepath.Join(folder, "benchmarks.md"), b.Bytes(), 0o644), "cannot write the report")
}

func (c *curve) chart() plot.Chart {
	chart := plot.Chart{Title: c.title, X: c.x, Y: "median time of a call, ms"}
	for _, name := range grown {
		chart.Lines = append(chart.Lines, plot.Line{Name: name, Points: c.lines[name]})
	}

	return chart
}

func (r *results) of(name string) *measured {
	return r.servers[slices.IndexFunc(r.servers, func(m *measured) bool { return m.name == name })]
}

func (r *results) head(b *bytes.Buffer) {
	b.WriteString("# Benchmarks of function-echo\n\nThose of the provider, with 2,000 Buckets, are on [a page of their own](benchmarks-provider.md).\n\n")
	fmt.Fprintf(b, "`%s` wrote this page on %s, in %s, with %s on %d cores (%s), %s/%s. Run it again for figures of your own machine.\n\n",
		r.plan.command, r.began.UTC().Format(time.DateOnly), r.took.Round(time.Second), runtime.Version(), runtime.NumCPU(), proc.Processor(), runtime.GOOS, runtime.GOARCH)
	b.WriteString("All servers run at the same time and are loaded by turns, one slice after the other, by a client on the same machine " +
		"that sends and takes bytes. Figures are medians over the rounds; p50 and p99 are of single calls. " +
		"Ratios travel between machines, times do not.\n\n")
	b.WriteString("The work, each a settled Echo with everything observed as an API server returns it, managed fields and all:\n\n")

	rows := [][]string{}
	for _, w := range works {
		rows = append(rows, []string{w.Name, w.What, strconv.Itoa(r.sizes[w.Name])})
	}

	page.Table(b, []string{"work", "Echo", "bytes of the request"}, rows)
	b.WriteString("The servers:\n\n")

	for _, s := range servers {
		fmt.Fprintf(b, "- **%s** %s\n", s.name, s.what)
	}

	b.WriteString("\n")
}

// growth writes what the curves show.
func (r *results) growth(b *bytes.Buffer) {
	b.WriteString("## How cost grows\n\n")
	b.WriteString("Both axes are logarithmic. The exponent is the k of *time = c · x^k* that fits the upper half of the points: " +
		"1 is growth in proportion, less is better, and up to 1.1 is within what a busy machine adds.\n\n")

	for _, c := range r.curves {
		fmt.Fprintf(b, "![%s](%s/%s)\n\n", c.title, plots, c.file)

		head := []string{"median ms at " + c.x}
		for _, p := range c.lines[echo] {
			head = append(head, page.Figure(p.X))
		}

		rows := [][]string{}

		for _, name := range grown {
			row := []string{name}
			for _, p := range c.lines[name] {
				row = append(row, page.Figure(p.Y))
			}

			rows = append(rows, append(row, fmt.Sprintf("%.2f", exponent(c.lines[name]))))
		}

		page.Table(b, append(head, "exponent"), rows)
	}
}

func millis(d time.Duration) float64 { return d.Seconds() * 1000 }
