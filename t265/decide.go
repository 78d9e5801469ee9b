package t265

import "vcsim/t265/block"

// Intra mode decision of the hw tier, once for each coding unit.

// A hwDecider holds the scratch of the decision.
type hwDecider struct {
	ref, flt block.Refs
	pred     [4][1024]uint8 // by lane
	tables   [2]*block.CostTable
	tableQP  [2]int
	qp       int
}

// decide returns the lane of the best mode for the coding unit at a node; up to 32x32,
// h.pred holds the predictions.
func (h *hwDecider) decide(e *Encoder, n node) int {
	switch {
	case n.log2 <= 5 && e.p.Off&ToolIntra == 0:
		return block.BestMode(h.costs(e, n))
	case n.log2 <= 5:
		e.hw.gather(e, &h.ref, n)
		block.DC(h.pred[0][:], n.size(), n.log2, &h.ref)
		return 0
	case e.p.Off&ToolIntra != 0:
		return 0
	}
	var sums [4]int
	for i := range 4 {
		for l, c := range h.costs(e, n.quarter(i)) {
			sums[l] += c
		}
	}
	return block.BestMode(sums)
}

// costs predicts a block in all modes and returns what they cost by lane.
func (h *hwDecider) costs(e *Encoder, n node) [4]int {
	size := n.size()
	e.hw.gather(e, &h.ref, n)
	ref := &h.ref
	if block.Filtered(n.log2, block.ModePlanar) {
		h.ref.Filter(&h.flt, n.log2, e.p.Off&ToolStrong == 0)
		ref = &h.flt
	}
	block.DC(h.pred[0][:], size, n.log2, &h.ref)
	block.Planar(h.pred[1][:], size, n.log2, ref)
	block.Vertical(h.pred[2][:], size, n.log2, &h.ref)
	block.Horizontal(h.pred[3][:], size, n.log2, &h.ref)
	src, stride := e.hw.source(e, n)
	return h.tables[h.qp&1].Hadamard(&h.pred, src, stride, n.log2)
}

// setQP loads the cost table of a QP; fine QPs alternate between two.
func (h *hwDecider) setQP(qp int) {
	h.qp = qp
	i := qp & 1
	if h.tables[i] == nil {
		h.tables[i] = new(block.CostTable)
		h.tableQP[i] = -1
	}
	if h.tableQP[i] != qp {
		h.tables[i].Load(qp)
		h.tableQP[i] = qp
	}
}
