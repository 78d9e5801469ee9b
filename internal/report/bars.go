package report

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is a chart of stacked bars.
type Bars struct {
	Title  string
	Y      Axis
	Names  []string // of the bars, from left to right; a newline starts a second line
	Layers []Layer  // from the bottom up
}

// A Layer is a part of each bar: so much for each. Layers differ in colour.
type Layer struct {
	Name   string // in the legend
	Values []float64
	Hue    int // as of a Line
}

// barsRoom is the part of the distance between two bars that a bar takes.
const barsRoom = 0.6

// Save writes the chart to path, whose ending (.png or .svg) selects the format. The file appears whole or not at all.
func (b *Bars) Save(path string) error { return saveChart(path, b.Write) }

// Write draws the chart; format is "png" or "svg".
func (b *Bars) Write(w io.Writer, format string) error {
	p, err := b.plot()
	if err != nil {
		return fmt.Errorf("report: chart %q: %w", b.Title, err)
	}
	return writePlot(w, p, format)
}

func (b *Bars) plot() (*plot.Plot, error) {
	p := newPlot(b.Title)
	top := 0.0
	bottom := make([]float64, len(b.Names))
	if b.Y.Log {
		for i := range bottom {
			bottom[i] = b.Y.Min
		}
	}
	thumbs := make([]plot.Thumbnailer, len(b.Layers))
	for k, l := range b.Layers {
		if len(l.Values) != len(b.Names) || len(b.Names) == 0 {
			return nil, fmt.Errorf("layer %s has %d values for %d bars", l.Name, len(l.Values), len(b.Names))
		}
		hue := k
		if l.Hue > 0 {
			hue = l.Hue - 1
		}
		layer := &layer{fill: palette[hue%len(palette)]}
		for i, v := range l.Values {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("layer %s[%d]: %v cannot be drawn", l.Name, i, v)
			}
			to := bottom[i] + v
			if b.Y.Log && v > 0 {
				to = v
			}
			layer.from, layer.to = append(layer.from, bottom[i]), append(layer.to, to)
			bottom[i] = to
			top = max(top, to)
		}
		p.Add(layer)
		thumbs[k] = layer
	}
	for k := len(b.Layers) - 1; k >= 0; k-- { // as they lie on each other
		if b.Layers[k].Name != "" {
			p.Legend.Add(b.Layers[k].Name, thumbs[k])
		}
	}
	y := b.Y
	if y.Min == 0 && y.Max == 0 {
		y.Max = top * 1.05
	}
	if b.Y.Log && len(b.Layers) > 1 && overlaps(b.Layers) {
		return nil, fmt.Errorf("bars of several layers do not stack on a logarithmic axis")
	}
	if err := y.apply(&p.Y); err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max = -.5-(1-barsRoom)/2, float64(len(b.Names))-.5+(1-barsRoom)/2
	p.X.Tick.Marker = barTicks(b.Names)
	p.X.Tick.Length = 0
	return p, nil
}

// overlaps tells whether a bar has a part of more than one layer.
func overlaps(layers []Layer) bool {
	for i := range layers[0].Values {
		n := 0
		for _, l := range layers {
			if l.Values[i] > 0 {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

// barTicks labels the bars.
type barTicks []string

func (b barTicks) Ticks(_, _ float64) (ticks []plot.Tick) {
	for i, name := range b {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
	}
	return ticks
}

// A layer draws the rectangles of one layer.
type layer struct {
	from, to []float64
	fill     color.Color
}

// Plot draws the rectangles.
func (l *layer) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i := range l.from {
		if l.to[i] > l.from[i] {
			left, right := x(float64(i)-barsRoom/2), x(float64(i)+barsRoom/2)
			low, high := max(c.Min.Y, y(l.from[i])), y(l.to[i])
			c.FillPolygon(l.fill, c.ClipPolygonXY([]vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}))
		}
	}
}

// Thumbnail draws the layer's place in the legend.
func (l *layer) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(l.fill, []vg.Point{{X: c.Min.X + c.Size().X/2, Y: c.Min.Y}, {X: c.Max.X, Y: c.Min.Y}, {X: c.Max.X, Y: c.Max.Y}, {X: c.Min.X + c.Size().X/2, Y: c.Max.Y}})
}

var _ plot.Plotter = (*layer)(nil)
