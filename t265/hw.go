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
	lev  [1024]int16
	mask [64]uint16
	pred [1024]uint8
	cbf  bool
}

// node decides the quadtree node (x, y) and reconstructs it.
func (h *hwSearch) node(e *Encoder, x, y, log2, depth int) {
	f, g := &e.f, &e.g
	n := 1 << log2
	if log2 > max(g.maxTB, 3) || x+n > f.grid.Width || y+n > f.grid.Height {
		half := n >> 1
		for i := range 4 {
			bx, by := x+i&1*half, y+i>>1*half
			if bx < f.grid.Width && by < f.grid.Height {
				h.node(e, bx, by, log2-1, depth+1)
			}
		}
		return
	}
	e.plan.setUnit(x, y, log2, g.ctb, false)
	h.lane = h.mode.decide(e, x, y, log2)
	f.fillMode(x, y, n, block.DecisionModes[h.lane])
	h.tree(e, x, y, log2, 0, block.Never)
}

// tree decides the residual quadtree below (x, y) and returns its cost. If
// that is less than limit, it also reconstructs the block. If not, the caller
// has no use for the block, and the cost may be too large.
func (h *hwSearch) tree(e *Encoder, x, y, log2, depth, limit int) int {
	g := &e.g
	whole := block.Never
	if g.allow[log2] {
		whole = h.block(e, x, y, log2, depth)
	}
	if log2 > 2 && depth < maxDepth && (g.allow[log2-1] || log2 > 3 && depth+1 < maxDepth && g.allow[log2-2]) {
		best := min(whole, limit)
		parts := block.SplitPrice
		half := 1 << log2 >> 1
		for i := 0; i < 4 && parts < best; i++ {
			parts += h.tree(e, x+i&1*half, y+i>>1*half, log2-1, depth+1, best-parts)
		}
		if parts < best {
			return parts
		}
	}
	if whole < limit {
		h.commit(e, x, y, log2)
	}
	return whole
}

// block predicts, transforms and quantises one transform block into h.level
// and returns its cost.
func (h *hwSearch) block(e *Encoder, x, y, log2, depth int) int {
	f, w, b := &e.f, &e.work, &h.level[log2]
	n := 1 << log2
	at := y*f.stride + x
	mode := int(block.DecisionModes[h.lane])
	if depth > 0 {
		w.ref.Gather(f.pix, f.stride, at, n, f.grid.Neighbours(x, y, n, e.edge))
		ref := &w.ref
		if block.Filtered(log2, mode) {
			w.ref.Filter(&w.flt, log2, e.p.Off&ToolStrong == 0)
			ref = &w.flt
		}
		block.Predict(b.pred[:n*n], n, log2, mode, ref)
	} else {
		copy(b.pred[:n*n], h.mode.pred[h.lane][:])
	}
	pred := b.pred[:n*n]
	idx := block.ScanIndex(log2, mode)
	lev, mask := b.lev[:n*n], b.mask[:n*n/16]
	dist, rate := 0, 0
	switch {
	case e.p.Lossless:
		block.Subtract(&w.diff, e.src[at:], f.stride, pred, n, n)
		b.cbf, rate = losslessLevels(lev, mask, &w.diff, log2, idx)
	case e.p.skips() && log2 == 2:
		// Another transform would cost more than it brings.
		b.cbf, dist, rate = e.quant[2].SkipBlock(lev, mask, e.src[at:], f.stride, pred, idx)
	default:
		block.Subtract(&w.diff, e.src[at:], f.stride, pred, n, n)
		block.Forward(&w.coef, &w.diff, log2, log2 == 2)
		b.cbf, dist, rate = e.quant[log2].Block(lev, mask, &w.coef, log2, idx)
	}
	return dist + rate*block.BitPrice>>4
}

// commit puts a block into plan and picture.
func (h *hwSearch) commit(e *Encoder, x, y, log2 int) {
	f, b := &e.f, &h.level[log2]
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(block.ZOrder[(y&mask)>>2<<4|(x&mask)>>2])
	skip := e.p.skips() && log2 == 2
	e.plan.tu[z], e.plan.cbf[z], e.plan.skip[z] = uint8(log2), b.cbf, skip
	if b.cbf {
		lev, sig := e.plan.levels(z, log2)
		copy(lev, b.lev[:])
		copy(sig, b.mask[:])
	}
	if e.p.Lossless {
		return // the picture is the source already
	}
	at := y*f.stride + x
	for j := range n {
		copy(f.pix[at+j*f.stride:][:n], b.pred[j*n:])
	}
	idx := block.ScanIndex(log2, int(block.DecisionModes[h.lane]))
	switch {
	case !b.cbf:
	case skip:
		e.scale[2].RestoreSkip(f.pix[at:], f.stride, b.lev[:16], idx)
	default:
		e.work.restorer.Restore(f.pix[at:], f.stride, &e.scale[log2], b.lev[:n*n], b.mask[:n*n/16], log2, idx, false)
	}
}
