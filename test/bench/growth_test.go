package main

import (
	"math"
	"testing"

	"my-operator.dev/echo/test/bench/plot"
)

func TestExponent(t *testing.T) {
	cases := map[string]struct {
		reason string
		grow   func(x float64) float64
		want   float64
	}{
		"Constant":   {reason: "What does not grow has exponent 0.", grow: func(float64) float64 { return 3 }, want: 0},
		"Linear":     {reason: "Growth in proportion has exponent 1.", grow: func(x float64) float64 { return 2 * x }, want: 1},
		"Quadratic":  {reason: "Growth by the square has exponent 2.", grow: func(x float64) float64 { return x * x }, want: 2},
		"FixedCosts": {reason: "Fixed costs should not hide how the rest grows.", grow: func(x float64) float64 { return 1 + x*x }, want: 2},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var points []plot.Point
			for _, x := range []float64{1, 3, 10, 30, 100, 300, 1000} {
				points = append(points, plot.Point{X: x, Y: tc.grow(x)})
			}

			if got := exponent(points); math.Abs(got-tc.want) > 0.01 {
				t.Errorf("\n%s\nwant %.2f, got %.2f", tc.reason, tc.want, got)
			}
		})
	}
}

func TestQuantile(t *testing.T) {
	cases := map[string]struct {
		reason string
		values []float64
		q      float64
		want   float64
	}{
		"One":    {reason: "The median of one value is it.", values: []float64{7}, q: 0.5, want: 7},
		"Odd":    {reason: "The median of three values is the middle one, whatever their order.", values: []float64{3, 1, 2}, q: 0.5, want: 2},
		"Even":   {reason: "The median of two values is the lower one.", values: []float64{2, 1}, q: 0.5, want: 1},
		"Almost": {reason: "The 99th percentile of a hundred values leaves out the largest.", values: hundred(), q: 0.99, want: 99},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := quantile(tc.values, tc.q); got != tc.want {
				t.Errorf("\n%s\nwant %g, got %g", tc.reason, tc.want, got)
			}
		})
	}
}

func hundred() []float64 {
	var v []float64
	for i := range 100 {
		v = append(v, float64(i+1))
	}

	return v
}
