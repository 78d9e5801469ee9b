package t265

import "vcsim/t265/block"

// The search of the hw tier. A CTU is one coding unit of one intra mode. Mode and
// residual quadtree are decided first, from samples of the source (sketch.go); then
// the transform blocks are coded one after the other, each once.

// A hwSearch holds the state of a CTU under way.
type hwSearch struct {
	sketch sketch
	lane   int
	pred   [1024]uint8
	skip   block.SkipCosts
}

// node decides a node of the coding quadtree and reconstructs it. In tier hw that
// is a CTU; a lossless picture of tier rdo has smaller coding units.
func (h *hwSearch) node(e *Encoder, n node) {
	if n.log2 > e.g.unit || !e.f.holds(n) {
		for i := range 4 {
			if q := n.quarter(i); e.f.begins(q) {
				h.node(e, q)
			}
		}
		return
	}
	h.sketch.load(e, n)
	h.lane = 0 // DC
	if e.p.Off&ToolIntra == 0 {
		h.lane = h.sketch.mode(n, e.qp)
	}
	e.f.fillMode(n, block.DecisionModes[h.lane])
	e.plan.setUnit(n, false)
	h.tree(e, n.root(), block.Never)
	h.code(e, n.root())
}

// tree decides the residual quadtree below a node and returns its cost, or if that
// is not below limit, any number that is not.
func (h *hwSearch) tree(e *Encoder, n node, limit int) int {
	whole := block.Never
	if e.g.allow[n.log2] {
		whole = h.cost(e, n, limit)
	}
	if e.g.canSplit(n) {
		best := min(whole, limit)
		parts := block.SplitPrice
		for i := 0; i < 4 && parts < best; i++ {
			parts += h.tree(e, n.quarter(i), best-parts)
		}
		if parts < best {
			return parts
		}
	}
	e.plan.tu[e.plan.order(n)] = uint8(n.log2)
	return whole
}

// cost returns the cost of a node as one transform block, or if that is not below
// limit, any number that is not.
func (h *hwSearch) cost(e *Encoder, n node, limit int) int {
	w, size := &e.work, n.size()
	pred := h.pred[:size*size]
	src := h.sketch.predict(pred, n, h.lane)
	switch {
	case e.p.Lossless:
		block.Subtract(&w.diff, src, sketchStride, pred, size)
		return losslessRate(&w.diff, n.log2) * block.BitPrice >> 4
	case e.p.skips() && n.log2 == 2:
		return h.skip.Cost(src, sketchStride, pred)
	}
	block.SubtractRows(&w.diff, src, sketchStride, pred, size)
	if n.log2 == 3 || n.log2 == 4 {
		return e.quant[n.log2].RowsCost(&w.diff, n.log2, limit)
	}
	block.ForwardRows(&w.coef, &w.diff, n.log2, n.log2 == 2)
	return e.quant[n.log2].Cost(&w.coef, n.log2, limit)
}

// code codes the transform blocks below a node into the plan and reconstructs them.
func (h *hwSearch) code(e *Encoder, n node) {
	f, w, z := &e.f, &e.work, e.plan.order(n)
	if n.log2 > int(e.plan.tu[z]) {
		for i := range 4 {
			h.code(e, n.quarter(i))
		}
		return
	}
	size, src, mode := n.size(), e.src[f.at(n):], int(block.DecisionModes[h.lane])
	pred := h.pred[:size*size]
	f.gather(&w.ref, n, e.edge)
	ref := &w.ref
	if block.Filtered(n.log2, mode) {
		w.ref.Filter(&w.flt, n.log2, e.p.Off&ToolStrong == 0)
		ref = &w.flt
	}
	block.Predict(pred, size, n.log2, mode, ref)
	l := e.plan.levels(n, block.ScanIndex(n.log2, mode))
	skip := e.p.skips() && n.log2 == 2
	var cbf bool
	switch {
	case e.p.Lossless:
		block.Subtract(&w.diff, src, f.stride, pred, size)
		cbf = losslessLevels(&l, &w.diff)
	case skip:
		// Another transform would cost more than it brings.
		cbf, _, _ = e.quant[2].SkipBlock(&l, src, f.stride, pred)
	default:
		block.SubtractRows(&w.diff, src, f.stride, pred, size)
		block.ForwardRows(&w.coef, &w.diff, n.log2, n.log2 == 2)
		cbf, _, _ = e.quant[n.log2].Block(&l, &w.coef)
	}
	e.plan.cbf[z], e.plan.skip[z] = cbf, skip
	if e.p.Lossless {
		return // the picture is the source
	}
	dst := f.pix[f.at(n):]
	for j := range size {
		copy(dst[j*f.stride:][:size], pred[j*size:])
	}
	switch {
	case cbf && skip:
		e.scale[2].RestoreSkip(dst, f.stride, &l)
	case cbf:
		e.work.restorer.Restore(dst, f.stride, &e.scale[n.log2], &l, false)
	}
}
