package report

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func bars() *Bars {
	return &Bars{Title: "area", Y: Axis{Label: "area (mm2)"}, Names: []string{"encoder\n0.06 mm2", "decoder"},
		Layers: []Layer{{Name: "lanes", Values: []float64{3, 1}, Hue: 5}, {Name: "memories", Values: []float64{1, 2}, Hue: 6}}}
}

// heights finds the bars of a colour: how high they are in the picture, and where they start.
func heights(t *testing.T, svg, colour string) (high, low []float64) {
	t.Helper()
	for _, path := range regexp.MustCompile(`<path d="([^"]*)"\s+style="fill:`+colour).FindAllStringSubmatch(svg, -1) {
		y := []float64{}
		for _, p := range regexp.MustCompile(`[ML]([\d.]+),([\d.]+)`).FindAllStringSubmatch(path[1], -1) {
			v, err := strconv.ParseFloat(p[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			y = append(y, v)
		}
		if len(y) >= 4 {
			high, low = append(high, max(y[0], y[2])-min(y[0], y[2])), append(low, min(y[0], y[2]))
		}
	}
	return high, low
}

// TestBars: parts are as high as their values, and lie on each other.
func TestBars(t *testing.T) {
	for _, log := range []bool{false, true} {
		b := bars()
		want := [2][]float64{{3, 1}, {1, 2}}
		if log { // one part a bar
			b.Y = Axis{Label: "area (mm2)", Log: true, Min: 0.1, Max: 100}
			b.Layers[0].Values, b.Layers[1].Values = []float64{10, 0}, []float64{0, 1}
			want = [2][]float64{{2}, {1}} // decades above the axis
		}
		var w bytes.Buffer
		if err := b.Write(&w, "svg"); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(w.Bytes(), new(struct{})); err != nil {
			t.Fatal(err)
		}
		lanes, lanesAt := heights(t, w.String(), "#0072B2")
		memories, memoriesAt := heights(t, w.String(), "#D55E00")
		n := len(want[0])
		if len(lanes) < n || len(memories) < n {
			t.Fatalf("%d and %d bars, want %d: %s", len(lanes), len(memories), n, w.String())
		}
		unit := lanes[0] / want[0][0]
		for i := range n {
			if math.Abs(lanes[i]-unit*want[0][i]) > .1 || math.Abs(memories[i]-unit*want[1][i]) > .1 {
				t.Errorf("log %v: bar %d is %g and %g high", log, i, lanes[i], memories[i])
			}
			if !log && math.Abs(lanesAt[i]+lanes[i]-memoriesAt[i]) > .1 {
				t.Errorf("bar %d: the second part starts at %g, the first ends at %g", i, memoriesAt[i], lanesAt[i]+lanes[i])
			}
		}
		for _, text := range []string{">encoder<", ">0.06 mm2<", ">lanes<", ">memories<", ">area (mm2)<"} {
			if !strings.Contains(w.String(), text) {
				t.Errorf("no %s in the picture", text)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "a.png")
	if err := bars().Save(path); err != nil {
		t.Fatal(err)
	}
	var w bytes.Buffer
	if err := bars().Write(&w, "png"); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&w); err != nil {
		t.Error(err)
	}
}

func TestBarsErrors(t *testing.T) {
	for _, tt := range []struct {
		change func(*Bars)
		want   string
	}{
		{func(b *Bars) { b.Layers[0].Values[1] = -1 }, "layer lanes[1]: -1 cannot be drawn"},
		{func(b *Bars) { b.Layers[1].Values[0] = math.NaN() }, "layer memories[0]: NaN cannot be drawn"},
		{func(b *Bars) { b.Layers[1].Values = nil }, "layer memories has 0 values for 2 bars"},
		{func(b *Bars) { b.Y = Axis{Log: true, Min: .1, Max: 10} }, "do not stack"},
	} {
		b := bars()
		tt.change(b)
		if err := b.Write(new(bytes.Buffer), "svg"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	if err := bars().Save("a.pdf"); err == nil || !strings.Contains(err.Error(), ".png or .svg") {
		t.Error(err)
	}
}
