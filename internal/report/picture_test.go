package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"testing"
)

func TestPanels(t *testing.T) {
	a := image.NewGray(image.Rect(0, 0, 20, 10))
	for i := range a.Pix {
		a.Pix[i] = byte(i)
	}
	b := image.NewGray(image.Rect(5, 5, 15, 35))
	var out bytes.Buffer
	if err := WritePanels(&out, 2, Panel{"one", a}, Panel{"two", b}); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	gap := int(panelGap)
	top := img.Bounds().Dy() - 60 - gap
	if got, want := img.Bounds().Dx(), 3*gap+40+20; got != want {
		t.Errorf("width %d, want %d", got, want)
	}
	for _, p := range []image.Point{{0, 0}, {19, 0}, {7, 9}} {
		for d := range 4 {
			got := color.GrayModel.Convert(img.At(gap+2*p.X+d%2, top+2*p.Y+d/2)).(color.Gray).Y
			if want := a.GrayAt(p.X, p.Y).Y; got != want {
				t.Errorf("pixel %v: got %d, want %d", p, got, want)
			}
		}
	}
	dark := 0
	for x := gap; x < gap+40; x++ {
		for y := range top {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				dark++
			}
		}
	}
	if dark < 10 {
		t.Errorf("the title has %d dark pixels", dark)
	}
	if err := SavePanels(filepath.Join(t.TempDir(), "a.svg"), 1, Panel{"one", a}); err == nil {
		t.Error("an SVG is accepted")
	}
	if err := WritePanels(&out, 0, Panel{"one", a}); err == nil {
		t.Error("zoom 0 is accepted")
	}
}
