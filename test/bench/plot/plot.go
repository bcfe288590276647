// Package plot draws curves as SVG. Both axes are logarithmic, so that a straight
// line of slope one is growth in proportion, or both are linear and begin at zero.
package plot

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
)

// A Point is one measurement. Both coordinates must be positive, or zero if the axes
// are linear.
type Point struct{ X, Y float64 }

// A Line is the points of one subject, in the order of X.
type Line struct {
	Name   string
	Points []Point
}

// A Chart is some lines, with a title and the names of the axes.
type Chart struct {
	Title, X, Y string
	Lines       []Line

	// Linear axes are for what happens in time.
	Linear bool
}

// Size of a chart, and the place of the area with the lines in it, in pixels.
const (
	width, height            = 720, 420
	left, right, top, bottom = 70, 590, 40, 365
)

// maxCircles is how many points of a line are drawn one by one.
const maxCircles = 20

// colours tell lines apart also for those who do not see red and green as two.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#777777", "#cc79a7", "#e69f00"}

// An axis maps logarithms, or values themselves, to pixels.
type axis struct {
	linear    bool
	low, high float64 // logarithms unless linear
	from, to  float64 // pixels
}

func (a axis) at(v float64) float64 {
	if !a.linear {
		v = math.Log10(v)
	}

	return a.from + (v-a.low)/(a.high-a.low)*(a.to-a.from)
}

// SVG draws the chart. Equal charts give equal bytes.
func (c Chart) SVG() []byte {
	x, y := c.axes()
	b := &bytes.Buffer{}

	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">`+"\n", width, height)
	fmt.Fprintf(b, `<title>%s</title>`+"\n", html.EscapeString(c.Title))
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	label(b, left, 22, "start", "14", c.Title)
	label(b, (left+right)/2, height-12, "middle", "12", c.X)
	fmt.Fprintf(b, `<text x="16" y="%d" text-anchor="middle" transform="rotate(-90 16 %d)">%s</text>`+"\n", (top+bottom)/2, (top+bottom)/2, html.EscapeString(c.Y))

	for _, v := range ticks(x) {
		line(b, x.at(v), top, x.at(v), bottom)
		label(b, x.at(v), bottom+18, "middle", "12", number(v))
	}

	for _, v := range ticks(y) {
		line(b, left, y.at(v), right, y.at(v))
		label(b, left-8, y.at(v)+4, "end", "12", number(v))
	}

	for i, l := range c.Lines {
		l.draw(b, x, y, colours[i%len(colours)])
	}

	c.legend(b, y)
	b.WriteString("</svg>\n")

	return b.Bytes()
}

// axes span all points.
func (c Chart) axes() (x, y axis) {
	if c.Linear {
		return c.linear()
	}

	x = axis{low: math.Inf(1), high: math.Inf(-1), from: left, to: right}
	y = axis{low: math.Inf(1), high: math.Inf(-1), from: bottom, to: top}

	for _, l := range c.Lines {
		for _, p := range l.Points {
			x.low, x.high = min(x.low, math.Log10(p.X)), max(x.high, math.Log10(p.X))
			y.low, y.high = min(y.low, math.Log10(p.Y)), max(y.high, math.Log10(p.Y))
		}
	}

	const margin = 0.05 // of a decade, so that no point is on the edge
	x.low, x.high = x.low-margin, x.high+margin
	y.low, y.high = y.low-margin, y.high+margin

	return x, y
}

// linear axes begin at zero and end a bit beyond the last point.
func (c Chart) linear() (x, y axis) {
	x = axis{linear: true, from: left, to: right}
	y = axis{linear: true, from: bottom, to: top}

	for _, l := range c.Lines {
		for _, p := range l.Points {
			x.high, y.high = max(x.high, p.X), max(y.high, p.Y)
		}
	}

	const beyond = 1.05
	x.high, y.high = x.high*beyond, y.high*beyond

	return x, y
}

// linearTicks are some five round values on an axis that begins at zero.
func linearTicks(a axis) []float64 {
	const about = 5

	step := math.Pow(10, math.Floor(math.Log10(a.high/about)))
	for _, s := range []float64{5, 2} {
		if a.high/(step*s) >= about-1 {
			step *= s
			break
		}
	}

	var t []float64
	for i := 0; float64(i)*step <= a.high; i++ {
		t = append(t, float64(i)*step)
	}

	return t
}

// ticks are 1, 2 and 5 of each decade on the axis, or 1 alone if that is a lot.
func ticks(a axis) []float64 {
	if a.linear {
		return linearTicks(a)
	}

	steps := []float64{1, 2, 5}
	if a.high-a.low > 3 {
		steps = steps[:1]
	}

	var t []float64

	for decade := math.Floor(a.low); decade <= a.high; decade++ {
		for _, s := range steps {
			if v := s * math.Pow(10, decade); math.Log10(v) >= a.low && math.Log10(v) <= a.high {
				t = append(t, v)
			}
		}
	}

	return t
}

func (l Line) draw(b *bytes.Buffer, x, y axis, colour string) {
	fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)

	for _, p := range l.Points {
		fmt.Fprintf(b, "%.1f,%.1f ", x.at(p.X), y.at(p.Y))
	}

	b.WriteString(`"/>` + "\n")

	// Where there are many points the line shows them.
	if len(l.Points) > maxCircles {
		return
	}

	for _, p := range l.Points {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x.at(p.X), y.at(p.Y), colour)
	}
}

// legend names each line at its end, and moves names apart that would meet.
func (c Chart) legend(b *bytes.Buffer, y axis) {
	type entry struct {
		name, colour string
		y            float64
	}

	var entries []entry

	for i, l := range c.Lines {
		if n := len(l.Points); n > 0 {
			entries = append(entries, entry{l.Name, colours[i%len(colours)], y.at(l.Points[n-1].Y)})
		}
	}

	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.y, b.y) })

	free := math.Inf(-1)
	for _, e := range entries {
		e.y = max(e.y, free)
		free = e.y + 15
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="%s">%s</text>`+"\n", right+10, e.y+4, e.colour, html.EscapeString(e.name))
	}
}

func label(b *bytes.Buffer, x, y float64, anchor, size, text string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%s">%s</text>`+"\n", x, y, anchor, size, html.EscapeString(text))
}

func line(b *bytes.Buffer, x1, y1, x2, y2 float64) {
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", x1, y1, x2, y2)
}

func number(v float64) string {
	const most = 6 // digits, enough for 0.6000000000000001 to be 0.6, and for a million to be 1e+06

	return strconv.FormatFloat(v, 'g', most, 64)
}
