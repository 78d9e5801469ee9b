// Package drawing makes the block diagrams and waveforms of the documentation as
// SVG 1.1. A drawing is checked before it is written: text fits its box, nothing
// overlaps, arrows keep clear of boxes and of words. Viewers that ask for dark
// colours get them.
package drawing

import (
	"fmt"
	"io"
	"math"
)

// A Point is a place in pixels, from the upper left corner of the drawing.
type Point struct{ X, Y float64 }

// A Rect is an area in pixels.
type Rect struct{ X, Y, W, H float64 }

func (r Rect) grow(by float64) Rect { return Rect{r.X - by, r.Y - by, r.W + 2*by, r.H + 2*by} }

func (r Rect) contains(s Rect) bool {
	return s.X >= r.X && s.Y >= r.Y && s.X+s.W <= r.X+r.W && s.Y+s.H <= r.Y+r.H
}

func (r Rect) overlaps(s Rect) bool {
	return s.X < r.X+r.W && r.X < s.X+s.W && s.Y < r.Y+r.H && r.Y < s.Y+s.H
}

// A Kind is what a box stands for. Kinds differ in colour, and memories and checks in
// their outline too.
type Kind string

const (
	Plain    Kind = "plain"    // data, or the outside
	Software Kind = "software" // arithmetic without a clock
	Hardware Kind = "hardware" // a clocked unit
	Memory   Kind = "memory"   // RAM or queue
	Check    Kind = "check"    // what something is compared with
)

// An Align says which part of a text is at its point.
type Align string

const (
	Start  Align = "start"
	Middle Align = "middle"
	End    Align = "end"
)

// A Style is one of the sizes and weights of text.
type Style string

const (
	Title Style = "title" // bold
	Body  Style = "body"
	Small Style = "small" // beside arrows and below titles, muted
	Mono  Style = "mono"  // names of signals and files
)

// A Drawing collects shapes. Its methods panic on nothing: Write reports what is
// wrong.
type Drawing struct {
	width, height float64
	title, about  string
	groups, boxes []*Box
	texts         []text
	arrows        []arrow
	cells         []cell
	lines         []line
}

// A Box is a rectangle with words in it.
type Box struct {
	Rect
	kind Kind
}

type text struct {
	at    Point // baseline
	align Align
	style Style
	words string
	box   *Box // that it belongs to
}

type arrow struct {
	points []Point
	head   bool
}

// A cell is one cycle of a waveform.
type cell struct {
	Rect
	class string
}

type line struct {
	points []Point
	class  string
}

// New returns an empty drawing. The title and the sentence about it are what a
// reader hears who cannot see it.
func New(width, height float64, title, about string) *Drawing {
	return &Drawing{width: width, height: height, title: title, about: about}
}

const (
	lineHeight = 16 // of words in a box
	boxMargin  = 6  // between words and the outline
)

// Box adds a box with a title and lines below it, centred.
func (d *Drawing) Box(kind Kind, r Rect, title string, lines ...string) *Box {
	b := &Box{Rect: r, kind: kind}
	d.boxes = append(d.boxes, b)
	height := float64(lineHeight * len(lines))
	if title != "" {
		height += lineHeight
	}
	y := r.Y + (r.H-height)/2 + 12
	add := func(s Style, words string) {
		d.texts = append(d.texts, text{Point{r.X + r.W/2, y}, Middle, s, words, b})
		y += lineHeight
	}
	if title != "" {
		add(Title, title)
	}
	for _, l := range lines {
		add(Small, l)
	}
	return b
}

// Group adds a frame around boxes, its title at the upper left or, with End, right.
func (d *Drawing) Group(r Rect, align Align, title string) {
	b := &Box{Rect: r, kind: "group"}
	at := Point{r.X + 10, r.Y + 18}
	if align == End {
		at.X = r.X + r.W - 10
	}
	d.groups = append(d.groups, b)
	d.texts = append(d.texts, text{at, align, Small, title, b})
}

// Text adds words with their baseline at a point.
func (d *Drawing) Text(at Point, align Align, style Style, words string) {
	d.texts = append(d.texts, text{at, align, style, words, nil})
}

// Arrow adds a path of horizontal and vertical lines with a head at its end.
func (d *Drawing) Arrow(points ...Point) {
	d.arrows = append(d.arrows, arrow{points, true})
}

// Join adds a path without a head, such as one that ends on an arrow.
func (d *Drawing) Join(points ...Point) {
	d.arrows = append(d.arrows, arrow{points, false})
}

// Legend adds a row of the kinds of boxes that the drawing has so far, with their names.
func (d *Drawing) Legend(at Point) {
	used := map[Kind]bool{}
	for _, b := range d.boxes {
		used[b.kind] = true
	}
	for _, k := range []struct {
		kind  Kind
		words string
	}{{Software, "software"}, {Hardware, "clocked unit, Verilog"}, {Memory, "memory, queue"}, {Check, "check"}, {Plain, "data, host"}} {
		if !used[k.kind] {
			continue
		}
		d.Box(k.kind, Rect{at.X, at.Y, 18, 12}, "")
		d.Text(Point{at.X + 25, at.Y + 10}, Start, Small, k.words)
		at.X += 25 + Small.Width(k.words) + 28
	}
}

// Left, Right, Top and Bottom return a point on one side of a box, at a fraction of
// its length from the top or the left.
func (b *Box) Left(at float64) Point   { return Point{b.X, b.Y + at*b.H} }
func (b *Box) Right(at float64) Point  { return Point{b.X + b.W, b.Y + at*b.H} }
func (b *Box) Top(at float64) Point    { return Point{b.X + at*b.W, b.Y} }
func (b *Box) Bottom(at float64) Point { return Point{b.X + at*b.W, b.Y + b.H} }

// Write checks the drawing and writes it as SVG, the same bytes each time.
func (d *Drawing) Write(w io.Writer) error {
	if err := d.Check(); err != nil {
		return err
	}
	s := svg{w: w}
	s.drawing(d)
	return s.err
}

// Check returns the first fault of the drawing: what overlaps, what leaves its box or
// the picture, and which arrow runs through what.
func (d *Drawing) Check() error {
	all := Rect{0, 0, d.width, d.height}
	fault := func(format string, args ...any) error {
		return fmt.Errorf("drawing %q: %s", d.title, fmt.Sprintf(format, args...))
	}
	for i, b := range append(append([]*Box{}, d.groups...), d.boxes...) {
		if !all.grow(-1).contains(b.Rect) {
			return fault("box %d at %v leaves the picture", i, b.Rect)
		}
	}
	for i, b := range d.boxes {
		for _, c := range d.boxes[:i] {
			if b.overlaps(c.Rect) {
				return fault("boxes %q and %q overlap", d.words(b), d.words(c))
			}
		}
		for _, g := range d.groups {
			if b.overlaps(g.Rect) && !g.grow(-2).contains(b.Rect) {
				return fault("box %q crosses the frame %q", d.words(b), d.words(g))
			}
		}
	}
	for i := range d.texts {
		t := &d.texts[i]
		area := t.area()
		if !all.contains(area) {
			return fault("%q leaves the picture", t.words)
		}
		if b := t.box; b != nil && !b.grow(-boxMargin/2).contains(area) {
			return fault("%q does not fit its box: %.0f pixels in %.0f", t.words, area.W, b.W)
		}
		for j := range d.texts[:i] {
			if u := &d.texts[j]; area.overlaps(u.area()) {
				return fault("%q and %q overlap", t.words, u.words)
			}
		}
		for _, b := range d.boxes {
			if b != t.box && area.overlaps(b.Rect) {
				return fault("%q overlaps box %q", t.words, d.words(b))
			}
		}
		for _, g := range d.groups {
			if area.overlaps(g.Rect) && !g.grow(-2).contains(area) {
				return fault("%q crosses the frame %q", t.words, d.words(g))
			}
		}
		for _, a := range d.arrows {
			for k := 1; k < len(a.points); k++ {
				if segment(a.points[k-1], a.points[k]).grow(1).overlaps(area) {
					return fault("an arrow runs through %q", t.words)
				}
			}
		}
	}
	for _, a := range d.arrows {
		if len(a.points) < 2 {
			return fault("an arrow of %d points", len(a.points))
		}
		for k := 1; k < len(a.points); k++ {
			p, q := a.points[k-1], a.points[k]
			if (p.X != q.X) == (p.Y != q.Y) {
				return fault("an arrow from %v to %v is neither level nor upright", p, q)
			}
			s := segment(p, q)
			if !all.contains(s) {
				return fault("an arrow from %v to %v leaves the picture", p, q)
			}
			for _, b := range d.boxes {
				if s.overlaps(b.grow(-1)) {
					return fault("an arrow from %v to %v runs through box %q", p, q, d.words(b))
				}
			}
		}
	}
	return nil
}

// words returns the first text of a box.
func (d *Drawing) words(b *Box) string {
	for i := range d.texts {
		if d.texts[i].box == b {
			return d.texts[i].words
		}
	}
	return "(no words)"
}

// segment is the area of a line.
func segment(p, q Point) Rect {
	const thin = 1e-6
	return Rect{math.Min(p.X, q.X), math.Min(p.Y, q.Y), math.Abs(p.X-q.X) + thin, math.Abs(p.Y-q.Y) + thin}
}

// area is that of the letters.
func (t *text) area() Rect {
	w, size := t.style.Width(t.words), t.style.size()
	r := Rect{t.at.X, t.at.Y - .76*size, w, size}
	switch t.align {
	case Middle:
		r.X -= w / 2
	case End:
		r.X -= w
	}
	return r
}
