package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSVG(t *testing.T) {
	c := Chart{Title: "a < b", X: "x & y", Y: "ms", Lines: []Line{
		{Name: "<one>", Points: []Point{{1, 0.5}, {10, 5}, {1000, 500}}},
		{Name: "two", Points: []Point{{1, 500}}},
		{Name: "none"},
	}}
	svg := c.SVG()

	if diff := cmp.Diff(svg, c.SVG()); diff != "" {
		t.Errorf("equal charts should give equal bytes: -first, +next:\n%s", diff)
	}

	elements := map[string]int{}

	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}

		if err != nil {
			t.Fatalf("it should be XML: %v", err)
		}

		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}

	if elements["polyline"] != 3 || elements["circle"] != 4 {
		t.Errorf("want a line for each of 3 and a circle for each of 4 points, got %v", elements)
	}
}

func TestTicks(t *testing.T) {
	cases := map[string]struct {
		reason string
		axis   axis
		want   []float64
	}{
		"OneDecade": {reason: "A short axis has ticks at 1, 2 and 5.", axis: axis{low: -0.05, high: 1.05}, want: []float64{1, 2, 5, 10}},
		"Linear":    {reason: "A linear axis begins at zero.", axis: axis{linear: true, high: 2100}, want: []float64{0, 500, 1000, 1500, 2000}},
		"Short":     {reason: "The steps are round below one, too.", axis: axis{linear: true, high: 0.9}, want: []float64{0, 0.2, 0.4, 0.6000000000000001, 0.8}},
		"Many":      {reason: "A long axis has a tick for each decade.", axis: axis{low: -1.05, high: 3.05}, want: []float64{0.1, 1, 10, 100, 1000}},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, ticks(tc.axis)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
