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

// decide returns the lane of the best mode for the block at a node; h.pred holds
// the predictions of all four.
func (h *hwDecider) decide(e *Encoder, n node) int {
	f, size := &e.f, n.size()
	f.gather(&h.ref, n, e.edge)
	block.DC(h.pred[0][:], size, n.log2, &h.ref)
	if e.p.Off&ToolIntra != 0 {
		return 0
	}
	ref := &h.ref
	if block.Filtered(n.log2, block.ModePlanar) {
		h.ref.Filter(&h.flt, n.log2, e.p.Off&ToolStrong == 0)
		ref = &h.flt
	}
	block.Planar(h.pred[1][:], size, n.log2, ref)
	block.Vertical(h.pred[2][:], size, n.log2, &h.ref)
	block.Horizontal(h.pred[3][:], size, n.log2, &h.ref)
	return block.BestMode(h.table(e.qp).Hadamard(&h.pred, e.src[f.at(n):], f.stride, n.log2))
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
