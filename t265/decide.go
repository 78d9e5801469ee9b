package t265

import "vcsim/t265/block"

// hwModes are the four modes, in the order of the lanes below.
var hwModes = [4]uint8{block.ModeDC, block.ModePlanar, block.ModeVertical, block.ModeHorizontal}

// A hwDecider holds the scratch of the decision.
type hwDecider struct {
	ref, flt block.Refs
	pred     [4][1024]uint8 // by lane
	tables   [2]*block.CostTable
	tableQP  [2]int
}

// modePrice is the price of a mode other than DC in 1/256 squared steps.
const modePrice = 400

// decide returns the lane of the best mode for the block (x, y) of size
// 1<<log2; h.pred holds the predictions of all four.
func (h *hwDecider) decide(e *Encoder, x, y, log2 int) int {
	f := &e.f
	n := 1 << log2
	at := y*f.stride + x
	h.ref.Gather(f.pix, f.stride, at, n, f.grid.Neighbours(x, y, n, e.edge))
	block.DC(h.pred[0][:], n, log2, &h.ref)
	if e.p.Off&ToolIntra != 0 {
		return 0
	}
	ref := &h.ref
	if block.Filtered(log2, block.ModePlanar) {
		h.ref.Filter(&h.flt, log2, e.p.Off&ToolStrong == 0)
		ref = &h.flt
	}
	block.Planar(h.pred[1][:], n, log2, ref)
	block.Vertical(h.pred[2][:], n, log2, &h.ref)
	block.Horizontal(h.pred[3][:], n, log2, &h.ref)
	sums := h.table(e.qp).Hadamard(&h.pred, e.src[at:], f.stride, log2)
	best := 0
	for l := 1; l < 4; l++ {
		// DC, the commonest mode, needs no price.
		c := sums[l] + modePrice
		if best == 0 && c < sums[0] || best > 0 && c < sums[best]+modePrice {
			best = l
		}
	}
	return best
}

// table returns the cost table of a QP; fine QPs alternate between two.
func (h *hwDecider) table(qp int) *block.CostTable {
	i := qp & 1
	if h.tables[i] == nil {
		h.tables[i] = new(block.CostTable)
		h.tableQP[i] = -1
	}
	if h.tableQP[i] != qp {
		h.tables[i].Load(qp)
		h.tableQP[i] = qp
	}
	return h.tables[i]
}
