package t265

import "vcsim/t265/block"

// The search of the rdo tier: closed loop, every allowed block size of the
// coding quadtree. The modes of a block are ranked by a guess of their cost
// (slot.go); the trellis quantises the most promising, and the best of these
// goes on to the transform tree.

// A rdoSearch decides the CTUs of an Encoder. Costs are in 1/4096 squared
// quantiser steps: squared error plus lambda times bits.
type rdoSearch struct {
	e   *Encoder
	ctx block.Odds // at the start of the CTU, for the syntax above residual_coding
	// shadow holds, by log2 of the transform size, the odds that would be if
	// all blocks had that size. Estimates from the states of the stream would
	// favour the sizes already in use.
	shadow [6]block.Odds
	rates  [6]block.Rates // of shadow
	tr     block.Trellis
	// exact has the squared errors measured on samples, in units of perSample/256,
	// and not on coefficients.
	exact     bool
	perSample int

	slots [6][slots]slot // by log2 of the block size
	list  [6][2 * slots]trial
	probe [6]probe
	refs  [6]references
	// best holds the winner so far at each log2 of a block size, next the
	// block under trial.
	best, next   [6]*candidate
	saved, tried [7]region // beside the plan by log2 of the block size
	diff         block.Pairs
	pred         [1024]uint8
}

// A candidate is one way to code a block.
type candidate struct {
	cost int
	lev  [1024]int16
	mask [64]uint16
	pix  [1024]uint8 // the prediction, or if restored the reconstruction
	mode uint8
	cbf  bool
	skip bool
	done bool // restored
}

// Breadth of the search by log2 of the block size: how many of the ranked
// slots the trellis tries, and for how many modes of a coding unit a split of
// the transform tree is tried.
var (
	trials = [6]int{2: 6, 3: 2, 4: 2, 5: 1}
	splits = [6]int{3: 2, 4: 2}
)

const (
	// exactBelow is the QP from which on the rounding of samples matters
	// little beside the error of the coefficients.
	exactBelow = 22
)

func newRDOSearch(e *Encoder) *rdoSearch {
	r := &rdoSearch{e: e}
	for l := 2; l < 6; l++ {
		r.best[l], r.next[l] = new(candidate), new(candidate)
		r.slots[l] = newSlots(l)
	}
	r.tr.Hide = e.p.hides()
	return r
}

// reset starts a slice.
func (r *rdoSearch) reset(qp int) {
	for i := range r.shadow {
		r.shadow[i].Reset(&block.InitialContexts[qp])
	}
	r.probe = [6]probe{}
}

// decide fills the plan and reconstructs the CTU at (x, y).
func (r *rdoSearch) decide(x, y int) {
	e := r.e
	r.ctx.Reset(&e.res.ctx)
	step := int(block.LevelScale[e.qp%6]) << (e.qp / 6) // 64 is one sample
	r.perSample = 4096 * 4096 * 256 / (step * step)
	r.exact = e.qp < exactBelow
	r.node(x, y, e.g.ctb, 0)
}

// node decides the quadtree node (x, y) and returns its cost.
func (r *rdoSearch) node(x, y, log2, depth int) int {
	e := r.e
	f, g := &e.f, &e.g
	n := 1 << log2
	if log2 == min(5, g.ctb) {
		for l := 2; l <= max(g.maxTB, 3); l++ {
			r.rates[l].Load(&r.shadow[l], l)
		}
	}
	fits := x+n <= f.grid.Width && y+n <= f.grid.Height
	canSplit := log2 > g.minCB
	var split0, split1 int // costs of split_cu_flag
	if canSplit && fits {
		c := block.CtxSplitCU + f.splitContext(x, y, depth, e.edge)
		split0, split1 = r.ctx.Rate(c, 0), r.ctx.Rate(c, 1)
	}
	best, split := block.Never, false
	if fits && log2 <= max(g.maxTB, 3) {
		best, split = r.unit(x, y, log2)
		best += split0
	}
	// The unit waits in r.best, or if its transform tree is split, in r.saved.
	alone := !canSplit && !(log2 == 3 && g.allow[2])
	if split && !alone {
		r.saved[log2].take(e, x, y, log2)
	}
	parts, four := block.Never, false
	if log2 == 3 && g.allow[2] {
		parts = split0 + r.quarters(x, y, best-split0)
		four = parts < best
	}
	if canSplit {
		parts = split1
		h := n >> 1
		for i := range 4 {
			bx, by := x+i&1*h, y+i>>1*h
			if bx < f.grid.Width && by < f.grid.Height {
				parts += r.node(bx, by, log2-1, depth+1)
				if parts >= best {
					break
				}
			}
		}
		if parts < best {
			return parts
		}
	}
	switch {
	case four:
		best = parts
		e.plan.setUnit(x, y, log2, g.ctb, true)
	case !split:
		b := r.best[log2]
		e.plan.setUnit(x, y, log2, g.ctb, false)
		f.fillMode(x, y, n, b.mode)
		r.commit(x, y, log2, b)
	case !alone:
		r.saved[log2].put(e, x, y, log2)
	}
	f.fill8(f.depth, x, y, n, uint8(depth))
	return best
}

// quarters codes the coding unit of 8x8 at (x, y) as four prediction blocks and
// returns its cost, split_cu_flag excluded. It gives up when the cost reaches
// the limit.
func (r *rdoSearch) quarters(x, y, limit int) int {
	sum := r.ctx.Rate(block.CtxPartMode, 0)
	for i := range 4 {
		sum += r.part(x+i&1*4, y+i>>1*4)
		if sum >= limit {
			break
		}
	}
	return sum
}

// part codes one 4x4 prediction block of a coding unit of four.
func (r *rdoSearch) part(x, y int) int {
	b := r.leaves(x, y, 2, 1, 0, block.Never, r.rank(x, y, 2, trials[2]))
	r.e.f.fillMode(x, y, 4, b.mode)
	r.commit(x, y, 2, b)
	return b.cost
}

// unit codes a coding unit with one prediction block and returns its cost,
// split_cu_flag excluded, and whether its transform tree is split. If not, it
// is left in r.best.
func (r *rdoSearch) unit(x, y, log2 int) (cost int, split bool) {
	e := r.e
	g := &e.g
	base := 0
	if log2 == g.minCB {
		base = r.ctx.Rate(block.CtxPartMode, 1)
	}
	e.plan.setUnit(x, y, log2, g.ctb, false)
	split0, split1 := r.splitRates(log2, 0)
	ranked := r.rank(x, y, log2, trials[log2])
	b := r.best[log2]
	b.cost = block.Never
	if g.allow[log2] {
		b = r.leaves(x, y, log2, 0, base+split0, block.Never, ranked)
		// The best mode is the first one to be split.
		for i, t := range ranked {
			if r.slots[log2][t.slot].mode == int(b.mode) {
				ranked[0], ranked[i] = t, ranked[0]
			}
		}
	}
	cost = b.cost
	if r.canSplit(log2, 0) {
		for _, t := range ranked[:min(len(ranked), splits[log2])] {
			s := &r.slots[log2][t.slot]
			if split {
				r.tried[log2].take(e, x, y, log2)
			}
			e.f.fillMode(x, y, 1<<log2, uint8(s.mode))
			c := base + split1 + s.head
			c += r.parts(x, y, log2, 0, s.mode, cost-c)
			if c < cost {
				cost, split = c, true
			} else if split {
				r.tried[log2].put(e, x, y, log2)
			}
		}
	}
	return cost, split
}

// splitRates returns the costs of split_transform_flag.
func (r *rdoSearch) splitRates(log2, depth int) (split0, split1 int) {
	if log2 <= max(r.e.g.maxTB, 3) && log2 > 2 && depth < maxDepth {
		c := block.CtxSplitTransform + 5 - log2
		return r.ctx.Rate(c, 0), r.ctx.Rate(c, 1)
	}
	return 0, 0
}

func (r *rdoSearch) canSplit(log2, depth int) bool {
	allow := &r.e.g.allow
	return log2 > 2 && depth < maxDepth && (allow[log2-1] || log2 > 3 && depth+1 < maxDepth && allow[log2-2])
}

// parts codes a node of the transform tree as four and returns their cost. It
// gives up when the cost reaches the limit.
func (r *rdoSearch) parts(x, y, log2, depth, mode, limit int) int {
	h := 1 << log2 >> 1
	sum := 0
	for i := range 4 {
		sum += r.tree(x+i&1*h, y+i>>1*h, log2-1, depth+1, mode, limit-sum)
		if sum >= limit {
			return block.Never
		}
	}
	return sum
}

// tree decides the transform tree below (x, y) and returns its cost. It also
// reconstructs the block if that is below the limit.
func (r *rdoSearch) tree(x, y, log2, depth, mode, limit int) int {
	split0, split1 := r.splitRates(log2, depth)
	cost := limit
	var b *candidate
	if r.e.g.allow[log2] {
		b = r.leaves(x, y, log2, depth, split0, limit, r.single(x, y, log2, mode))
		cost = b.cost
	}
	if r.canSplit(log2, depth) {
		c := split1 + r.parts(x, y, log2, depth, mode, cost-split1)
		if c < cost {
			return c
		}
	}
	if cost < limit {
		r.commit(x, y, log2, b)
	}
	return cost
}

// leaves codes the trials of a block, each as one transform block, and returns
// the best; its cost is the limit if that is not below it. depth is the
// transform depth, head the cost of what precedes the mode. It trains the
// shadow with prediction blocks.
func (r *rdoSearch) leaves(x, y, log2, depth, head, limit int, list []trial) *candidate {
	e := r.e
	at := y*e.f.stride + x
	c := block.CtxCbfLuma
	if depth == 0 {
		c++
	}
	cbf0, cbf1 := r.ctx.Rate(c, 0), r.ctx.Rate(c, 1)
	r.best[log2].cost = limit
	for _, t := range list {
		s := &r.slots[log2][t.slot]
		zero, one := head+s.head+cbf0, head+s.head+cbf1
		if log2 == 2 && e.p.skips() {
			one += r.ctx.Rate(block.CtxTransformSkip, int(t.kind))
		}
		r.quantise(s, int(t.kind), at, log2, zero, one)
	}
	b := r.best[log2]
	if r.probe[log2].learn(b.mode) && b.cbf {
		n := 1 << (2 * log2)
		r.shadow[log2].Train(log2, block.ScanIndex(log2, int(b.mode)), b.lev[:n], b.mask[:n/16])
	}
	return b
}

// quantise chooses the levels of a slot and keeps the block if it is better
// than the best so far. zero and one are the costs of what precedes the
// levels, without and with any.
func (r *rdoSearch) quantise(s *slot, kind, at, log2, zero, one int) {
	e := r.e
	n := 1 << log2
	c, best := r.next[log2], r.best[log2]
	lev, mask := c.lev[:n*n], c.mask[:n*n/16]
	idx := block.ScanIndex(log2, s.mode)
	q := &e.quant[log2]
	var dist int
	if e.p.Off&ToolRDOQ == 0 {
		r.tr.Rates = &r.rates[log2]
		c.cost, dist, c.cbf = r.tr.Block(lev, mask, s.coef[kind], q, log2, idx, zero, one, best.cost)
	} else {
		c.cbf, dist, _ = q.Block(lev, mask, s.coef[kind], log2, idx)
		c.cost = dist + zero
		if c.cbf {
			c.cost = dist + one + r.rates[log2].Block(log2, idx, lev, mask, r.tr.Hide)
		}
	}
	if c.cost >= best.cost {
		return
	}
	copy(c.pix[:n*n], s.pred)
	c.mode, c.skip, c.done = uint8(s.mode), c.cbf && kind == kindSkip, r.exact
	if r.exact {
		if c.cbf {
			r.restore(c.pix[:], n, log2, lev, mask, idx, c.skip)
		}
		sse := 0
		for j := range n {
			a, b := e.src[at+j*e.f.stride:][:n], c.pix[j*n:][:n]
			for i := range a {
				d := int(a[i]) - int(b[i])
				sse += d * d
			}
		}
		c.cost += sse*r.perSample>>8 - dist
		if c.cost >= best.cost {
			return
		}
	}
	r.next[log2], r.best[log2] = best, c
}

// commit puts a candidate into plan and picture.
func (r *rdoSearch) commit(x, y, log2 int, c *candidate) {
	e := r.e
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(block.ZOrder[(y&mask)>>2<<4|(x&mask)>>2])
	lev, sig := e.plan.levels(z, log2)
	e.plan.tu[z], e.plan.cbf[z], e.plan.skip[z] = uint8(log2), c.cbf, c.skip
	at := y*e.f.stride + x
	for j := range n {
		copy(e.f.pix[at+j*e.f.stride:][:n], c.pix[j*n:])
	}
	if c.cbf {
		copy(lev, c.lev[:])
		copy(sig, c.mask[:])
		if !c.done {
			r.restore(e.f.pix[at:], e.f.stride, log2, lev, sig, block.ScanIndex(log2, int(c.mode)), c.skip)
		}
	}
}

// restore adds a residual to the prediction in dst.
func (r *rdoSearch) restore(dst []byte, stride, log2 int, lev []int16, mask []uint16, scanIdx int, skip bool) {
	e := r.e
	if log2 == 2 {
		block.Restore4x4(dst, stride, &e.scale[2], lev, mask[0], scanIdx, skip)
		return
	}
	e.work.restorer.Restore(dst, stride, &e.scale[log2], lev, mask, log2, scanIdx, skip)
}
