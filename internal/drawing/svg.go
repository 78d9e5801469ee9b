package drawing

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// Colours are those of GitHub's Primer (primer.style/foundations/primitives/color), so that a
// drawing looks at home on a page there: paper, ink, muted ink, and fill and line by kind.
const stylesheet = `
text{font-family:Arial,Helvetica,"Liberation Sans",sans-serif;font-size:13px;fill:#1f2328}
.title{font-weight:bold}
.small{font-size:12px;fill:#59636e}
.mono{font-family:"Liberation Mono","Courier New",monospace;font-size:12px}
.paper{fill:#ffffff}
.plain{fill:#f6f8fa;stroke:#59636e}
.software{fill:#ddf4ff;stroke:#0969da}
.hardware{fill:#fff1e5;stroke:#bc4c00}
.memory{fill:#fbefff;stroke:#8250df;stroke-dasharray:6 2}
.check{fill:#dafbe1;stroke:#1a7f37;stroke-dasharray:2 2}
.group{fill:none;stroke:#818b98;stroke-dasharray:8 4}
.arrow{fill:none;stroke:#59636e;stroke-width:1.5}
.head{fill:#59636e}
.wave{fill:none;stroke:#1f2328;stroke-width:1.5}
.grid{stroke:#d1d9e0;fill:none}
.moves{fill:#54aeff;stroke:#0969da}
.moves2{fill:#ffb77c;stroke:#bc4c00}
.moves3{fill:#c297ff;stroke:#8250df}
.moves4{fill:#6fdd8b;stroke:#1a7f37}
.waits{fill:#ffffff;stroke:#d1242f;stroke-width:1.5}
.idle{fill:#d1d9e0;stroke:none}
`

// darkStylesheet stands for the colours where the reader's page is dark.
const darkStylesheet = `
text{fill:#e6edf3}
.small{fill:#9198a1}
.paper{fill:#0d1117}
.plain{fill:#151b23;stroke:#9198a1}
.software{fill:#121d2f;stroke:#4493f8}
.hardware{fill:#2a1a0d;stroke:#f0883e}
.memory{fill:#1f1430;stroke:#ab7df8}
.check{fill:#12261e;stroke:#3fb950}
.group{stroke:#656c76}
.arrow{stroke:#9198a1}
.head{fill:#9198a1}
.wave{stroke:#e6edf3}
.grid{stroke:#3d444d}
.moves{fill:#1f6feb;stroke:#4493f8}
.moves2{fill:#bd561d;stroke:#f0883e}
.moves3{fill:#8957e5;stroke:#ab7df8}
.moves4{fill:#238636;stroke:#3fb950}
.waits{fill:#0d1117;stroke:#f85149}
.idle{fill:#3d444d}
`

// faces measure text. Arial, Helvetica and Liberation Sans have the same widths.
var faces = func() map[Style]font.Face {
	cache := font.NewCache(liberation.Collection())
	m := map[Style]font.Face{}
	for style, f := range map[Style]font.Font{
		Title: {Typeface: "Liberation", Variant: "Sans", Weight: 3}, // bold
		Body:  {Typeface: "Liberation", Variant: "Sans"},
		Small: {Typeface: "Liberation", Variant: "Sans"},
		Mono:  {Typeface: "Liberation", Variant: "Mono"},
	} {
		m[style] = cache.Lookup(f, font.Length(style.size()))
	}
	return m
}()

func (s Style) size() float64 {
	if s == Title || s == Body {
		return 13
	}
	return 12
}

// Width returns the length of words in pixels.
func (s Style) Width(words string) float64 {
	f := faces[s]
	return float64(f.Width(words))
}

// An svg writes elements and keeps the first error.
type svg struct {
	w   io.Writer
	err error
}

func (s *svg) put(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.w, format, args...)
	}
}

func escape(words string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(words)) // a Buffer takes everything
	return b.String()
}

// num is a coordinate, to a tenth of a pixel.
func num(v float64) string {
	return strconv.FormatFloat(float64(int64(v*10+.5))/10, 'f', -1, 64)
}

func (s *svg) drawing(d *Drawing) {
	s.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-labelledby="t d">`+"\n", num(d.width), num(d.height))
	s.put("<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n", escape(d.title), escape(d.about))
	s.put("<style>%s@media (prefers-color-scheme:dark){%s}\n</style>\n", stylesheet, darkStylesheet)
	s.put(`<rect class="paper" width="%s" height="%s" rx="6"/>`+"\n", num(d.width), num(d.height))
	for _, b := range d.groups {
		s.rect(b.Rect, string(b.kind), 8)
	}
	for _, l := range d.lines {
		s.path(l.class, l.points)
	}
	for _, c := range d.cells {
		s.rect(c.Rect, c.class, 0)
	}
	for _, a := range d.arrows {
		s.arrow(&a)
	}
	for _, b := range d.boxes {
		s.rect(b.Rect, string(b.kind), 4)
	}
	for i := range d.texts {
		s.text(&d.texts[i])
	}
	s.put("</svg>\n")
}

func (s *svg) rect(r Rect, class string, round float64) {
	s.put(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"`, class, num(r.X), num(r.Y), num(r.W), num(r.H))
	if round > 0 {
		s.put(` rx="%s"`, num(round))
	}
	s.put("/>\n")
}

// text fixes the length of the words, so that they fit in a reader's font too.
func (s *svg) text(t *text) {
	s.put(`<text class="%s" x="%s" y="%s" text-anchor="%s" textLength="%s" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
		t.style, num(t.at.X), num(t.at.Y), t.align, num(t.style.Width(t.words)), escape(t.words))
}

func (s *svg) path(class string, points []Point) {
	s.put(`<path class="%s" d="`, class)
	for i, p := range points {
		op := "L"
		if i == 0 {
			op = "M"
		}
		s.put("%s%s %s", op, num(p.X), num(p.Y))
	}
	s.put("\"/>\n")
}

const headLength, headWidth = 8, 4

// arrow ends the line inside its head.
func (s *svg) arrow(a *arrow) {
	n := len(a.points)
	if !a.head {
		s.path("arrow", a.points)
		return
	}
	p, q := a.points[n-2], a.points[n-1]
	dx, dy := 0.0, 0.0
	switch {
	case q.X > p.X:
		dx = 1
	case q.X < p.X:
		dx = -1
	case q.Y > p.Y:
		dy = 1
	default:
		dy = -1
	}
	points := append(append([]Point{}, a.points[:n-1]...), Point{q.X - dx*headLength/2, q.Y - dy*headLength/2})
	s.path("arrow", points)
	s.put(`<path class="head" d="M%s %sL%s %sL%s %sZ"/>`+"\n", num(q.X), num(q.Y),
		num(q.X-dx*headLength-dy*headWidth), num(q.Y-dy*headLength+dx*headWidth),
		num(q.X-dx*headLength+dy*headWidth), num(q.Y-dy*headLength-dx*headWidth))
}
