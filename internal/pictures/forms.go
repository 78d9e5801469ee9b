package main

import "vcsim/internal/drawing"

// forms is the three forms of a unit in Go beside its Verilog, and what holds them together.
func forms() *drawing.Drawing {
	d := drawing.New(960, 300, "The forms of a unit",
		"The arithmetic of a stage is software. The stepped unit calls it in every cycle, the form that runs ahead calls it once an event. Tests compare stepped unit and Verilog, and stepped unit and the form ahead, on every port in every cycle; the bytes are those of the software codec.")
	const w, h, y = 200, 78, 34
	verilog := d.Box(drawing.Hardware, rect{X: 20, Y: y, W: w, H: h}, "Verilog", "rtl/: what is synthesised", "area and clock come from it")
	stepped := d.Box(drawing.Hardware, rect{X: 380, Y: y, W: w, H: h}, "stepped", "Eval and Clock in every cycle", "streams can be watched")
	ahead := d.Box(drawing.Hardware, rect{X: 740, Y: y, W: w, H: h}, "ahead", "does the work at an event,", "computes when it shows")
	soft := d.Box(drawing.Software, rect{X: 380, Y: 206, W: w, H: h - 14}, "software", "block: samples in, samples", "out; no clock, no state")
	bench := d.Box(drawing.Check, rect{X: 250, Y: y + 15, W: 100, H: 48}, "", "co-simulation,", "make cosim")
	twins := d.Box(drawing.Check, rect{X: 610, Y: y + 15, W: 100, H: 48}, "", "Test...Ahead,", "every port")
	codec := d.Box(drawing.Check, rect{X: 610, Y: 214, W: 136, H: 48}, "", "bytes and samples", "of the codec")
	d.Arrow(bench.Left(.5), verilog.Right(.5))
	d.Arrow(bench.Right(.5), stepped.Left(.5))
	d.Arrow(twins.Left(.5), stepped.Right(.5))
	d.Arrow(twins.Right(.5), ahead.Left(.5))
	d.Arrow(stepped.Bottom(.5), soft.Top(.5))
	d.Text(point{X: 488, Y: 150}, drawing.Start, drawing.Small, "calls it for every value")
	d.Arrow(ahead.Bottom(.25), point{X: ahead.Bottom(.25).X, Y: 172}, point{X: soft.Top(.85).X, Y: 172}, soft.Top(.85))
	d.Text(point{X: 690, Y: 166}, drawing.Start, drawing.Small, "once an event")
	d.Arrow(codec.Left(.5), point{X: soft.X + soft.W, Y: codec.Left(.5).Y})
	d.Arrow(codec.Right(.5), point{X: ahead.Bottom(.75).X, Y: codec.Right(.5).Y}, ahead.Bottom(.75))
	d.Arrow(soft.Left(.5), point{X: verilog.Bottom(.5).X, Y: soft.Left(.5).Y}, verilog.Bottom(.5))
	d.Text(point{X: 130, Y: 166}, drawing.Start, drawing.Small, "generates tables and the places of fields")
	d.Legend(point{X: 20, Y: 278})
	return d
}
