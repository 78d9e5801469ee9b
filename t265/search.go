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

	compared [6][maxModes]slot // by log2 of the block size
	list     [6][2 * maxModes]trial
	probe    [6]probe
	refs     [6]references
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
		r.compared[l] = newSlots(l)
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

// decide fills the plan and reconstructs a CTU.
func (r *rdoSearch) decide(ctu node) {
	e := r.e
	r.ctx.Reset(&e.res.ctx)
	step := int(block.LevelScale[e.qp%6]) << (e.qp / 6) // 64 is one sample
	r.perSample = 4096 * 4096 * 256 / (step * step)
	r.exact = e.qp < exactBelow
	r.node(ctu)
}

// node decides a node of the quadtree and returns its cost.
func (r *rdoSearch) node(n node) int {
	e := r.e
	f, g, log2 := &e.f, &e.g, n.log2
	if log2 == min(5, g.ctb) {
		for l := 2; l <= max(g.maxTB, 3); l++ {
			r.rates[l].Load(&r.shadow[l], l)
		}
	}
	fits := f.holds(n)
	canSplit := log2 > g.minCB
	var split0, split1 int // costs of split_cu_flag
	if canSplit && fits {
		c := block.CtxSplitCU + f.splitContext(n, e.edge)
		split0, split1 = r.ctx.Rate(c, 0), r.ctx.Rate(c, 1)
	}
	best, split := block.Never, false
	if fits && log2 <= max(g.maxTB, 3) {
		best, split = r.unit(n.root())
		best += split0
	}
	// The unit waits in r.best, or if its transform tree is split, in r.saved.
	alone := !canSplit && !(log2 == 3 && g.allow[2])
	if split && !alone {
		r.saved[log2].take(e, n)
	}
	parts, four := block.Never, false
	if log2 == 3 && g.allow[2] {
		parts = split0 + r.quarters(n.root(), best-split0)
		four = parts < best
	}
	if canSplit {
		parts = split1
		for i := range 4 {
			if q := n.quarter(i); f.begins(q) {
				parts += r.node(q)
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
		e.plan.setUnit(n, true)
	case !split:
		b := r.best[log2]
		e.plan.setUnit(n, false)
		f.fillMode(n, b.mode)
		r.commit(n, b)
	case !alone:
		r.saved[log2].put(e, n)
	}
	f.fill8(f.depth, n, uint8(n.depth))
	return best
}

// quarters codes the coding unit of 8x8 at a node as four prediction blocks and
// returns its cost, split_cu_flag excluded. It gives up when the cost reaches
// the limit.
func (r *rdoSearch) quarters(n node, limit int) int {
	sum := r.ctx.Rate(block.CtxPartMode, 0)
	for i := range 4 {
		sum += r.part(n.quarter(i))
		if sum >= limit {
			break
		}
	}
	return sum
}

// part codes one 4x4 prediction block of a coding unit of four.
func (r *rdoSearch) part(n node) int {
	b := r.leaves(n, 0, block.Never, r.rank(n, trials[2]))
	r.e.f.fillMode(n, b.mode)
	r.commit(n, b)
	return b.cost
}

// unit codes a coding unit with one prediction block and returns its cost,
// split_cu_flag excluded, and whether its transform tree is split. If not, it
// is left in r.best. The node is the root of the transform tree.
func (r *rdoSearch) unit(n node) (cost int, split bool) {
	e, g, log2 := r.e, &r.e.g, n.log2
	base := 0
	if log2 == g.minCB {
		base = r.ctx.Rate(block.CtxPartMode, 1)
	}
	e.plan.setUnit(n, false)
	split0, split1 := r.splitRates(n)
	ranked := r.rank(n, trials[log2])
	b := r.best[log2]
	b.cost = block.Never
	if g.allow[log2] {
		b = r.leaves(n, base+split0, block.Never, ranked)
		// The best mode is the first one to be split.
		for i, t := range ranked {
			if r.compared[log2][t.slot].mode == int(b.mode) {
				ranked[0], ranked[i] = t, ranked[0]
			}
		}
	}
	cost = b.cost
	if g.canSplit(n) {
		for _, t := range ranked[:min(len(ranked), splits[log2])] {
			s := &r.compared[log2][t.slot]
			if split {
				r.tried[log2].take(e, n)
			}
			e.f.fillMode(n, uint8(s.mode))
			c := base + split1 + s.head
			c += r.parts(n, s.mode, cost-c)
			if c < cost {
				cost, split = c, true
			} else if split {
				r.tried[log2].put(e, n)
			}
		}
	}
	return cost, split
}

// splitRates returns the costs of split_transform_flag.
func (r *rdoSearch) splitRates(n node) (split0, split1 int) {
	if r.e.g.signalsSplit(n, r.e.g.depth) {
		c := block.CtxSplitTransform + 5 - n.log2
		return r.ctx.Rate(c, 0), r.ctx.Rate(c, 1)
	}
	return 0, 0
}

// parts codes a node of the transform tree as four and returns their cost. It
// gives up when the cost reaches the limit.
func (r *rdoSearch) parts(n node, mode, limit int) int {
	sum := 0
	for i := range 4 {
		sum += r.tree(n.quarter(i), mode, limit-sum)
		if sum >= limit {
			return block.Never
		}
	}
	return sum
}

// tree decides the transform tree below a node and returns its cost. It also
// reconstructs the block if that is below the limit.
func (r *rdoSearch) tree(n node, mode, limit int) int {
	split0, split1 := r.splitRates(n)
	cost := limit
	var b *candidate
	if r.e.g.allow[n.log2] {
		b = r.leaves(n, split0, limit, r.single(n, mode))
		cost = b.cost
	}
	if r.e.g.canSplit(n) {
		c := split1 + r.parts(n, mode, cost-split1)
		if c < cost {
			return c
		}
	}
	if cost < limit {
		r.commit(n, b)
	}
	return cost
}

// leaves codes the trials of a block, each as one transform block, and returns
// the best; its cost is the limit if that is not below it. head is the cost of
// what precedes the mode. It trains the shadow with prediction blocks.
func (r *rdoSearch) leaves(n node, head, limit int, list []trial) *candidate {
	e, log2 := r.e, n.log2
	c := block.CtxCbfLuma
	if n.depth == 0 {
		c++
	}
	cbf0, cbf1 := r.ctx.Rate(c, 0), r.ctx.Rate(c, 1)
	r.best[log2].cost = limit
	for _, t := range list {
		s := &r.compared[log2][t.slot]
		before := block.Prices{Zero: head + s.head + cbf0, One: head + s.head + cbf1}
		if log2 == 2 && e.p.skips() {
			before.One += r.ctx.Rate(block.CtxTransformSkip, int(t.kind))
		}
		r.quantise(s, int(t.kind), n, before)
	}
	b := r.best[log2]
	if r.probe[log2].learn(b.mode) && b.cbf {
		l := b.levels(log2)
		r.shadow[log2].Train(&l)
	}
	return b
}

// levels returns those of a candidate of size 1<<log2 whose mode is settled.
func (c *candidate) levels(log2 int) block.Levels {
	return block.LevelsIn(c.lev[:], c.mask[:], log2, block.ScanIndex(log2, int(c.mode)))
}

// quantise chooses the levels of a kind of coefficients of a slot for the block
// at a node, and keeps it if it is better than the best so far.
func (r *rdoSearch) quantise(s *slot, kind int, at node, before block.Prices) {
	e, log2, n := r.e, at.log2, at.size()
	c, best := r.next[log2], r.best[log2]
	c.mode = uint8(s.mode)
	l := c.levels(log2)
	q := &e.quant[log2]
	var dist int
	if e.p.Off&ToolRDOQ == 0 {
		r.tr.Rates = &r.rates[log2]
		c.cost, dist, c.cbf = r.tr.Block(&l, s.coef[kind], q, before, best.cost)
	} else {
		c.cbf, dist, _ = q.Block(&l, s.coef[kind])
		c.cost = dist + before.Zero
		if c.cbf {
			c.cost = dist + before.One + r.rates[log2].Block(&l, r.tr.Hide)
		}
	}
	if c.cost >= best.cost {
		return
	}
	copy(c.pix[:n*n], s.pred)
	c.skip, c.done = c.cbf && kind == kindSkip, r.exact
	if r.exact {
		if c.cbf {
			r.restore(c.pix[:], n, &l, c.skip)
		}
		sse := block.SquaredDifference(e.src[e.f.at(at):], e.f.stride, c.pix[:], n)
		c.cost += sse*r.perSample>>8 - dist
		if c.cost >= best.cost {
			return
		}
	}
	r.next[log2], r.best[log2] = best, c
}

// commit puts a candidate into plan and picture.
func (r *rdoSearch) commit(n node, c *candidate) {
	e := r.e
	size, z := n.size(), e.plan.order(n)
	e.plan.tu[z], e.plan.cbf[z], e.plan.skip[z] = uint8(n.log2), c.cbf, c.skip
	dst := e.f.pix[e.f.at(n):]
	for j := range size {
		copy(dst[j*e.f.stride:][:size], c.pix[j*size:])
	}
	if c.cbf {
		l := c.levels(n.log2)
		to := e.plan.levels(n, l.Scan)
		copy(to.Lev, l.Lev)
		copy(to.Mask, l.Mask)
		if !c.done {
			r.restore(dst, e.f.stride, &l, c.skip)
		}
	}
}

// restore adds a residual to the prediction in dst.
func (r *rdoSearch) restore(dst []byte, stride int, l *block.Levels, skip bool) {
	e := r.e
	if l.Log2 == 2 {
		block.Restore4x4(dst, stride, &e.scale[2], l, skip)
		return
	}
	e.work.restorer.Restore(dst, stride, &e.scale[l.Log2], l, skip)
}
