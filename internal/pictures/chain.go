package main

import "vcsim/internal/drawing"

type (
	rect  = drawing.Rect
	point = drawing.Point
)

// chain is the way from a tensor to the speedup of a cluster, with what checks each link.
func chain() *drawing.Drawing {
	const (
		width, height = 960, 236
		w, h          = 112, 62
		pitch         = 138
		left, top     = 10, 44
	)
	d := drawing.New(width, height, "The chain of vcsim",
		"A tensor goes through a bit-exact codec, its clocked model, the Verilog and the gates; what they say of one instance is its codec point, from which the cluster model predicts speedup and energy. Below each link stands what checks it.")
	links := []struct {
		kind    drawing.Kind
		title   string
		lines   []string
		command string
		check   []string
	}{
		{drawing.Plain, "tensor", []string{"weights, gradients,", "KV cache"}, "", nil},
		{drawing.Software, "codec", []string{"T.264, T.265:", "bit-exact"}, "vcsim encode", []string{"ffmpeg, libde265", "decode the same"}},
		{drawing.Hardware, "clocked model", []string{"Go: every port,", "every cycle"}, "vcsim sim", []string{"bytes of the", "software codec"}},
		{drawing.Hardware, "Verilog", []string{"synthesisable", "Verilog-2005"}, "make cosim", []string{"the clocked model,", "every cycle"}},
		{drawing.Hardware, "gates", []string{"area, clock,", "SRAM"}, "make synth", []string{"yosys proofs,", "OpenSTA"}},
		{drawing.Plain, "codec point", []string{"rate, area, energy", "of one instance"}, "", nil},
		{drawing.Software, "cluster", []string{"speedup, energy", "of a step"}, "vcsim cluster", []string{"published", "measurements"}},
	}
	var before *drawing.Box
	for i, l := range links {
		x := left + pitch*float64(i)
		b := d.Box(l.kind, rect{X: x, Y: top, W: w, H: h}, l.title, l.lines...)
		if before != nil {
			d.Arrow(before.Right(.5), b.Left(.5))
		}
		before = b
		if l.command != "" {
			d.Text(point{X: x + w/2, Y: top - 12}, drawing.Middle, drawing.Mono, l.command)
		}
		if l.check != nil {
			c := d.Box(drawing.Check, rect{X: x, Y: top + h + 42, W: w, H: 48}, "", l.check...)
			d.Arrow(c.Top(.5), b.Bottom(.5))
		}
	}
	d.Text(point{X: left + w/2, Y: top + h + 63}, drawing.Middle, drawing.Small, "checked against")
	d.Text(point{X: left + w/2, Y: top + h + 79}, drawing.Middle, drawing.Small, "what is not itself")
	d.Legend(point{X: left, Y: height - 22})
	return d
}
