package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"vcsim/internal/atomicfile"
)

// A Chart is a line chart.
type Chart struct {
	Title string
	X, Y  Axis
	Lines []Line
}

// An Axis has a label, with its unit, and a scale.
type Axis struct {
	Label    string
	Log      bool
	Min, Max float64 // both zero: as far as the lines reach
}

// A Line is one curve. Lines differ in colour and in dashes, so that they can be told apart without colour.
type Line struct {
	Name string // in the legend; lines without a name are not in it
	X, Y []float64
	Dots bool // draw the points alone, for measurements

	// Hue and Dash choose colour and dashes, counted from 1, so that lines can share one and differ in the other;
	// 0 takes those of the line's place in the chart.
	Hue, Dash int
}

// palette is Okabe and Ito's set of colours that the colour-blind can tell apart (jfly.uni-koeln.de/color, 2002),
// without its yellow, which is pale on white.
var palette = []color.RGBA{
	{0, 0, 0, 255}, {230, 159, 0, 255}, {86, 180, 233, 255}, {0, 158, 115, 255}, {0, 114, 178, 255}, {213, 94, 0, 255}, {204, 121, 167, 255},
}

var dashes = [][]vg.Length{nil, {8, 3}, {2, 2}, {8, 3, 2, 3}, {14, 4}}

const (
	chartWidth, chartHeight = 24 * vg.Centimeter, 13 * vg.Centimeter
	chartMargin             = 4 * vg.Millimeter
	chartDPI                = 150 // of PNG
	fontSize                = 12
)

// Save writes the chart to path, whose ending (.png or .svg) selects the format. The file appears whole or not at all.
func (c *Chart) Save(path string) error { return saveChart(path, c.Write) }

// saveChart writes what a chart draws, in the format that the ending of path names.
func saveChart(path string, write func(w io.Writer, format string) error) error {
	format := filepath.Ext(path)
	if format != ".png" && format != ".svg" {
		return fmt.Errorf("%s: charts are written as .png or .svg", path)
	}
	var b bytes.Buffer
	if err := write(&b, format[1:]); err != nil {
		return err
	}
	return saveFile(path, b.Bytes())
}

// saveFile writes a file as a whole or not at all.
func saveFile(path string, b []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Write draws the chart; format is "png" or "svg".
func (c *Chart) Write(w io.Writer, format string) error {
	p, err := c.plot()
	if err != nil {
		return fmt.Errorf("report: chart %q: %w", c.Title, err)
	}
	return writePlot(w, p, format)
}

// writePlot draws a plot on white, its legend beside it.
func writePlot(w io.Writer, p *plot.Plot, format string) (err error) {
	var to vg.CanvasWriterTo
	if format == "png" {
		to = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(chartWidth, chartHeight), vgimg.UseDPI(chartDPI))}
	} else if to, err = draw.NewFormattedCanvas(chartWidth, chartHeight, format); err != nil {
		return err
	}
	// The legend stands beside the plot, so that it never covers a line.
	all := draw.New(to)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	all = draw.Crop(all, chartMargin, -chartMargin, chartMargin, -chartMargin)
	legend := p.Legend
	p.Legend = plot.NewLegend()
	width := legend.Rectangle(all).Size().X
	drawPlot(p, draw.Crop(all, 0, -width-chartMargin, 0, 0))
	legend.Draw(draw.Crop(all, all.Max.X-all.Min.X-width, 0, 0, -fontSize*2))
	_, err = to.WriteTo(w)
	return err
}

// drawPlot draws p with the labels of its axes in their middle. (The plot package leaves room for a label in the middle
// of the values, which on a logarithmic axis is near its end.)
func drawPlot(p *plot.Plot, c draw.Canvas) {
	x, y := p.X.Label, p.Y.Label
	p.X.Label.Text, p.Y.Label.Text = "", ""
	room := vg.Length(fontSize + 8)
	inner := draw.Crop(c, room, 0, room, 0)
	p.Draw(inner)
	data := p.DataCanvas(inner)
	x.TextStyle.XAlign, x.TextStyle.YAlign = draw.XCenter, draw.YBottom
	c.FillText(x.TextStyle, vg.Point{X: data.Center().X, Y: c.Min.Y + 2}, x.Text)
	y.TextStyle.XAlign, y.TextStyle.YAlign, y.TextStyle.Rotation = draw.XCenter, draw.YTop, math.Pi/2
	c.FillText(y.TextStyle, vg.Point{X: c.Min.X, Y: data.Center().Y}, y.Text)
}

// newPlot is an empty plot with a grid, in the fonts of all charts.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	for _, style := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		style.Typeface, style.Variant, style.Size = "Liberation", "Sans", fontSize
	}
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = fontSize + 2
	p.Title.Padding = 8
	p.Legend.Top, p.Legend.Left, p.Legend.ThumbnailWidth, p.Legend.Padding = true, true, 40, 3
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	return p
}

func (c *Chart) plot() (*plot.Plot, error) {
	p := newPlot(c.Title)
	for i, l := range c.Lines {
		if len(l.X) != len(l.Y) || len(l.X) == 0 {
			return nil, fmt.Errorf("line %s has %d and %d coordinates", l.Name, len(l.X), len(l.Y))
		}
		points := make(plotter.XYs, len(l.X))
		for j := range l.X {
			if err := c.X.check(l.X[j]); err != nil {
				return nil, fmt.Errorf("line %s x[%d]: %w", l.Name, j, err)
			}
			if err := c.Y.check(l.Y[j]); err != nil {
				return nil, fmt.Errorf("line %s y[%d]: %w", l.Name, j, err)
			}
			points[j] = plotter.XY{X: l.X[j], Y: l.Y[j]}
		}
		if err := addLine(p, i, l, points); err != nil {
			return nil, err
		}
	}
	if err := c.X.apply(&p.X); err != nil {
		return nil, err
	}
	return p, c.Y.apply(&p.Y)
}

func addLine(p *plot.Plot, i int, l Line, points plotter.XYs) error {
	pick := func(chosen int) int {
		if chosen > 0 {
			return chosen - 1
		}
		return i
	}
	hue := palette[pick(l.Hue)%len(palette)]
	name := func(t plot.Thumbnailer) {
		if l.Name != "" {
			p.Legend.Add(l.Name, t)
		}
	}
	if l.Dots {
		s, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: hue, Radius: 3, Shape: draw.CircleGlyph{}}
		p.Add(s)
		name(s)
		return nil
	}
	s, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	s.LineStyle = draw.LineStyle{Color: hue, Width: 2, Dashes: dashes[pick(l.Dash)%len(dashes)]}
	p.Add(s)
	name(s)
	return nil
}

func (a *Axis) check(v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) || a.Log && v <= 0 {
		return fmt.Errorf("%v cannot be drawn", v)
	}
	return nil
}

// apply sets label, range and ticks, once the lines have set the range of the data.
func (a *Axis) apply(p *plot.Axis) error {
	p.Label.Text = a.Label
	if a.Min != 0 || a.Max != 0 {
		p.Min, p.Max = a.Min, a.Max
	}
	if err := a.check(p.Min); err != nil {
		return fmt.Errorf("axis %s: %w", a.Label, err)
	}
	if p.Min == p.Max { // a flat line, drawn in the middle
		p.Min, p.Max = p.Min-math.Abs(p.Min)/2, p.Max+math.Abs(p.Max)
		if p.Min == 0 {
			p.Max = 1
		}
	}
	if p.Min > p.Max {
		return fmt.Errorf("axis %s: from %v to %v", a.Label, p.Min, p.Max)
	}
	p.Tick.Marker = linearTicks{}
	if a.Log {
		p.Scale, p.Tick.Marker = plot.LogScale{}, logTicks{}
	}
	return nil
}

// linearTicks labels the multiples of 1, 2 or 5 times a power of ten, six to eleven of them where the range starts and
// ends on one, and marks the halves (of a step of 2: the ones) between them. (plot.DefaultTicks labels three, and the
// ends of the range by rounding them.)
type linearTicks struct{}

func (linearTicks) Ticks(lo, hi float64) []plot.Tick {
	unit := math.Pow10(int(math.Floor(math.Log10((hi - lo) / 5))))
	step := unit
	for _, m := range []float64{2, 5, 10} {
		if (hi-lo)/(m*unit) >= 5-1e-9 {
			step = m * unit
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	slack := step * 1e-6
	for k := math.Ceil((2*lo - slack) / step); k*step/2 <= hi+slack; k++ {
		t := plot.Tick{Value: k * step / 2}
		if math.Mod(k, 2) == 0 {
			t.Label = strconv.FormatFloat(t.Value+0, 'f', digits, 64)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// logTicks marks every power of ten and its multiples, and labels 1, 2 and 5 of each where three decades or fewer are
// shown. (plot.LogTicks starts above a minimum that is below one.)
type logTicks struct{}

func (logTicks) Ticks(lo, hi float64) []plot.Tick {
	var ticks []plot.Tick
	few := hi/lo <= 1e3
	for e := int(math.Floor(math.Log10(lo))); math.Pow10(e) <= hi; e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow10(e)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			label := ""
			if m == 1 || few && (m == 2 || m == 5) {
				label = fmt.Sprintf("%.3g", v)
				if v >= 1e3 && v < 1e6 {
					label = strconv.FormatFloat(v, 'f', 0, 64)
				}
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	return ticks
}
