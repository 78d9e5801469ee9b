package t265

import "vcsim/t265/block"

// The search of the hw tier: a coding unit of the largest transform size has
// one intra mode and a residual quadtree of up to two splits, whose sizes are
// compared closed loop by squared error plus estimated bits.

// A hwSearch holds the candidates of a coding unit.
type hwSearch struct {
	mode  hwDecider
	lane  int
	level [6]hwBlock // by log2 of the size
}

// A hwBlock is a transform block before it is chosen.
type hwBlock struct {
	lev    [1024]int16
	mask   [64]uint16
	levels block.Levels // lev and mask of the block under way
	pred   [1024]uint8
	cbf    bool
}

// node decides a node of the quadtree and reconstructs it.
func (h *hwSearch) node(e *Encoder, n node) {
	if n.log2 > max(e.g.maxTB, 3) || !e.f.holds(n) {
		for i := range 4 {
			if q := n.quarter(i); e.f.begins(q) {
				h.node(e, q)
			}
		}
		return
	}
	e.plan.setUnit(n, false)
	h.lane = h.mode.decide(e, n)
	e.f.fillMode(n, block.DecisionModes[h.lane])
	h.tree(e, n.root(), block.Never)
}

// tree decides the residual quadtree below a node and returns its cost. If
// that is less than limit, it also reconstructs the block. If not, the caller
// has no use for the block, and the cost may be too large.
func (h *hwSearch) tree(e *Encoder, n node, limit int) int {
	whole := block.Never
	if e.g.allow[n.log2] {
		whole = h.block(e, n)
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
	if whole < limit {
		h.commit(e, n)
	}
	return whole
}

// block predicts, transforms and quantises one transform block into h.level
// and returns its cost.
func (h *hwSearch) block(e *Encoder, n node) int {
	f, w, b := &e.f, &e.work, &h.level[n.log2]
	size, src := n.size(), e.src[f.at(n):]
	mode := int(block.DecisionModes[h.lane])
	pred := b.pred[:size*size]
	if n.depth > 0 {
		f.gather(&w.ref, n, e.edge)
		ref := &w.ref
		if block.Filtered(n.log2, mode) {
			w.ref.Filter(&w.flt, n.log2, e.p.Off&ToolStrong == 0)
			ref = &w.flt
		}
		block.Predict(pred, size, n.log2, mode, ref)
	} else {
		copy(pred, h.mode.pred[h.lane][:])
	}
	b.levels = block.LevelsIn(b.lev[:], b.mask[:], n.log2, block.ScanIndex(n.log2, mode))
	l := &b.levels
	dist, rate := 0, 0
	switch {
	case e.p.Lossless:
		block.Subtract(&w.diff, src, f.stride, pred, size)
		b.cbf, rate = losslessLevels(l, &w.diff)
	case e.p.skips() && n.log2 == 2:
		// Another transform would cost more than it brings.
		b.cbf, dist, rate = e.quant[2].SkipBlock(l, src, f.stride, pred)
	default:
		block.Subtract(&w.diff, src, f.stride, pred, size)
		block.Forward(&w.coef, &w.diff, n.log2, n.log2 == 2)
		b.cbf, dist, rate = e.quant[n.log2].Block(l, &w.coef)
	}
	return dist + rate*block.BitPrice>>4
}

// commit puts a block into plan and picture.
func (h *hwSearch) commit(e *Encoder, n node) {
	f, b := &e.f, &h.level[n.log2]
	size, z := n.size(), e.plan.order(n)
	skip := e.p.skips() && n.log2 == 2
	e.plan.tu[z], e.plan.cbf[z], e.plan.skip[z] = uint8(n.log2), b.cbf, skip
	l := &b.levels
	if b.cbf {
		to := e.plan.levels(n, l.Scan)
		copy(to.Lev, l.Lev)
		copy(to.Mask, l.Mask)
	}
	if e.p.Lossless {
		return // the picture is the source already
	}
	dst := f.pix[f.at(n):]
	for j := range size {
		copy(dst[j*f.stride:][:size], b.pred[j*size:])
	}
	switch {
	case !b.cbf:
	case skip:
		e.scale[2].RestoreSkip(dst, f.stride, l)
	default:
		e.work.restorer.Restore(dst, f.stride, &e.scale[n.log2], l, false)
	}
}
