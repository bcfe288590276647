package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"my-operator.dev/echo/test/bench/page"
)

// thousand is the number of observations that processor time is given for.
const thousand = 1000

func tookReady(r round) time.Duration   { return r.settled.took }
func tookMaking(r round) time.Duration  { return r.settled.made }
func tookGone(r round) time.Duration    { return r.removed.took }
func tookFloor(r round) time.Duration   { return r.floor.api }
func tookFloorS3(r round) time.Duration { return r.floor.s3 }

// each is so many for one Bucket.
func (r *results) each(n float64) float64 { return n / float64(r.plan.buckets) }

// callsPerPoll are the calls of S3, to the thousandth: of a poll that is under way when
// the counters are read only the call is counted, or only the end.
func (s *steady) callsPerPoll() float64 {
	calls, _ := s.counts.calls()

	return math.Round(calls/s.counts.reconciles*thousand) / thousand
}

// cpu is the provider's processor time for a thousand polls, in seconds.
func (s *steady) cpu() float64 { return s.counts.cpu.Seconds() / s.counts.reconciles * thousand }

// marks writes what is to be reached, and what is.
func (r *results) marks(b *bytes.Buffer) {
	last, s := r.last(), r.steady
	settling, _ := last.settled.counts.calls()
	_, writes := s.counts.calls()

	b.WriteString("## Marks\n\n")
	page.Marks(b, []page.Mark{
		{What: "idle resident memory [^idle]", Got: r.idle.RSS, Unit: " MiB", Mark: 30, Goal: 20},
		{What: fmt.Sprintf("resident memory at %d Buckets, while they are polled [^polled]", r.plan.buckets), Got: s.middle.RSS, Unit: " MiB", Mark: 80, Goal: 50},
		{What: fmt.Sprintf("%d Buckets all Ready / the floor", r.plan.buckets), Got: r.ratio(tookReady), Unit: "x", Mark: 4, Goal: 2},
		{What: "S3 calls per Bucket to settle", Got: r.each(settling), Mark: 3, Goal: 2},
		{What: "API requests per Bucket to settle", Got: r.each(last.settled.counts.requests()), Mark: 10, Goal: 7},
		{What: "S3 calls per poll of a plain Bucket", Got: s.callsPerPoll(), Mark: 1, Goal: 1},
		{What: "S3 writes per poll", Got: writes / s.counts.reconciles},
		{What: "API writes per poll", Got: s.counts.writes() / s.counts.reconciles},
		{What: "CPU s per 1,000 observations", Got: s.cpu(), Mark: 1.5, Goal: 0.7},
		{What: "left over in the end", Got: float64(last.removed.buckets + last.removed.usages)},
	})
	fmt.Fprintf(b, "[^idle]: %s after its start. The provider gives back to the kernel what it has not needed since its start, the pages of its own binary above all, "+
		"after half a minute and then once in a minute; %s after its start it had %s MiB.\n\n", r.plan.idle, r.plan.fresh, r.fresh)
	fmt.Fprintf(b, "[^polled]: The median over %s with a poll of each Bucket every %s. The highest was %s MiB; %s MiB when nothing happened, and at most %s MiB while the Buckets became Ready.\n\n",
		s.window.Round(time.Second), r.plan.poll, s.peak, last.settled.quiet, last.settled.peak)
}

// peers puts our figures beside those of others.
func (r *results) peers(b *bytes.Buffer) {
	last, s := r.last(), r.steady
	settling, _ := last.settled.counts.calls()

	b.WriteString("## Beside published providers\n\n")
	fmt.Fprintf(b, "The rows with a commit were **measured in another run**, with 2,000 buckets, on another machine of two cores on %s, "+
		"with kube-apiserver 1.35.4, versitygw behind a counting proxy and resources made by client-go, mostly one sample per cell. Ratios are to the floor of the same run, there %g s. "+
		"Memory is resident, in MiB, and in brackets what of it is anonymous.\n\n", peersDate, peersFloor)

	time := func(what func(round) time.Duration) string {
		return fmt.Sprintf("%s s, %.1fx", page.Figure(r.of(what)), r.ratio(what))
	}
	rows := [][]string{{
		fmt.Sprintf("**provider-echo**, %d Buckets", r.plan.buckets), r.idle.String(), time(tookReady), fmt.Sprintf("%.0f", s.middle.RSS),
		page.Figure(r.each(settling)), page.Figure(r.each(last.settled.counts.requests())),
		page.Figure(s.callsPerPoll()), page.Figure(s.cpu()), time(tookGone),
	}}

	for _, p := range peers {
		rows = append(rows, []string{p.name + " " + p.commit, p.idle, p.ready, p.rss, p.s3, p.requests, p.polls, p.cpu, p.deleted})
	}

	page.Table(b, []string{
		"", "idle MiB", "all Ready", "MiB with all", "S3 calls each to settle", "API requests each to settle", "S3 calls per poll", "CPU s per 1,000 observations", "all deleted",
	}, rows)
}

// figures writes all that was measured.
func (r *results) figures(b *bytes.Buffer) {
	last, s := r.last(), r.steady

	b.WriteString("## In time\n\n")
	b.WriteString("![Ready Buckets over time](" + plots + "/provider-ready.svg)\n\n")
	b.WriteString("![Memory over time](" + plots + "/provider-memory.svg)\n\n")

	seconds := func(what string, f func(round) time.Duration) []string {
		return []string{what, page.Figure(r.of(f)), page.Figure(r.ratio(f))}
	}
	page.Table(b, []string{fmt.Sprintf("%d of them", r.plan.buckets), "seconds", "/ the floor"}, [][]string{
		seconds("the floor: resources with one status write each", tookFloor),
		seconds("the floor of S3: buckets with tags, through the same proxy", tookFloorS3),
		seconds("Buckets made in the API", tookMaking),
		seconds("Buckets all Ready", tookReady),
		seconds("Buckets all deleted", tookGone),
	})

	b.WriteString("Memory of the provider in MiB:\n\n")

	rows := [][]string{}
	for _, m := range []struct {
		when string
		rss  float64
		anon float64
	}{
		{fmt.Sprintf("%s after its start", r.plan.fresh), r.fresh.RSS, r.fresh.Anon},
		{fmt.Sprintf("%s after its start", r.plan.idle), r.idle.RSS, r.idle.Anon},
		{"at most while Buckets become Ready", last.settled.peak.RSS, last.settled.peak.Anon},
		{fmt.Sprintf("%s after all are Ready", r.plan.quiet), last.settled.quiet.RSS, last.settled.quiet.Anon},
		{"at most while a new process sees all Buckets for the first time", s.jump.RSS, s.jump.Anon},
		{fmt.Sprintf("median of %s of polls every %s", s.window.Round(time.Second), r.plan.poll), s.middle.RSS, s.middle.Anon},
		{"at most meanwhile", s.peak.RSS, s.peak.Anon},
	} {
		rows = append(rows, []string{m.when, fmt.Sprintf("%.1f", m.rss), fmt.Sprintf("%.1f", m.anon)})
	}

	page.Table(b, []string{"", "resident", "of that anonymous"}, rows)
	fmt.Fprintf(b, "CPU of the provider: %s s until all were Ready, %s s until all were deleted, %s %% of a core for %.0f polls a second. "+
		"A new process has seen all Buckets after %.1f s.\n\n",
		page.Figure(last.settled.counts.cpu.Seconds()), page.Figure(last.removed.counts.cpu.Seconds()),
		page.Figure(100*s.counts.cpu.Seconds()/s.window.Seconds()), s.counts.reconciles/s.window.Seconds(), s.started.Seconds())
}

// requests writes what was asked of the two servers.
func (r *results) requests(b *bytes.Buffer) {
	last, s := r.last(), r.steady

	b.WriteString("## Calls and requests\n\n")
	fmt.Fprintf(b, "S3 calls are counted by the proxy. Requests to the API server are counted twice: by the provider itself, which counts watches and the renewals of its lease too, "+
		"and by the API server, for the provider's own kinds and events, whoever sends them; those of the client that makes and deletes Buckets are taken off, "+
		"those of Kubernetes' garbage collector, which deletes the usages of Buckets that are gone, are not. "+
		"In %s each Bucket was reconciled %.1f times.\n\n", s.window.Round(time.Second), r.each(s.counts.reconciles))

	phases := []counts{last.settled.counts, s.counts, last.removed.counts}
	per := []float64{float64(r.plan.buckets), s.counts.reconciles, float64(r.plan.buckets)}

	rows := [][]string{}
	add := func(who string, of func(counts) map[string]float64) {
		names := map[string]bool{}
		for _, c := range phases {
			for name := range of(c) {
				names[name] = true
			}
		}

		for _, name := range slices.SortedFunc(maps.Keys(names), cmp.Compare[string]) {
			row := []string{who + ": " + name}
			for i, c := range phases {
				row = append(row, fmt.Sprintf("%.0f", of(c)[name]), page.Figure(of(c)[name]/per[i]))
			}

			rows = append(rows, row)
		}
	}

	add("S3", func(c counts) map[string]float64 { return c.s3 })
	add("API, as sent", func(c counts) map[string]float64 { return c.sent })
	add("API, as served", func(c counts) map[string]float64 { return c.api })

	page.Table(b, []string{"", "to settle", "per Bucket", "polls", "per poll", "to delete", "per Bucket"}, rows)
}
