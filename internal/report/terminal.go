package report

import (
	"fmt"
	"math"
	"strings"

	"vcsim/internal/console"
)

// crossed marks a place of a text chart where several lines meet.
const crossed = '*'

// Text draws the chart in characters, of at most width columns and with height rows of plot: each line has a letter, in the order of the
// chart, and '*' stands where lines meet. Lines without a name are drawn with dots.
func (c *Chart) Text(width, height int) string {
	const margin = 8 // of the labels of Y
	across := max(16, width-margin-1)
	height = max(4, height)
	x, y := c.span(&c.X, func(l *Line) []float64 { return l.X }), c.span(&c.Y, func(l *Line) []float64 { return l.Y })
	rows := make([][]rune, height)
	for i := range rows {
		rows[i] = []rune(strings.Repeat(" ", across))
	}
	var legend []string
	letter := 'a'
	for i := range c.Lines {
		l := &c.Lines[i]
		mark := '.'
		if l.Name != "" {
			mark = letter
			legend = append(legend, fmt.Sprintf("%c %s", mark, l.Name))
			letter++
		}
		put := func(u, v float64) {
			if u < 0 || u > 1 || v < 0 || v > 1 || math.IsNaN(u) || math.IsNaN(v) {
				return
			}
			at := &rows[height-1-int(math.Round(v*float64(height-1)))][int(math.Round(u*float64(across-1)))]
			switch {
			case *at == ' ' || *at == '.' || *at == mark:
				*at = mark
			case mark != '.':
				*at = crossed
			}
		}
		for k := range l.X {
			u, v := x.place(l.X[k]), y.place(l.Y[k])
			if k > 0 && !l.Dots { // the straight line to here, a step a column or a row
				u0, v0 := x.place(l.X[k-1]), y.place(l.Y[k-1])
				n := math.Ceil(max(math.Abs(u-u0)*float64(across), math.Abs(v-v0)*float64(height)))
				for s := 1.; s < n; s++ {
					put(u0+(u-u0)*s/n, v0+(v-v0)*s/n)
				}
			}
			put(u, v)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", c.Title, c.Y.Label)
	labels := y.labels(height)
	for i, row := range rows {
		fmt.Fprintf(&b, "%*s |%s\n", margin-2, labels[height-1-i], strings.TrimRight(string(row), " "))
	}
	fmt.Fprintf(&b, "%*s +%s\n", margin-2, "", strings.Repeat("-", across))
	axis := []rune(strings.Repeat(" ", across+margin+2))
	for at, label := range x.labels(across) {
		from := min(margin+at-len(label)/2, len(axis)-len(label))
		if label == "" || from < 0 || strings.TrimSpace(string(axis[max(0, from-1):min(len(axis), from+len(label)+1)])) != "" {
			continue
		}
		copy(axis[from:], []rune(label))
	}
	fmt.Fprintf(&b, "%s\n%*s\n", strings.TrimRight(string(axis), " "), min(width, margin+across/2+len(c.X.Label)/2), c.X.Label)
	b.WriteString(console.Wrap(strings.Join(append(legend, "* several"), "; "), width))
	return b.String()
}

// A span is an axis in characters.
type span struct {
	lo, hi float64
	log    bool
}

// span is the range of an axis: its own, or as far as the lines reach.
func (c *Chart) span(a *Axis, of func(*Line) []float64) span {
	s := span{a.Min, a.Max, a.Log}
	if a.Min != 0 || a.Max != 0 {
		return s
	}
	s.lo, s.hi = math.Inf(1), math.Inf(-1)
	for i := range c.Lines {
		for _, v := range of(&c.Lines[i]) {
			s.lo, s.hi = min(s.lo, v), max(s.hi, v)
		}
	}
	if s.lo == s.hi {
		s.lo, s.hi = s.lo-1, s.hi+1
	}
	return s
}

// place is a value's part of the way along the axis, 0 to 1.
func (s span) place(v float64) float64 {
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// labels are the ticks' by their place among n characters.
func (s span) labels(n int) map[int]string {
	ticks := linearTicks{}.Ticks(s.lo, s.hi)
	if s.log {
		ticks = logTicks{}.Ticks(s.lo, s.hi)
	}
	out := map[int]string{}
	for _, t := range ticks {
		at := int(math.Round(s.place(t.Value) * float64(n-1)))
		if t.Label != "" && out[at] == "" {
			out[at] = t.Label
		}
	}
	return out
}
