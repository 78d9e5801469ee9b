package main

import "vcsim/internal/drawing"

// t265Encoder is the hardware encoder of T.265: its pixel path above its entropy coding.
func t265Encoder() *drawing.Drawing {
	d := drawing.New(960, 678, "The T.265 encoder",
		"The host answers requests for CTUs. Mode and transform tree of a CTU are decided from its source and the row above. Then its blocks go one after the other through prediction, forward transform, quantisation, inverse transform and reconstruction, whose rows go back to the references. Levels and headers go through the store to the lanes, whose words share one output.")
	d.Group(rect{X: 104, Y: 50, W: 846, H: 350}, drawing.Start, "pixel path, t265_enc_pixels: 8 values a cycle")
	d.Group(rect{X: 104, Y: 436, W: 846, H: 206}, drawing.End, "entropy coding, t265_enc_code")

	const w, h, row1, row2, row3 = 122, 60, 82, 192, 302
	host := d.Box(drawing.Plain, rect{X: 10, Y: row1 - 8, W: 74, H: h + 16}, "host", "frames,", "headers")
	sched := d.Box(drawing.Hardware, rect{X: 136, Y: row1, W: 96, H: h}, "sched", "CTU", "and QP")
	ref := d.Box(drawing.Hardware, rect{X: 276, Y: row1, W: w, H: h}, "ref", "row above,", "reconstructed")
	decide := d.Box(drawing.Hardware, rect{X: 448, Y: row1, W: w, H: h}, "decide", "mode and tree,", "open loop")
	tree := d.Box(drawing.Hardware, rect{X: 700, Y: row1, W: w, H: h}, "tree", "a block", "at a time")
	source := d.Box(drawing.Memory, rect{X: 448, Y: row2, W: w, H: h}, "source", "two CTUs", "a thread")
	samples := d.Box(drawing.Hardware, rect{X: 630, Y: row2, W: w, H: h}, "samples", "prediction,", "reconstruction")
	forward := d.Box(drawing.Hardware, rect{X: 802, Y: row2, W: w - 10, H: h}, "forward", "transforms", "to 16x16")
	quant := d.Box(drawing.Hardware, rect{X: 802, Y: row3, W: w - 10, H: h}, "quant", "levels, signs", "hidden, scaled")
	inverse := d.Box(drawing.Hardware, rect{X: 630, Y: row3, W: w, H: h}, "inverse", "transforms", "to 16x16")

	d.Arrow(host.Right(.35), point{X: sched.X, Y: host.Right(.35).Y})
	d.Arrow(point{X: sched.X, Y: host.Right(.65).Y}, host.Right(.65))
	d.Text(point{X: 272, Y: 32}, drawing.Start, drawing.Small, "samples")
	d.Arrow(host.Top(.5), point{X: host.Top(.5).X, Y: 38}, point{X: decide.Top(.5).X, Y: 38}, decide.Top(.5))
	d.Arrow(sched.Right(.5), ref.Left(.5))
	d.Arrow(ref.Right(.5), decide.Left(.5))
	d.Arrow(decide.Right(.5), tree.Left(.5))
	d.Text(point{X: 610, Y: 106}, drawing.Start, drawing.Small, "plan")
	d.Arrow(decide.Bottom(.5), source.Top(.5))
	d.Arrow(source.Right(.5), samples.Left(.5))
	d.Arrow(tree.Bottom(.2), point{X: tree.Bottom(.2).X, Y: row2})
	d.Arrow(samples.Right(.5), forward.Left(.5))
	d.Arrow(forward.Bottom(.5), quant.Top(.5))
	d.Arrow(quant.Left(.5), inverse.Right(.5))
	d.Arrow(inverse.Top(.7), samples.Bottom(.7))
	d.Arrow(samples.Bottom(.2), point{X: samples.Bottom(.2).X, Y: 280}, point{X: ref.Bottom(.5).X, Y: 280}, ref.Bottom(.5))
	d.Text(point{X: 346, Y: 298}, drawing.Start, drawing.Small, "rows of the next ones")

	const row4 = 488
	store := d.Box(drawing.Memory, rect{X: 136, Y: row4, W: w, H: h + 8}, "store", "levels of two", "CTUs a thread")
	d.Group(rect{X: 300, Y: 462, W: 462, H: 108}, drawing.Start, "lane, 18 of them")
	binarise := d.Box(drawing.Hardware, rect{X: 318, Y: row4, W: 116, H: h + 8}, "binarise", "words to bins,", "bypass in groups")
	engine := d.Box(drawing.Hardware, rect{X: 466, Y: row4, W: 140, H: h + 8}, "vc_cabac_enc", "a context bin or four", "bypass bins a cycle")
	pack := d.Box(drawing.Hardware, rect{X: 638, Y: row4, W: 108, H: h + 8}, "vc_nal_pack", "emulation", "prevention")
	arbiter := d.Box(drawing.Hardware, rect{X: 796, Y: row4, W: 92, H: h + 8}, "arbiter", "one word", "a cycle")
	context := d.Box(drawing.Hardware, rect{X: 136, Y: 576, W: w, H: 52}, "context", "initial contexts")
	d.Arrow(context.Right(.5), point{X: binarise.Bottom(.5).X, Y: context.Right(.5).Y}, binarise.Bottom(.5))
	// Levels and headers leave the pixel path at its right, on one way to the store.
	d.Join(tree.Right(.5), point{X: 936, Y: tree.Right(.5).Y}, point{X: 936, Y: 421})
	d.Join(quant.Right(.5), point{X: 936, Y: quant.Right(.5).Y})
	d.Arrow(point{X: 936, Y: 421}, point{X: store.Top(.75).X, Y: 421}, store.Top(.75))
	d.Text(point{X: 500, Y: 415}, drawing.Start, drawing.Small, "levels of a sub-block, heads of blocks")
	d.Arrow(store.Top(.25), point{X: store.Top(.25).X, Y: sched.Y + sched.H})
	d.Text(point{X: 172, Y: 240}, drawing.Start, drawing.Small, "room")
	d.Arrow(store.Right(.5), binarise.Left(.5))
	d.Arrow(binarise.Right(.5), engine.Left(.5))
	d.Arrow(engine.Right(.5), pack.Left(.5))
	d.Arrow(pack.Right(.5), arbiter.Left(.5))
	d.Arrow(arbiter.Right(.5), point{X: 938, Y: arbiter.Right(.5).Y})
	d.Text(point{X: 940, Y: 576}, drawing.End, drawing.Small, "words of 8 bytes")
	d.Legend(point{X: 104, Y: 654})
	return d
}
