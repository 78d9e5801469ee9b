package t265

// The search of the rdo tier: closed loop, every allowed block size of the
// coding quadtree with the most promising intra modes, each quantised by rdoq
// and compared by squared error plus lambda times bits.

// A rdoSearch decides the CTUs of an Encoder.

type rdoSearch struct {
	e   *Encoder
	q   rdoq
	ctx contexts // at the start of the CTU, for the syntax above transform blocks
	// shadow holds, by log2 of the transform size, the states that would be
	// if all blocks had that size. Estimates from the states of the stream
	// would favour the sizes already in use.
	shadow [6]contexts
	after  contexts // shadow after the block under trial
	satd   hwDecider
	trial  workspace
	// best holds the winner so far at each log2 of a block size.
	best [7]candidate
	// saved and tried hold regions beside the plan by log2 of the block size.
	saved, tried [7]region
	cuSizes      int // bit log2
	depth        int // transform depth
	nxn          bool
	lev          [1024]int16
	mask         [64]uint16
	pred         [1024]uint8
	pix          [1024]uint8
	two          float32 // squared quantiser step in squared samples
	table        *costTable
}

// A candidate is one way to code a block.
type candidate struct {
	lev  [1024]int16
	mask [64]uint16
	pix  [1024]uint8
	cbf  bool
	skip bool
	mode int
	cost float32
	ctx  contexts // after the block
}

// lambdaScale is the cost of a bit in squared quantiser steps; see rdoq. At
// high rate theory gives 2 ln 2 / 12 = 0.116.
const lambdaScale = 0.1

func newRDOSearch(e *Encoder) *rdoSearch {
	r := &rdoSearch{e: e, cuSizes: 0x38, depth: maxDepth, nxn: true}
	return r
}

// reset starts a slice.
func (r *rdoSearch) reset(qp int) {
	for i := range r.shadow {
		r.shadow[i].reset(qp)
	}
}

// decide fills the plan and reconstructs the CTU at (x, y).
func (r *rdoSearch) decide(x, y int) {
	e := r.e
	r.ctx = e.res.ctx
	r.q.hide = e.p.hides()
	r.q.lambda = lambdaScale
	step := levelScale[e.qp%6] << (e.qp / 6) // 64 is one sample
	r.two = float32(step) * float32(step) / 4096
	// 256 units of the rough costs are one squared step
	r.table = r.satd.table(e.qp)
	r.node(x, y, e.g.ctb, 0)
}

// node decides the quadtree node (x, y) and returns its cost in squared steps.
func (r *rdoSearch) node(x, y, log2, depth int) float32 {
	e := r.e
	f, g := &e.f, &e.g
	n := 1 << log2
	fits := x+n <= f.width && y+n <= f.height
	canSplit := log2 > g.minCB
	var split0, split1 float32 // costs of split_cu_flag
	if canSplit && fits {
		c := r.ctx[ctxSplitCU+f.splitContext(x, y, depth, e.edge)]
		split0, split1 = r.q.lambda*cost(c, 0), r.q.lambda*cost(c, 1)
	}
	best := float32(1e30)
	start := r.shadow
	if fits && log2 <= max(g.maxTB, 3) && r.cuSizes>>log2&1 != 0 {
		best = split0 + r.unit(x, y, log2)
	}
	if log2 == g.minCB && log2 == 3 && g.allow[2] && r.nxn {
		// Four prediction blocks.
		r.saved[3].take(e, x, y, 3)
		whole := r.shadow[2]
		r.shadow[2] = start[2]
		parts := split0 + r.q.lambda*cost(r.ctx[ctxPartMode], 0)
		for i := range 4 {
			px, py := x+i&1*4, y+i>>1*4
			parts += r.part(px, py)
			if parts >= best {
				break
			}
		}
		if parts < best {
			best = parts
			e.plan.setUnit(x, y, 3, g.ctb, true)
		} else {
			r.saved[3].put(e, x, y, 3)
			if r.depth > 0 {
				r.shadow[2] = whole
			}
		}
	}
	if !canSplit {
		f.fill8(f.depth, x, y, n, uint8(depth))
		return best
	}
	if best < 1e30 {
		r.saved[log2].take(e, x, y, log2)
	}
	whole := r.shadow
	if best < 1e30 {
		r.shadow = start
	}
	parts := split1
	h := n >> 1
	for i := range 4 {
		bx, by := x+i&1*h, y+i>>1*h
		if bx < f.width && by < f.height {
			parts += r.node(bx, by, log2-1, depth+1)
			if parts >= best {
				break
			}
		}
	}
	if parts < best {
		return parts
	}
	r.saved[log2].put(e, x, y, log2)
	copy(r.shadow[log2-r.depth:], whole[log2-r.depth:])
	f.fill8(f.depth, x, y, n, uint8(depth))
	return best
}

// unit codes a coding unit with one prediction block and returns its cost,
// split_cu_flag excluded.
func (r *rdoSearch) unit(x, y, log2 int) float32 {
	e := r.e
	cand := probableModes(e.f.modeNeighbours(x, y, e.edge))
	var modes [3]int
	count := r.roughModes(modes[:], x, y, log2, cand)
	base := float32(0)
	if log2 == e.g.minCB {
		base = r.q.lambda * cost(r.ctx[ctxPartMode], 1)
	}
	e.plan.setUnit(x, y, log2, e.g.ctb, false)
	best := float32(1e30)
	start, kept := r.shadow, r.shadow
	for i, mode := range modes[:count] {
		r.shadow = start
		if i > 0 {
			r.tried[log2].take(e, x, y, log2)
		}
		e.f.fillMode(x, y, 1<<log2, uint8(mode))
		c := base + r.q.lambda*modeCost(&r.ctx, mode, cand)
		c += r.tree(x, y, log2, 0, mode, best-c)
		if c < best {
			best = c
			kept = r.shadow
		} else if i > 0 {
			r.tried[log2].put(e, x, y, log2)
		}
	}
	r.shadow = kept
	return best
}

// part codes one 4x4 prediction block of a coding unit of four.
func (r *rdoSearch) part(x, y int) float32 {
	e := r.e
	cand := probableModes(e.f.modeNeighbours(x, y, e.edge))
	var modes [3]int
	count := r.roughModes(modes[:], x, y, 2, cand)
	best, bestMode := float32(1e30), 0
	b := &r.best[2]
	b.cost = 1e30
	start, kept := r.shadow[2], r.shadow[2]
	for _, mode := range modes[:count] {
		r.shadow[2] = start
		head := r.q.lambda * modeCost(&r.ctx, mode, cand)
		r.leaf(x, y, 2, 1, mode, head, b)
		if b.cost < best {
			best, bestMode = b.cost, mode
			kept = r.shadow[2]
		}
	}
	r.shadow[2] = kept
	e.f.fillMode(x, y, 4, uint8(bestMode))
	r.commit(x, y, 2, b)
	return best
}

// tree decides the transform tree of one mode and reconstructs it. It gives
// up when the cost passes the limit.
func (r *rdoSearch) tree(x, y, log2, depth, mode int, limit float32) float32 {
	e := r.e
	g := &e.g
	b := &r.best[log2]
	b.cost = 1e30
	var split0, split1 float32
	canSplit := log2 > 2 && depth < r.depth && (g.allow[log2-1] || log2 > 3 && g.allow[log2-2])
	if log2 <= max(g.maxTB, 3) && log2 > 2 && depth < maxDepth {
		c := r.ctx[ctxSplitTransform+5-log2]
		split0, split1 = r.q.lambda*cost(c, 0), r.q.lambda*cost(c, 1)
	}
	if g.allow[log2] && log2 <= g.maxTB {
		r.leaf(x, y, log2, depth, mode, split0, b)
	}
	best := b.cost
	if canSplit {
		h := 1 << log2 >> 1
		parts := split1
		for i := range 4 {
			parts += r.tree(x+i&1*h, y+i>>1*h, log2-1, depth+1, mode, min(best, limit)-parts)
			if parts >= best || parts >= limit {
				parts = 1e30
				break
			}
		}
		if parts < best {
			return parts
		}
	}
	if best < 1e30 {
		r.commit(x, y, log2, b)
	}
	return best
}

// A region is a copy of the plan and the picture of one block.
type region struct {
	lev  [1024]int16
	mask [64]uint16
	tu   [64]uint8
	cbf  [64]bool
	skip [64]bool
	pix  [1024]uint8
	mode [64]uint8
	nxn  bool
}

func (s *region) take(e *Encoder, x, y, log2 int) {
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(zOrder[(y&mask)>>2<<4|(x&mask)>>2])
	lev, sig := e.plan.levels(z, log2)
	copy(s.lev[:], lev)
	copy(s.mask[:], sig)
	k := n * n / 16
	copy(s.tu[:k], e.plan.tu[z:])
	copy(s.cbf[:k], e.plan.cbf[z:])
	copy(s.skip[:k], e.plan.skip[z:])
	for j := range n {
		copy(s.pix[j*n:][:n], e.f.pix[(y+j)*e.f.stride+x:])
	}
	for j := range n / 4 {
		copy(s.mode[j*n/4:][:n/4], e.f.mode[(y/4+j)*e.f.stride4+x/4:])
	}
	s.nxn = e.plan.nxn[(y&mask)>>3<<3+(x&mask)>>3]
}

func (s *region) put(e *Encoder, x, y, log2 int) {
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(zOrder[(y&mask)>>2<<4|(x&mask)>>2])
	lev, sig := e.plan.levels(z, log2)
	copy(lev, s.lev[:])
	copy(sig, s.mask[:])
	k := n * n / 16
	copy(e.plan.tu[z:], s.tu[:k])
	copy(e.plan.cbf[z:], s.cbf[:k])
	copy(e.plan.skip[z:], s.skip[:k])
	for j := range n {
		copy(e.f.pix[(y+j)*e.f.stride+x:][:n], s.pix[j*n:])
	}
	for j := range n / 4 {
		copy(e.f.mode[(y/4+j)*e.f.stride4+x/4:][:n/4], s.mode[j*n/4:])
	}
	e.plan.setUnit(x, y, log2, e.g.ctb, s.nxn)
}

// commit puts a candidate into plan and picture.
func (r *rdoSearch) commit(x, y, log2 int, c *candidate) {
	e := r.e
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(zOrder[(y&mask)>>2<<4|(x&mask)>>2])
	lev, sig := e.plan.levels(z, log2)
	e.plan.tu[z], e.plan.cbf[z], e.plan.skip[z] = uint8(log2), c.cbf, c.skip
	if c.cbf {
		copy(lev, c.lev[:])
		copy(sig, c.mask[:])
	}
	for j := range n {
		copy(e.f.pix[(y+j)*e.f.stride+x:][:n], c.pix[j*n:])
	}
}

// leaf codes a block as one transform block and keeps the result in best if
// it is better. depth is its transform depth, head the cost of what precedes.
func (r *rdoSearch) leaf(x, y, log2, depth, mode int, head float32, best *candidate) {
	e := r.e
	f, w := &e.f, &r.trial
	n := 1 << log2
	at := y*f.stride + x
	lambda := r.q.lambda
	r.q.ctx = &r.shadow[log2]
	w.ref.gather(f.pix, f.stride, at, n, f.neighbours(x, y, n, e.edge))
	ref := &w.ref
	if filtered(log2, mode) {
		w.ref.filter(&w.flt, log2, e.p.Off&ToolStrong == 0)
		ref = &w.flt
	}
	ctx := r.ctx[ctxCbfLuma]
	if depth == 0 {
		ctx = r.ctx[ctxCbfLuma+1]
	}
	cbf0, cbf1 := lambda*cost(ctx, 0), lambda*cost(ctx, 1)
	var skip0, skip1 float32
	if e.p.skips() && log2 == 2 {
		c := r.ctx[ctxTransformSkip]
		skip0, skip1 = lambda*cost(c, 0), lambda*cost(c, 1)
	}
	predict(r.pred[:], n, log2, mode, ref)
	subtract(&w.diff, e.src[at:], f.stride, r.pred[:], n, n)
	before := best.cost
	if e.p.Off&ToolTransform == 0 {
		r.try(best, at, log2, mode, false, head, cbf0, cbf1+skip0)
	}
	if log2 == 2 && e.p.skips() {
		r.try(best, at, log2, mode, true, head, cbf0, cbf1+skip1)
	}
	if best.cost < before && best.cbf {
		r.shadow[log2] = best.ctx
	}
}

// try codes the residual in r.trial and keeps the result if it is the best.
func (r *rdoSearch) try(best *candidate, at, log2, mode int, skip bool, head, cbf0, cbf1 float32) {
	e, w := r.e, &r.trial
	n := 1 << log2
	if skip {
		forwardSkip(&w.coef, &w.diff)
	} else {
		forwardTransform(&w.coef, &w.diff, log2, log2 == 2)
	}
	lev, mask := r.lev[:n*n], r.mask[:n*n/16]
	idx := scanIndex(log2, mode)
	var cbf bool
	if e.p.Off&ToolRDOQ == 0 {
		cbf = r.q.block(lev, mask, &w.coef, &e.quant[log2], log2, idx)
	} else {
		cbf, _, _ = e.quant[log2].block(lev, mask, &w.coef, log2, idx)
	}
	c := head + cbf0
	pix := r.pix[:n*n]
	copy(pix, r.pred[:])
	if cbf {
		r.after = r.shadow[log2]
		c = head + cbf1 + r.q.lambda*residualCost(&r.after, log2, idx, lev, mask, r.q.hide)
		if c >= best.cost {
			return
		}
		w.restore(pix, n, &e.scale[log2], lev, mask, log2, idx, skip)
	}
	sse := 0
	for j := range n {
		a, b := e.src[at+j*e.f.stride:][:n], pix[j*n:][:n]
		for i := range a {
			d := int(a[i]) - int(b[i])
			sse += d * d
		}
	}
	c += float32(sse) / r.two
	if c >= best.cost {
		return
	}
	best.cost, best.mode, best.skip, best.cbf = c, mode, skip, cbf
	copy(best.pix[:], pix)
	if cbf {
		copy(best.lev[:], lev)
		copy(best.mask[:], mask)
		best.ctx = r.after
	}
}

// roughModes ranks modes by SATD and mode bits and returns how many of the
// best it has put into modes.
func (r *rdoSearch) roughModes(modes []int, x, y, log2 int, cand [3]int) int {
	e := r.e
	f, w := &e.f, &r.trial
	at := y*f.stride + x
	w.ref.gather(f.pix, f.stride, at, 1<<log2, f.neighbours(x, y, 1<<log2, e.edge))
	w.ref.filter(&w.flt, log2, e.p.Off&ToolStrong == 0)
	if e.p.Off&ToolIntra != 0 {
		modes[0] = modeDC
		return 1
	}
	var costs [3]float32
	count := 0
	var seen [numModes]bool
	test := func(list [4]int) {
		n := 1 << log2
		for l, m := range list {
			ref := &r.trial.ref
			if filtered(log2, m) {
				ref = &r.trial.flt
			}
			predict(r.satd.pred[l][:], n, log2, m, ref)
		}
		sums, skips := r.satd.hadamardCosts(e.src[at:], e.f.stride, log2, r.table)
		for l, m := range list {
			if seen[m] {
				continue
			}
			seen[m] = true
			s := sums[l]
			if log2 == 2 && e.p.skips() {
				s = min(s, skips[l])
			}
			c := float32(s)/256 + r.q.lambda*modeCost(&r.ctx, m, cand)
			i := count
			if count < len(modes) {
				count++
			} else if c >= costs[i-1] {
				continue
			} else {
				i--
			}
			for ; i > 0 && costs[i-1] > c; i-- {
				costs[i], modes[i] = costs[i-1], modes[i-1]
			}
			costs[i], modes[i] = c, m
		}
	}
	test([4]int{modePlanar, modeDC, modeVertical, modeHorizontal})
	if e.p.Off&ToolAngular != 0 {
		return min(count, 2)
	}
	test([4]int{2, 6, 14, 18})
	test([4]int{22, 30, 34, cand[0]})
	if b := modes[0]; b > 1 {
		clamp := func(m int) int { return min(max(m, 2), 34) }
		test([4]int{clamp(b - 2), clamp(b - 1), clamp(b + 1), clamp(b + 2)})
	}
	return count
}
