package t265

import "vcsim/t265/block"

// Intra mode decision of the hw tier, once for each coding unit.

// A hwDecider holds the scratch of the decision.
type hwDecider struct {
	ref, flt block.Refs
	pred     [4][1024]uint8 // by lane
	tables   [2]*block.CostTable
	tableQP  [2]int
}

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
	return block.BestMode(h.table(e.qp).Hadamard(&h.pred, e.src[at:], f.stride, log2))
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
