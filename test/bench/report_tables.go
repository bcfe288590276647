package main

import (
	"bytes"
	"fmt"
)

// A mark is something to reach.
type mark struct {
	what string
	got  float64
	unit string
	// mark and goal bound got: from above, or from below if more is better.
	mark, goal float64
	more       bool
}

func (m mark) reaches(bound float64) bool {
	if m.more {
		return m.got >= bound
	}

	return m.got <= bound
}

func (m mark) row() []string {
	sign, verdict := "<=", "**missed**"
	if m.more {
		sign = ">="
	}

	bound := func(v float64) string { return fmt.Sprintf("%s %g%s", sign, v, m.unit) }

	switch {
	case m.reaches(m.goal):
		verdict = "goal reached"
	case m.reaches(m.mark):
		verdict = "mark reached"
	}

	return []string{m.what, figure(m.got) + m.unit, bound(m.mark), bound(m.goal), verdict}
}

// marks writes what is to be reached, and what is.
func (r *results) marks(b *bytes.Buffer) {
	e, n := r.of(echo), r.of(nullproto)
	p50 := func(work string) float64 {
		k := loadKey{work, 1}
		return millis(e.loads[k].p50) / millis(n.loads[k].p50)
	}
	c8 := loadKey{"C", 8}
	// Patch-and-transform's rate was so much of that of nullproto in its run.
	rate := e.loads[c8].rate / n.loads[c8].rate / (patchAndTransform.cRate / peerFloor.cRate)

	b.WriteString("## Marks\n\n")
	b.WriteString("function-echo in full (mutual TLS, metrics and health on) beside `nullproto` without TLS, which handicaps us.\n\n")

	rows := [][]string{}

	for _, m := range []mark{
		{what: "idle resident memory", got: e.fresh.rss, unit: " MiB", mark: 12, goal: 10},
		{what: "resident memory after the whole load", got: e.loaded.rss, unit: " MiB", mark: 40, goal: 25},
		{what: "A: p50 / `nullproto`", got: p50("A"), mark: 1, goal: 0.5},
		{what: "C: p50 / `nullproto`", got: p50("C"), mark: 0.5, goal: 0.15},
		{what: "C: calls/s of 8 callers / function-patch-and-transform [^1]", got: rate, unit: "x", mark: 10, goal: 40, more: true},
		{what: "start to first answer", got: millis(e.start), unit: " ms", mark: 20, goal: 10},
		{what: "idle CPU, share of a core", got: e.idle, unit: " %", mark: 0.1, goal: 0.1},
	} {
		rows = append(rows, m.row())
	}

	table(b, []string{"", "measured", "mark", "goal", ""}, rows)
	fmt.Fprintf(b, "[^1]: By way of `nullproto`: (ours / `nullproto` in this run) / (theirs / `nullproto` on %s, %g / %g).\n\n", peersDate, patchAndTransform.cRate, peerFloor.cRate)
}

// figures writes all that was measured.
func (r *results) figures(b *bytes.Buffer) {
	b.WriteString("## Figures\n\n")
	fmt.Fprintf(b, "Memory is resident, in MiB, and in brackets what of it is anonymous (not a file's). Idle: %s after the start, before any call. "+
		"Start is the median of %d starts until a first answer is there, handshake included. Idle CPU was counted for %s.\n\n",
		r.plan.settle, r.plan.starts, r.plan.idle)

	rows := [][]string{}
	for _, m := range r.servers {
		rows = append(rows, []string{
			m.name, m.fresh.String(), m.first.String(), m.loaded.String(),
			fmt.Sprintf("%.1f", millis(m.start)), fmt.Sprintf("%.3f", m.idle),
		})
	}

	table(b, []string{"server", "idle", "after one call", "after the whole load", "start, ms", "idle CPU, %"}, rows)

	for _, w := range works {
		fmt.Fprintf(b, "### %s: %s\n\n", w.Name, w.What)

		rows := [][]string{}

		for _, m := range r.servers {
			row := []string{m.name}

			for _, c := range callers {
				l := m.loads[loadKey{w.Name, c}]
				row = append(row, figure(millis(l.p50)), figure(millis(l.p99)), figure(l.rate), figure(millis(l.cpu)))
			}

			rows = append(rows, row)
		}

		table(b, []string{
			"server", "1 caller: p50 ms", "p99 ms", "calls/s", "CPU ms/call", "8 callers: p50 ms", "p99 ms", "calls/s", "CPU ms/call",
		}, rows)
	}
}

func (m memory) String() string { return fmt.Sprintf("%.1f (%.1f)", m.rss, m.anon) }

// ratios puts our figures beside those of others, each in relation to the
// nullproto of its own run.
func (r *results) ratios(b *bytes.Buffer) {
	b.WriteString("## Beside published functions\n\n")
	fmt.Fprintf(b, "Ratios to `nullproto` in the same run; memory and start are absolute. The rows with a date were **measured in another run**, "+
		"on another machine of two cores on %s with Go 1.26 and function-sdk-go v0.7.1, without TLS, at works of the same kind and size.\n\n", peersDate)

	n := r.of(nullproto)
	rows := [][]string{}

	for _, m := range r.servers {
		row := []string{m.name}

		for _, w := range []string{"A", "B", "C"} {
			one := loadKey{w, 1}
			row = append(row, figure(millis(m.loads[one].p50)/millis(n.loads[one].p50)))

			if eight := (loadKey{w, 8}); w != "B" {
				row = append(row,
					figure(m.loads[eight].rate/n.loads[eight].rate),
					figure(millis(m.loads[eight].cpu)/millis(n.loads[eight].cpu)))
			}
		}

		rows = append(rows, append(row, fmt.Sprintf("%.1f", m.fresh.rss), fmt.Sprintf("%.1f", m.loaded.rss), fmt.Sprintf("%.0f", millis(m.start))))
	}

	for _, p := range peers {
		rows = append(rows, p.row())
	}

	table(b, []string{
		"", "A p50", "A calls/s", "A CPU", "B p50", "C p50", "C calls/s", "C CPU", "idle MiB", "loaded MiB", "start ms",
	}, rows)

	e, s := r.of(echo), r.of(sdk)
	one, eight := loadKey{"C", 1}, loadKey{"C", 8}
	fmt.Fprintf(b, "Beside `sdk` in this run, at 100 Pods: function-echo with TLS answers in %s of the time, %s times as often with eight callers, for %s of the CPU.\n\n",
		figure(millis(e.loads[one].p50)/millis(s.loads[one].p50)),
		figure(e.loads[eight].rate/s.loads[eight].rate),
		figure(millis(e.loads[eight].cpu)/millis(s.loads[eight].cpu)))
}

func (p peer) row() []string {
	name := p.name
	if p.commit != "" {
		name += " " + p.commit
	}

	name += ", " + peersDate
	if p.explanation != "" {
		name += " (" + p.explanation + ")"
	}

	start := ""
	if p.start > 0 {
		start = fmt.Sprintf("%.0f", p.start)
	}

	f := peerFloor

	return []string{
		name,
		figure(p.aP50 / f.aP50), figure(p.aRate / f.aRate), figure(p.aCPU / f.aCPU),
		figure(p.bP50 / f.bP50),
		figure(p.cP50 / f.cP50), figure(p.cRate / f.cRate), figure(p.cCPU / f.cCPU),
		fmt.Sprintf("%.1f", p.idle), fmt.Sprintf("%.1f", p.loaded), start,
	}
}
