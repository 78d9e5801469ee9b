package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestText: corners of the chart hold the ends of the lines, lines that meet are marked, and no line is longer than asked for.
func TestText(t *testing.T) {
	c := &Chart{Title: "rise and fall", X: Axis{Label: "rate (Gbps)", Log: true, Min: 1, Max: 100}, Y: Axis{Label: "speedup", Min: 0, Max: 2},
		Lines: []Line{{Name: "up", X: []float64{1, 100}, Y: []float64{0, 2}}, {Name: "down", X: []float64{1, 100}, Y: []float64{2, 0}},
			{X: []float64{10, 10}, Y: []float64{0, 2}}, {Name: "beyond", X: []float64{0.5, 1000}, Y: []float64{9, 9}}}}
	const width, height = 60, 9
	got := c.Text(width, height)
	lines := strings.Split(got, "\n")
	for _, l := range lines {
		if utf8.RuneCountInString(l) > width {
			t.Errorf("%d characters: %q", utf8.RuneCountInString(l), l)
		}
	}
	if lines[0] != c.Title || lines[1] != c.Y.Label {
		t.Errorf("heading %q", lines[:2])
	}
	plot := lines[2 : 2+height]
	top, middle, bottom := plot[0], plot[height/2], plot[height-1]
	if !strings.HasPrefix(top, "   2.0 |b") || !strings.HasSuffix(top, "a") || !strings.HasPrefix(bottom, "   0.0 |a") || !strings.HasSuffix(bottom, "b") {
		t.Errorf("corners: %q and %q", top, bottom)
	}
	if middle[8+(width-9)/2] != '*' {
		t.Errorf("middle %q", middle)
	}
	if !strings.Contains(top[9:len(top)-1], ".") { // the line without a name
		t.Errorf("no mark in %q", top)
	}
	for _, want := range []string{"1", "10", "100", "rate (Gbps)", "a up; b down; c beyond; * several"} {
		if !strings.Contains(strings.Join(lines[2+height:], "\n"), want) {
			t.Errorf("no %q below: %q", want, lines[2+height:])
		}
	}
	flat := &Chart{X: Axis{}, Lines: []Line{{Name: "flat", X: []float64{1, 2}, Y: []float64{3, 3}}}}
	if s := flat.Text(40, 5); !strings.Contains(s, "a") || strings.Contains(s, "NaN") {
		t.Errorf("a flat line: %q", s)
	}
}

// TestRange: people read both ends, programs the value.
func TestRange(t *testing.T) {
	r := &Result{Schema: "vcsim.test/1", Tables: []Table{{Name: "t", Columns: []Column{{Key: "name"}, {Key: "speedup", Digits: 2}}, Rows: [][]any{{"x", Range{1.224, 1.117}}, {"y", 1.}}}}}
	for f, want := range map[Format]string{Text: "1.12-1.22", Markdown: "1.12-1.22", CSV: "x,1.224\n", JSON: "\"speedup\": 1.224"} {
		var b strings.Builder
		if err := Write(&b, f, r); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%d: %v, %q, want %q in it", f, err, b.String(), want)
		}
	}
}
