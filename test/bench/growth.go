package main

import (
	"context"
	"fmt"
	"math"

	"my-operator.dev/echo/test/bench/fixture"
	"my-operator.dev/echo/test/bench/plot"
)

// grown are the servers whose growth is drawn.
var grown = []string{echo, sdk, nullproto, "null"}

// A curve is how the time of a call grows with one thing.
type curve struct {
	file  string
	title string
	x     string
	// lines are the points of each server in grown: x, and milliseconds.
	lines map[string][]plot.Point
}

// A step is one point of a curve: a work, at an x, for so many callers.
type step struct {
	fixture.Case

	x       func(*work) float64
	callers int
}

// measureGrowth draws three curves: over Pods, over bytes, over callers.
func (r *rig) measureGrowth(ctx context.Context, plan plan) ([]*curve, error) {
	curves, steps := growthSteps()

	var cases []fixture.Case
	for _, s := range steps {
		for _, s := range s {
			cases = append(cases, s.Case)
		}
	}

	say("Making requests that grow")

	works, err := r.prepare(ctx, cases)
	if err != nil {
		return nil, err
	}

	which := make([]server, 0, len(grown))
	for _, name := range grown {
		which = append(which, serverNamed(name))
	}

	processes, stop, err := r.startAll(ctx, which)
	if err != nil {
		return nil, err
	}
	defer stop()

	for i, c := range curves {
		say("Growth: %s", c.title)

		for _, s := range steps[i] {
			w := works[0]
			works = works[1:]

			for _, p := range processes {
				got, err := p.load(ctx, w, s.callers, plan.growth)
				if err != nil {
					return nil, err
				}

				c.lines[p.name] = append(c.lines[p.name], plot.Point{X: s.x(w), Y: got.p50.Seconds() * 1000})
			}
		}
	}

	return curves, nil
}

func growthSteps() ([]*curve, [][]step) {
	pods := &curve{file: "growth-pods.svg", title: "Pods of the Echo, one caller", x: "Pods", lines: map[string][]plot.Point{}}
	bytes := &curve{file: "growth-bytes.svg", title: "Size of the request (3 Pods and another function's resource), one caller", x: "KiB", lines: map[string][]plot.Point{}}
	calls := &curve{file: "growth-callers.svg", title: "Callers at the same time, 3 Pods", x: "callers", lines: map[string][]plot.Point{}}

	var byPods, byBytes, byCallers []step

	for _, n := range []int{1, 3, 10, 30, 100, 300, 1000} {
		byPods = append(byPods, step{fixture.Pods(fmt.Sprintf("pods-%d", n), n), func(*work) float64 { return float64(n) }, 1})
	}

	for _, kib := range []int{0, 64, 256, 1024, 2048, 4096} {
		byBytes = append(byBytes, step{
			fixture.Beside(fmt.Sprintf("bytes-%d", kib), fixture.Pods("", 3), kib<<10),
			func(w *work) float64 { return float64(len(w.requests[echo])) / 1024 }, 1,
		})
	}

	for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
		byCallers = append(byCallers, step{fixture.Pods("callers", 3), func(*work) float64 { return float64(n) }, n})
	}

	return []*curve{pods, bytes, calls}, [][]step{byPods, byBytes, byCallers}
}

// exponent is the k of y = c * x^k that fits the upper half of the points best, by
// least squares of logarithms. The lower half is where fixed costs, which do not
// grow, would make the growth look smaller than it is.
func exponent(points []plot.Point) float64 {
	points = points[len(points)/2:]

	var n, sx, sy, sxx, sxy float64

	for _, p := range points {
		x, y := math.Log(p.X), math.Log(p.Y)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}

	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
