package report

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"gonum.org/v1/plot"
)

// A Panel is one picture of a row of pictures.
type Panel struct {
	Title string
	Image image.Image
}

// panelGap separates panels, in points; titles have their own line above.
const panelGap = 12 * vg.Length(1)

// SavePanels writes a row of pictures, their titles above them, as a PNG. Every pixel becomes a square of zoom pixels.
func SavePanels(path string, zoom int, panels ...Panel) error {
	if filepath.Ext(path) != ".png" {
		return fmt.Errorf("%s: pictures are written as .png", path)
	}
	var b bytes.Buffer
	if err := WritePanels(&b, zoom, panels...); err != nil {
		return err
	}
	return saveFile(path, b.Bytes())
}

// WritePanels is SavePanels to a writer.
func WritePanels(w io.Writer, zoom int, panels ...Panel) error {
	if zoom < 1 || len(panels) == 0 {
		return fmt.Errorf("report: %d panels at zoom %d", len(panels), zoom)
	}
	const dpi = 72 // one point is one pixel
	height, width := 0, int(panelGap)
	for _, p := range panels {
		size := p.Image.Bounds().Size()
		height = max(height, size.Y*zoom)
		width += size.X*zoom + int(panelGap)
	}
	top := 2*fontSize + 2
	c := vgimg.NewWith(vgimg.UseDPI(dpi), vgimg.UseWH(vg.Length(width), vg.Length(height+top+int(panelGap))))
	canvas := draw.New(c)
	style := draw.TextStyle{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: fontSize}, Handler: plot.DefaultTextHandler}
	style.Color = palette[0]
	x := int(panelGap)
	full := c.Image()
	for _, p := range panels {
		canvas.FillText(style, vg.Point{X: vg.Length(x), Y: vg.Length(height) + panelGap + fontSize/2}, p.Title)
		at := p.Image.Bounds()
		for y := range at.Dy() * zoom {
			for i := range at.Dx() * zoom {
				full.Set(x+i, top+y, p.Image.At(at.Min.X+i/zoom, at.Min.Y+y/zoom))
			}
		}
		x += at.Dx()*zoom + int(panelGap)
	}
	return png.Encode(w, full)
}
