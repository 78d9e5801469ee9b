package main

import "vcsim/internal/drawing"

// t264Encoder is the hardware encoder of T.264: its pixel path above its entropy coding.
func t264Encoder() *drawing.Drawing {
	d := drawing.New(960, 568, "The T.264 encoder",
		"The host answers requests for macroblocks. Scheduler, references, mode decision, transform and quantisation follow each other; the border of each macroblock is reconstructed and goes back to the references. Levels and headers go through the store to the lanes, whose words share one output.")
	d.Group(rect{X: 104, Y: 50, W: 846, H: 240}, drawing.Start, "pixel path, t264_enc_pixels: 8 values a cycle")
	d.Group(rect{X: 104, Y: 326, W: 846, H: 206}, drawing.End, "entropy coding, t264_enc_code")

	const w, h, row1, row2 = 122, 60, 82, 192
	host := d.Box(drawing.Plain, rect{X: 10, Y: row1 - 8, W: 74, H: h + 16}, "host", "frames,", "headers")
	sched := d.Box(drawing.Hardware, rect{X: 136, Y: row1, W: 96, H: h}, "sched", "macroblock", "and QP")
	ref := d.Box(drawing.Hardware, rect{X: 276, Y: row1, W: w, H: h}, "ref", "rows above,", "columns left")
	mode := d.Box(drawing.Hardware, rect{X: 448, Y: row1, W: w, H: h}, "mode", "DC, V or H by", "differences")
	dct := d.Box(drawing.Hardware, rect{X: 620, Y: row1, W: w, H: h}, "dct", "residual, 4x4", "transforms")
	quant := d.Box(drawing.Hardware, rect{X: 792, Y: row1, W: w, H: h}, "quant", "16 levels", "a block")
	border := d.Box(drawing.Hardware, rect{X: 448, Y: row2, W: w, H: h}, "border", "31 of 256 samples", "reconstructed")
	headers := d.Box(drawing.Memory, rect{X: 630, Y: row2, W: 102, H: h}, "headers", "two wait")
	dc := d.Box(drawing.Hardware, rect{X: 792, Y: row2, W: w, H: h}, "dc", "Hadamard,", "both ways")

	d.Arrow(host.Right(.35), point{X: sched.X, Y: host.Right(.35).Y})
	d.Arrow(point{X: sched.X, Y: host.Right(.65).Y}, host.Right(.65))
	d.Text(point{X: 272, Y: 32}, drawing.Start, drawing.Small, "samples")
	d.Arrow(host.Top(.5), point{X: host.Top(.5).X, Y: 38}, point{X: mode.Top(.5).X, Y: 38}, mode.Top(.5))
	d.Arrow(sched.Right(.5), ref.Left(.5))
	d.Arrow(ref.Right(.5), mode.Left(.5))
	d.Arrow(mode.Right(.5), dct.Left(.5))
	d.Arrow(dct.Right(.5), quant.Left(.5))
	d.Arrow(dct.Bottom(.5), headers.Top(.5))
	d.Arrow(headers.Right(.5), dc.Left(.5))
	d.Arrow(quant.Bottom(.6), dc.Top(.6))
	d.Text(point{X: quant.Bottom(.6).X + 6, Y: 172}, drawing.Start, drawing.Small, "DCs")
	d.Arrow(quant.Bottom(.2), point{X: quant.Bottom(.2).X, Y: 167}, point{X: border.Top(.75).X, Y: 167}, border.Top(.75))
	d.Text(point{X: 566, Y: 161}, drawing.Start, drawing.Small, "7 blocks")
	d.Arrow(dc.Bottom(.2), point{X: dc.Bottom(.2).X, Y: 270}, point{X: border.Bottom(.75).X, Y: 270}, border.Bottom(.75))
	d.Text(point{X: 640, Y: 284}, drawing.Start, drawing.Small, "DC coefficients")
	d.Arrow(border.Left(.5), point{X: ref.Bottom(.5).X, Y: border.Left(.5).Y}, ref.Bottom(.5))
	d.Text(point{X: 346, Y: 214}, drawing.Start, drawing.Small, "neighbours of")
	d.Text(point{X: 346, Y: 240}, drawing.Start, drawing.Small, "the next ones")

	const row3 = 378
	store := d.Box(drawing.Memory, rect{X: 136, Y: row3, W: w, H: h + 8}, "store", "levels of one", "macroblock a thread")
	d.Group(rect{X: 300, Y: 352, W: 462, H: 108}, drawing.Start, "lane, 24 of them")
	residual := d.Box(drawing.Hardware, rect{X: 318, Y: row3, W: 116, H: h + 8}, "residual", "levels to bins,", "an operation a cycle")
	engine := d.Box(drawing.Hardware, rect{X: 466, Y: row3, W: 140, H: h + 8}, "vc_cabac_enc", "a context bin or four", "bypass bins a cycle")
	pack := d.Box(drawing.Hardware, rect{X: 638, Y: row3, W: 108, H: h + 8}, "vc_nal_pack", "emulation", "prevention")
	arbiter := d.Box(drawing.Hardware, rect{X: 796, Y: row3, W: 92, H: h + 8}, "arbiter", "one word", "a cycle")
	context := d.Box(drawing.Hardware, rect{X: 136, Y: 466, W: w, H: 52}, "context", "initial contexts")
	d.Arrow(context.Right(.5), point{X: residual.Bottom(.5).X, Y: context.Right(.5).Y}, residual.Bottom(.5))
	// Levels and headers leave the pixel path at its right, on one way to the store.
	d.Join(quant.Right(.5), point{X: 932, Y: quant.Right(.5).Y}, point{X: 932, Y: 311})
	d.Join(dc.Right(.5), point{X: 932, Y: dc.Right(.5).Y})
	d.Arrow(point{X: 932, Y: 311}, point{X: store.Top(.75).X, Y: 311}, store.Top(.75))
	d.Text(point{X: 500, Y: 305}, drawing.Start, drawing.Small, "AC: levels of a block, MB: header and DC levels")
	d.Arrow(store.Top(.25), point{X: store.Top(.25).X, Y: sched.Y + sched.H})
	d.Text(point{X: 172, Y: 240}, drawing.Start, drawing.Small, "room")
	d.Arrow(store.Right(.5), residual.Left(.5))
	d.Arrow(residual.Right(.5), engine.Left(.5))
	d.Arrow(engine.Right(.5), pack.Left(.5))
	d.Arrow(pack.Right(.5), arbiter.Left(.5))
	d.Arrow(arbiter.Right(.5), point{X: 938, Y: arbiter.Right(.5).Y})
	d.Text(point{X: 940, Y: 466}, drawing.End, drawing.Small, "words of 8 bytes")
	d.Legend(point{X: 104, Y: 544})
	return d
}

// t264Decoder is the hardware decoder of T.264: its lanes above the pixel path that they share.
func t264Decoder() *drawing.Drawing {
	d := drawing.New(960, 538, "The T.264 decoder",
		"Each lane takes the slices of one frame apart: words to bytes, to bins, to items. One pixel path takes the items of all lanes: levels become a residual, neighbours a prediction, and their sum the samples, which are neighbours of the next blocks.")
	d.Group(rect{X: 136, Y: 10, W: 556, H: 196}, drawing.End, "lane, t264_dec_lane: one bin a cycle, 16 of them")
	d.Group(rect{X: 104, Y: 236, W: 846, H: 264}, drawing.End, "pixel path, t264_dec_pixels: slots of four cycles, a 4x4 block each")

	const h, row1 = 64, 122
	context := d.Box(drawing.Hardware, rect{X: 10, Y: 40, W: 104, H: h}, "t264_context", "initial", "contexts")
	host := d.Box(drawing.Plain, rect{X: 10, Y: row1, W: 104, H: h}, "host", "slices")
	unpack := d.Box(drawing.Hardware, rect{X: 160, Y: row1, W: 116, H: h}, "vc_nal_unpack", "words to bytes")
	engine := d.Box(drawing.Hardware, rect{X: 310, Y: row1, W: 144, H: h}, "vc_cabac_dec_core", "a bin a cycle, its", "value only chooses")
	parse := d.Box(drawing.Hardware, rect{X: 532, Y: row1, W: 128, H: h}, "t264_parse", "what comes next,", "for each value")
	banks := d.Box(drawing.Memory, rect{X: 310, Y: 40, W: 144, H: 48}, "t264_dec_banks", "184 contexts")
	above := d.Box(drawing.Memory, rect{X: 740, Y: 40, W: 196, H: h}, "t264_dec_above", "coded flags and modes", "of the row above")
	d.Arrow(host.Right(.5), unpack.Left(.5))
	d.Arrow(unpack.Right(.5), engine.Left(.5))
	d.Arrow(engine.Right(.3), parse.Left(.3))
	d.Text(point{X: 476, Y: 136}, drawing.Start, drawing.Small, "bins")
	d.Arrow(parse.Left(.7), engine.Right(.7))
	d.Text(point{X: 466, Y: 182}, drawing.Start, drawing.Small, "requests")
	d.Arrow(point{X: context.X + context.W, Y: banks.Left(.5).Y}, banks.Left(.5))
	d.Arrow(banks.Bottom(.3), engine.Top(.3))
	d.Arrow(engine.Top(.7), banks.Bottom(.7))
	d.Arrow(parse.Right(.2), point{X: above.Bottom(.6).X, Y: parse.Right(.2).Y}, above.Bottom(.6))
	d.Arrow(above.Left(.5), point{X: parse.Top(.5).X, Y: above.Left(.5).Y}, parse.Top(.5))

	const row2, row3 = 284, 400
	sched := d.Box(drawing.Hardware, rect{X: 128, Y: row2, W: 132, H: h}, "sched", "issues a block of", "another thread a slot")
	store := d.Box(drawing.Memory, rect{X: 128, Y: row3, W: 132, H: h}, "store", "items of", "each thread")
	residual := d.Box(drawing.Hardware, rect{X: 348, Y: row3, W: 136, H: h}, "residual", "scaling, 4x4 and 8x8", "inverse transforms")
	predict := d.Box(drawing.Hardware, rect{X: 544, Y: row2, W: 132, H: h}, "predict", "intra, or the plane", "of a macroblock")
	ref := d.Box(drawing.Memory, rect{X: 348, Y: row2, W: 136, H: h}, "ref", "rows above,", "columns left")
	recon := d.Box(drawing.Hardware, rect{X: 716, Y: row3, W: 92, H: h}, "recon", "sum, limited")
	out := d.Box(drawing.Memory, rect{X: 852, Y: row3, W: 84, H: h}, "out", "16 slots")
	// Items of all lanes.
	d.Arrow(parse.Right(.75), point{X: 910, Y: parse.Right(.75).Y}, point{X: 910, Y: 222}, point{X: 116, Y: 222}, point{X: 116, Y: store.Left(.5).Y}, store.Left(.5))
	d.Text(point{X: 704, Y: 164}, drawing.Start, drawing.Small, "items, of one lane after the other")
	d.Arrow(sched.Bottom(.5), store.Top(.5))
	d.Text(point{X: 202, Y: 378}, drawing.Start, drawing.Small, "next block")
	d.Arrow(store.Right(.3), residual.Left(.3))
	d.Text(point{X: 304, Y: 413}, drawing.Middle, drawing.Small, "levels")
	d.Arrow(store.Right(.8), point{X: 318, Y: store.Right(.8).Y}, point{X: 318, Y: 484}, point{X: 610, Y: 484}, predict.Bottom(.5))
	d.Text(point{X: 340, Y: 478}, drawing.Start, drawing.Small, "types and modes")
	d.Arrow(ref.Right(.5), predict.Left(.5))
	d.Arrow(residual.Right(.5), recon.Left(.5))
	d.Arrow(predict.Right(.5), point{X: recon.Top(.25).X, Y: predict.Right(.5).Y}, recon.Top(.25))
	d.Arrow(recon.Right(.5), out.Left(.5))
	d.Arrow(recon.Top(.75), point{X: recon.Top(.75).X, Y: 266}, point{X: ref.Top(.75).X, Y: 266}, ref.Top(.75))
	d.Text(point{X: 795, Y: 322}, drawing.Start, drawing.Small, "neighbours of")
	d.Text(point{X: 795, Y: 338}, drawing.Start, drawing.Small, "the next blocks")
	d.Arrow(out.Bottom(.5), point{X: out.Bottom(.5).X, Y: 516})
	d.Text(point{X: 884, Y: 514}, drawing.End, drawing.Small, "four samples of a column a cycle")
	d.Legend(point{X: 104, Y: 516})
	return d
}
