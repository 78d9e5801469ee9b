package drawing

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// pair is a drawing of two boxes with an arrow between them.
func pair() (d *Drawing, a, b *Box) {
	d = New(400, 120, "pair", "Two boxes & an arrow.")
	a = d.Box(Hardware, Rect{10, 20, 100, 60}, "first", "a < b")
	b = d.Box(Memory, Rect{180, 20, 100, 60}, "second", "one", "two")
	d.Arrow(a.Right(.5), b.Left(.5))
	return d, a, b
}

func TestWrite(t *testing.T) {
	d, _, _ := pair()
	d.Group(Rect{5, 90, 390, 28}, Start, "below")
	d.Legend(Point{60, 100})
	d.Timing(Timing{At: Point{115, 20}, Names: 20, Pitch: 10, Every: 2}, []Track{{Name: "x", Cycles: []Cycle{{Signal: Low}, {Signal: High}, {Signal: Moves, Hue: 1}, {Signal: Waits}}}})
	d.arrows = nil // the diagram stands in its place
	var one, two bytes.Buffer
	if err := d.Write(&one); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(&two); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Errorf("the same drawing gives different files (%v)", err)
	}
	decoder := xml.NewDecoder(bytes.NewReader(one.Bytes()))
	count := map[string]int{}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
	// Paper, frame, two cells, two boxes and two of the legend; words of boxes, frame, legend and diagram.
	if count["rect"] != 8 || count["text"] != 5+1+2+3 {
		t.Errorf("elements: %v", count)
	}
	for _, want := range []string{"Two boxes &amp; an arrow.", "a &lt; b", "prefers-color-scheme:dark"} {
		if !strings.Contains(one.String(), want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestDark: each colour of the light drawing has one in the dark.
func TestDark(t *testing.T) {
	for _, rule := range strings.Split(strings.TrimSpace(stylesheet), "\n") {
		name, style, _ := strings.Cut(rule, "{")
		_, dark, found := strings.Cut(darkStylesheet, "\n"+name+"{")
		dark, _, _ = strings.Cut(dark, "}")
		for _, property := range []string{"fill", "stroke"} {
			if strings.Contains(style, property+":#") && !(found && strings.Contains(dark, property+":#")) {
				t.Errorf("%s has no %s in the dark", name, property)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(d *Drawing, a, b *Box)
		want  string // "" for no fault
	}{
		{"as it is", func(d *Drawing, a, b *Box) {}, ""},
		{"boxes overlap", func(d *Drawing, a, b *Box) { d.Box(Plain, Rect{100, 70, 30, 30}, "") }, `boxes "(no words)" and "first" overlap`},
		{"box outside", func(d *Drawing, a, b *Box) { d.Box(Plain, Rect{380, 100, 30, 10}, "") }, "leaves the picture"},
		{"long words", func(d *Drawing, a, b *Box) { d.Box(Plain, Rect{120, 90, 40, 20}, "impossible") }, `"impossible" does not fit`},
		{"many lines", func(d *Drawing, a, b *Box) { d.Box(Plain, Rect{120, 62, 40, 24}, "a", "b") }, `"a" does not fit`},
		{"words outside", func(d *Drawing, a, b *Box) { d.Text(Point{390, 110}, Start, Body, "words") }, "leaves the picture"},
		{"words on words", func(d *Drawing, a, b *Box) {
			d.Text(Point{120, 100}, Start, Body, "words")
			d.Text(Point{150, 104}, Middle, Body, "more")
		}, "overlap"},
		{"words on a box", func(d *Drawing, a, b *Box) { d.Text(Point{90, 86}, Start, Body, "words") }, `"words" overlaps box "first"`},
		{"words on an arrow", func(d *Drawing, a, b *Box) { d.Text(Point{130, 54}, Start, Small, "words") }, `an arrow runs through "words"`},
		{"words on a frame", func(d *Drawing, a, b *Box) {
			d.Group(Rect{2, 90, 138, 28}, Start, "frame")
			d.Text(Point{125, 110}, Start, Small, "words")
		}, `"words" crosses the frame`},
		{"box on a frame", func(d *Drawing, a, b *Box) { d.Group(Rect{60, 2, 100, 90}, Start, "frame") }, `box "first" crosses the frame`},
		{"arrow through a box", func(d *Drawing, a, b *Box) { d.Arrow(Point{5, 30}, Point{150, 30}) }, `runs through box "first"`},
		{"slanted arrow", func(d *Drawing, a, b *Box) { d.Arrow(Point{120, 90}, Point{150, 100}) }, "neither level nor upright"},
		{"arrow of no length", func(d *Drawing, a, b *Box) { d.Arrow(Point{120, 90}, Point{120, 90}) }, "neither level nor upright"},
		{"half an arrow", func(d *Drawing, a, b *Box) { d.Join(Point{120, 90}) }, "arrow of 1 points"},
		{"arrow outside", func(d *Drawing, a, b *Box) { d.Arrow(Point{120, 90}, Point{120, 130}) }, "leaves the picture"},
		{"label in a cycle", func(d *Drawing, a, b *Box) {
			d.Timing(Timing{At: Point{120, 80}, Names: 10, Pitch: 10, Every: 9}, []Track{{Cycles: []Cycle{{}, {Signal: Moves, Label: "long"}}}})
		}, `"long" does not fit`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, a, b := pair()
			tt.spoil(d, a, b)
			err := d.Write(io.Discard)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestWidth: words are as long as Adobe's metrics of Helvetica say (Core 14 AFM files), whose widths
// Liberation Sans shares: in 1/1000 of the size, H 722, e 556, l 222, o 556.
func TestWidth(t *testing.T) {
	if got, want := Body.Width("Hello"), 13*(722+556+222+222+556)/1000.; got < want-.2 || got > want+.2 {
		t.Errorf("Hello: %v pixels, want %v", got, want)
	}
	if got, want := Title.Width("Hello"), 13*(722+556+278+278+611)/1000.; got < want-.2 || got > want+.2 {
		t.Errorf("Hello in bold: %v pixels, want %v", got, want)
	}
	if got, want := Mono.Width("iW"), 12*1200/1000.; got < want-.2 || got > want+.2 {
		t.Errorf("iW in monospace: %v pixels, want %v", got, want)
	}
}
