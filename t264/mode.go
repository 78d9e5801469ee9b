package t264

import "vcsim/t264/block"

// Intra mode decision of the hw tier. It is closed loop: it sees a block of
// source samples and its reconstructed neighbours. The cost of DC, vertical
// and horizontal prediction is the sum of absolute differences (SAD) from the
// source, and for the last two a price.

// decide predicts the block of size 1<<log2 at (x, y) of the picture into pix
// and returns the mode.
func (e *Encoder) decide(x, y, log2 int) (mode int) {
	f := &e.f
	nb := block.Neighbours(x, y, 1<<log2, e.edge)
	ref := e.work.reference(f.pix, f.stride, x, y, log2, nb)
	at := y*f.stride + x
	src, dst := e.src[at:], f.pix[at:]
	mode = block.ModeDC
	if e.p.Off&ToolIntra == 0 && (nb.Above || nb.Left) {
		var cost [3]int
		for m := range cost {
			if block.Allowed(log2, m, nb) {
				block.Predict(dst, f.stride, log2, m, ref, nb)
				cost[m] = block.SAD(src, dst, f.stride, log2)
			}
		}
		mode = block.PickMode(&cost, nb, block.ModePrice(e.qp))
		if mode == block.ModeDC {
			return mode
		}
	}
	block.Predict(dst, f.stride, log2, mode, ref, nb)
	return mode
}
