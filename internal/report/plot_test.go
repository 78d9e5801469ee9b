package report

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func chart() *Chart {
	return &Chart{
		Title: "Speedup against link speed",
		X:     Axis{Label: "link (Gbps)", Log: true},
		Y:     Axis{Label: "speedup", Min: 0, Max: 6},
		Lines: []Line{
			{Name: "ideal", X: []float64{0.05, 1, 10, 100}, Y: []float64{5, 4, 2, 1}},
			{Name: "t265", X: []float64{0.05, 1, 10, 100}, Y: []float64{5, 3.9, 1.8, 1}},
			{Name: "measured", X: []float64{1, 10}, Y: []float64{3, 2}, Dots: true},
		},
	}
}

func TestChartSave(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.svg", "b.svg", "a.png", "b.png"} {
		if err := chart().Save(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	svg := read("a.svg")
	for _, want := range []string{"Speedup against link speed", "link (Gbps)", ">ideal<", ">measured<", ">0.1<", ">100<", "#E69F00"} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("svg: no %s", want)
		}
	}
	if !bytes.Equal(svg, read("b.svg")) || !bytes.Equal(read("a.png"), read("b.png")) {
		t.Error("the same chart gives different files")
	}
	img, err := png.Decode(bytes.NewReader(read("a.png")))
	if err != nil {
		t.Fatal(err)
	}
	if s := img.Bounds().Size(); s.X < 700 || s.Y < 450 {
		t.Errorf("png: got %v pixels, want at least 700x450", s)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestChartErrors(t *testing.T) {
	tests := []struct {
		change func(*Chart)
		want   string
	}{
		{func(c *Chart) { c.Lines[1].X[0] = 0 }, "line t265 x[0]: 0 cannot be drawn"},
		{func(c *Chart) { c.Lines[0].Y[3] = math.NaN() }, "line ideal y[3]: NaN cannot be drawn"},
		{func(c *Chart) { c.Lines[0].Y = nil }, "line ideal has 4 and 0 coordinates"},
		{func(c *Chart) { c.X.Max = 5 }, "axis link (Gbps): 0 cannot be drawn"},
		{func(c *Chart) { c.Y.Min = 7 }, "axis speedup: from 7 to 6"},
		{func(c *Chart) { c.Lines = nil }, "cannot be drawn"},
	}
	for i, tt := range tests {
		c := chart()
		tt.change(c)
		var b bytes.Buffer
		if err := c.Write(&b, "svg"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%d: got %v, want %q", i, err, tt.want)
		}
	}
	if err := chart().Save("a.gif"); err == nil {
		t.Error("a.gif: got no error")
	}
}

func TestLogTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		want   string
	}{
		{0.05, 5000, "0.1 1 10 100 1000"},
		{0.05, 5, "0.05 0.1 0.2 0.5 1 2 5"},
		{1, 10, "1 2 5 10"},
		{1e-3, 1, "0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1"},
	}
	for _, tt := range tests {
		var labels []string
		for _, tick := range (logTicks{}).Ticks(tt.lo, tt.hi) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != tt.want {
			t.Errorf("%v to %v: got %s, want %s", tt.lo, tt.hi, got, tt.want)
		}
	}
}

func TestLinearTicks(t *testing.T) {
	tests := []struct {
		lo, hi float64
		want   string
	}{
		{0, 5, "0 1 2 3 4 5"},
		{0, 6, "0 1 2 3 4 5 6"},
		{0.95, 1.25, "0.95 1.00 1.05 1.10 1.15 1.20 1.25"},
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-3, 3, "-3 -2 -1 0 1 2 3"},
		{0, 17, "0 2 4 6 8 10 12 14 16"},
		{0, 12000, "0 2000 4000 6000 8000 10000 12000"},
		{0.013, 0.0139, "0.0130 0.0131 0.0132 0.0133 0.0134 0.0135 0.0136 0.0137 0.0138 0.0139"},
	}
	for _, tt := range tests {
		var labels []string
		for _, tick := range (linearTicks{}).Ticks(tt.lo, tt.hi) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != tt.want {
			t.Errorf("%v to %v: got %s, want %s", tt.lo, tt.hi, got, tt.want)
		}
	}
}

// TestLegendBeside: nothing of the legend is left of the plot's right end, and lines without a name are not in it.
func TestLegendBeside(t *testing.T) {
	c := chart()
	c.Lines = append(c.Lines, Line{X: []float64{1}, Y: []float64{1}, Dots: true, Hue: 5})
	var b bytes.Buffer
	if err := c.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	var right, left float64 // x of the last tick label, of the first name
	var x float64
	for _, line := range strings.Split(b.String(), "\n") {
		fmt.Sscanf(line, `<text x="%g"`, &x) // the text itself is on the next line
		switch {
		case strings.Contains(line, ">100<"):
			right = x
		case strings.Contains(line, ">ideal<"):
			left = x
		}
	}
	if right == 0 || left <= right {
		t.Errorf("legend at %v, last tick label at %v", left, right)
	}
	if !strings.Contains(b.String(), "#0072B2") {
		t.Error("no line in the fifth colour")
	}
}
