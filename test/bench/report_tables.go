package main

import (
	"bytes"
	"fmt"

	"my-operator.dev/echo/test/bench/page"
)

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

	page.Marks(b, []page.Mark{
		{What: "idle resident memory", Got: e.fresh.RSS, Unit: " MiB", Mark: 12, Goal: 10},
		{What: "resident memory after the whole load", Got: e.loaded.RSS, Unit: " MiB", Mark: 40, Goal: 25},
		{What: "A: p50 / `nullproto`", Got: p50("A"), Mark: 1, Goal: 0.5},
		{What: "C: p50 / `nullproto`", Got: p50("C"), Mark: 0.5, Goal: 0.15},
		{What: "C: calls/s of 8 callers / function-patch-and-transform [^1]", Got: rate, Unit: "x", Mark: 10, Goal: 40, More: true},
		{What: "start to first answer", Got: millis(e.start), Unit: " ms", Mark: 20, Goal: 10},
		{What: "idle CPU, share of a core", Got: e.idle, Unit: " %", Mark: 0.1, Goal: 0.1},
	})
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

	page.Table(b, []string{"server", "idle", "after one call", "after the whole load", "start, ms", "idle CPU, %"}, rows)

	for _, w := range works {
		fmt.Fprintf(b, "### %s: %s\n\n", w.Name, w.What)

		rows := [][]string{}

		for _, m := range r.servers {
			row := []string{m.name}

			for _, c := range callers {
				l := m.loads[loadKey{w.Name, c}]
				row = append(row, page.Figure(millis(l.p50)), page.Figure(millis(l.p99)), page.Figure(l.rate), page.Figure(millis(l.cpu)))
			}

			rows = append(rows, row)
		}

		page.Table(b, []string{
			"server", "1 caller: p50 ms", "p99 ms", "calls/s", "CPU ms/call", "8 callers: p50 ms", "p99 ms", "calls/s", "CPU ms/call",
		}, rows)
	}
}

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
			row = append(row, page.Figure(millis(m.loads[one].p50)/millis(n.loads[one].p50)))

			if eight := (loadKey{w, 8}); w != "B" {
				row = append(row,
					page.Figure(m.loads[eight].rate/n.loads[eight].rate),
					page.Figure(millis(m.loads[eight].cpu)/millis(n.loads[eight].cpu)))
			}
		}

		rows = append(rows, append(row, fmt.Sprintf("%.1f", m.fresh.RSS), fmt.Sprintf("%.1f", m.loaded.RSS), fmt.Sprintf("%.0f", millis(m.start))))
	}

	for _, p := range peers {
		rows = append(rows, p.row())
	}

	page.Table(b, []string{
		"", "A p50", "A calls/s", "A CPU", "B p50", "C p50", "C calls/s", "C CPU", "idle MiB", "loaded MiB", "start ms",
	}, rows)

	e, s := r.of(echo), r.of(sdk)
	one, eight := loadKey{"C", 1}, loadKey{"C", 8}
	fmt.Fprintf(b, "Beside `sdk` in this run, at 100 Pods: function-echo with TLS answers in %s of the time, %s times as often with eight callers, for %s of the CPU.\n\n",
		page.Figure(millis(e.loads[one].p50)/millis(s.loads[one].p50)),
		page.Figure(e.loads[eight].rate/s.loads[eight].rate),
		page.Figure(millis(e.loads[eight].cpu)/millis(s.loads[eight].cpu)))
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
		page.Figure(p.aP50 / f.aP50), page.Figure(p.aRate / f.aRate), page.Figure(p.aCPU / f.aCPU),
		page.Figure(p.bP50 / f.bP50),
		page.Figure(p.cP50 / f.cP50), page.Figure(p.cRate / f.cRate), page.Figure(p.cCPU / f.cCPU),
		fmt.Sprintf("%.1f", p.idle), fmt.Sprintf("%.1f", p.loaded), start,
	}
}
