package drawing

import "strconv"

// A Signal is what a track shows in one cycle.
type Signal uint8

const (
	Nothing Signal = iota // no word
	Moves                 // a word moves
	Waits                 // a word is there and waits for its ready
	Low                   // a wire at 0
	High                  // a wire at 1
)

// A Cycle is one cycle of a track.
type Cycle struct {
	Signal Signal
	Hue    int    // of a word that moves, counted from 0
	Label  string // in the cell; it must fit
}

// A Track is a row of a timing diagram.
type Track struct {
	Name   string
	Cycles []Cycle
}

// Timing is the size of a timing diagram.
type Timing struct {
	At    Point   // upper left corner
	Names float64 // width of the names of the tracks
	Pitch float64 // width of a cycle
	First int     // number of the first cycle
	Every int     // cycles from one number above the tracks to the next
}

const (
	trackHeight = 24 // from one track to the next
	cellHeight  = 16
)

// Height returns that of a diagram with so many tracks, from its upper edge.
func (t *Timing) Height(tracks int) float64 { return 22 + trackHeight*float64(tracks) }

var hues = []string{"moves", "moves2", "moves3", "moves4"}

// Timing adds a timing diagram: the numbers of the cycles, then a row for each track.
func (d *Drawing) Timing(t Timing, tracks []Track) {
	cycles := 0
	for _, track := range tracks {
		cycles = max(cycles, len(track.Cycles))
	}
	x := func(cycle int) float64 { return t.At.X + t.Names + t.Pitch*float64(cycle) }
	bottom := t.At.Y + t.Height(len(tracks)) - 4
	for c := 0; c <= cycles; c++ {
		if n := t.First + c; n%t.Every == 0 && c < cycles {
			d.Text(Point{x(c) + t.Pitch/2, t.At.Y + 10}, Middle, Small, strconv.Itoa(n))
			if t.Every > 1 {
				d.lines = append(d.lines, line{[]Point{{x(c), t.At.Y + 16}, {x(c), bottom}}, "grid"})
			}
		}
		if t.Every == 1 {
			d.lines = append(d.lines, line{[]Point{{x(c), t.At.Y + 16}, {x(c), bottom}}, "grid"})
		}
	}
	for i, track := range tracks {
		top := t.At.Y + 22 + trackHeight*float64(i)
		d.Text(Point{t.At.X + t.Names - 8, top + 12}, End, Mono, track.Name)
		d.track(track, Rect{x(0), top, t.Pitch, cellHeight})
	}
}

// track adds one row, whose first cycle is at r.
func (d *Drawing) track(track Track, r Rect) {
	var level []Point
	var before Cycle
	for _, c := range track.Cycles {
		switch c.Signal {
		case Nothing:
			d.cells = append(d.cells, cell{Rect{r.X, r.Y + cellHeight/2 - 1, r.W, 2}, "idle"})
		case Moves:
			d.cells = append(d.cells, cell{r, hues[c.Hue%len(hues)]})
		case Waits:
			if before == c && c.Label == "" { // one frame around all cycles of the word
				d.cells[len(d.cells)-1].W += r.W
			} else {
				d.cells = append(d.cells, cell{r, "waits"})
			}
		case Low, High:
			y := r.Y + cellHeight
			if c.Signal == High {
				y = r.Y
			}
			level = append(level, Point{r.X, y}, Point{r.X + r.W, y})
		}
		if c.Label != "" {
			d.texts = append(d.texts, text{Point{r.X + r.W/2, r.Y + 12}, Middle, Body, c.Label, &Box{Rect: r.grow(boxMargin / 2)}})
		}
		r.X += r.W
		before = c
	}
	if level != nil {
		d.lines = append(d.lines, line{level, "wave"})
	}
}

// TimingLegend adds a row that says what the cells of a diagram mean, with words on the colours.
func (d *Drawing) TimingLegend(at Point, colours string) {
	for i, words := range []string{"a word moves", "it waits", "no word"} {
		r := Rect{at.X, at.Y, 18, cellHeight}
		d.track(Track{Cycles: []Cycle{{Signal: [...]Signal{Moves, Waits, Nothing}[i]}}}, r)
		d.Text(Point{at.X + 25, at.Y + 12}, Start, Small, words)
		at.X += 25 + Small.Width(words) + 28
	}
	d.Text(Point{at.X, at.Y + 12}, Start, Small, colours)
}
