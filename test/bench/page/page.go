// Package page writes the parts that pages of benchmarks have in common: tables,
// figures, and marks to reach.
package page

import (
	"bytes"
	"fmt"
	"strings"
)

// Table writes a table in Markdown. The first column is text, the others are
// numbers.
func Table(b *bytes.Buffer, head []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n|---|%s\n", strings.Join(head, " | "), strings.Repeat("---:|", len(head)-1))

	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}

	b.WriteString("\n")
}

// Figure is a number with three digits that count.
func Figure(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.3f", v)
	}
}

// A Mark is something to reach.
type Mark struct {
	What string
	Got  float64
	Unit string

	// Mark and Goal bound Got: from above, or from below if More is better.
	Mark, Goal float64
	More       bool
}

// Marks writes a table of marks, and how far each was reached.
func Marks(b *bytes.Buffer, marks []Mark) {
	rows := [][]string{}
	for _, m := range marks {
		rows = append(rows, m.row())
	}

	Table(b, []string{"", "measured", "mark", "goal", ""}, rows)
}

func (m Mark) reaches(bound float64) bool {
	if m.More {
		return m.Got >= bound
	}

	return m.Got <= bound
}

func (m Mark) row() []string {
	sign, verdict := "<=", "**missed**"
	if m.More {
		sign = ">="
	}

	bound := func(v float64) string { return fmt.Sprintf("%s %g%s", sign, v, m.Unit) }

	switch {
	case m.reaches(m.Goal):
		verdict = "goal reached"
	case m.reaches(m.Mark):
		verdict = "mark reached"
	}

	return []string{m.What, Figure(m.Got) + m.Unit, bound(m.Mark), bound(m.Goal), verdict}
}
