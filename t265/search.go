package t265

// The search of the rdo tier: closed loop, every allowed block size of the
// coding quadtree with the most promising intra modes, each quantised by rdoq
// and compared by squared error plus lambda times bits.

// A rdoSearch decides the CTUs of an Encoder.
type rdoSearch struct {
	e     *Encoder
	q     rdoq
	ctx   contexts // states that estimates use
	satd  hwDecider
	trial workspace
	// best holds the winner so far at each log2 of a block size.
	best [7]candidate
	lev  [1024]int16
	mask [64]uint16
	pred [1024]uint8
	pix  [1024]uint8
	two  float32 // squared quantiser step in squared samples
	root float32 // weight of a bit beside a SATD
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
}

// lambdaScale is the cost of a bit in squared quantiser steps; see rdoq. At
// high rate theory gives 2 ln 2 / 12 = 0.116.
const lambdaScale = 0.0898

func newRDOSearch(e *Encoder) *rdoSearch {
	r := &rdoSearch{e: e}
	return r
}

// decide fills the plan and reconstructs the CTU at (x, y).
func (r *rdoSearch) decide(x, y int) {
	e := r.e
	r.ctx = e.res.ctx
	r.q.ctx = &r.ctx
	r.q.hide = e.p.hides()
	r.q.lambda = lambdaScale
	step := levelScale[e.qp%6] << (e.qp / 6) // 64 is one sample
	r.two = float32(step) * float32(step) / 4096
	r.root = float32(rootLambda[e.qp]) / 16
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
	whole := float32(1e30)
	part := r.q.lambda * cost(r.ctx[ctxPartMode], 1)
	if log2 > g.minCB {
		part = 0
	}
	if fits && log2 <= g.maxTB && g.allow[log2] {
		whole = r.leaf(x, y, log2, 0, &r.best[log2]) + split0 + part
		if log2 > 3 || !g.allow[2] {
			r.commit(x, y, log2, &r.best[log2])
			f.fill8(f.depth, x, y, n, uint8(depth))
		}
	}
	if log2 == 3 {
		f.fill8(f.depth, x, y, n, uint8(depth))
		parts := float32(1e30)
		if g.allow[2] {
			parts = split0 + r.q.lambda*cost(r.ctx[ctxPartMode], 0)
			for i := range 4 {
				px, py := x+i&1*4, y+i>>1*4
				parts += r.leaf(px, py, 2, 1, &r.best[2])
				if parts > whole {
					break
				}
				r.commit(px, py, 2, &r.best[2])
			}
		}
		r.setCU(x, y, 3, parts < whole)
		if parts < whole {
			return parts
		}
		r.commit(x, y, 3, &r.best[3])
		return whole
	}
	if !canSplit {
		r.setCU(x, y, log2, false)
		return whole
	}
	parts := split1
	h := n >> 1
	for i := range 4 {
		bx, by := x+i&1*h, y+i>>1*h
		if bx < f.width && by < f.height {
			parts += r.node(bx, by, log2-1, depth+1)
			if parts > whole {
				break
			}
		}
	}
	if parts < whole {
		return parts
	}
	r.commit(x, y, log2, &r.best[log2])
	r.setCU(x, y, log2, false)
	f.fill8(f.depth, x, y, n, uint8(depth))
	return whole
}

// setCU enters a coding unit into the plan.
func (r *rdoSearch) setCU(x, y, log2 int, nxn bool) {
	mask := 1<<r.e.g.ctb - 1
	at := (y&mask)>>3<<3 + (x&mask)>>3
	for j := range 1 << (log2 - 3) {
		for i := range 1 << (log2 - 3) {
			r.e.plan.cu[at+8*j+i] = uint8(log2)
			r.e.plan.nxn[at+8*j+i] = nxn
		}
	}
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
	e.f.fillMode(x, y, n, uint8(c.mode))
}

// leaf finds the best way to code a block as one transform block. depth is
// its transform depth.
func (r *rdoSearch) leaf(x, y, log2, depth int, best *candidate) float32 {
	e := r.e
	f, w := &e.f, &r.trial
	n := 1 << log2
	at := y*f.stride + x
	w.ref.gather(f.pix, f.stride, at, n, f.neighbours(x, y, n, e.edge))
	w.ref.filter(&w.flt, log2, e.p.Off&ToolStrong == 0)
	cand := probableModes(f.modeNeighbours(x, y, e.edge))
	var modes [3]int
	count := r.roughModes(modes[:], at, log2, cand)
	best.cost = 1e30
	lambda := r.q.lambda
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
	for _, mode := range modes[:count] {
		ref := &w.ref
		if filtered(log2, mode) {
			ref = &w.flt
		}
		predict(r.pred[:], n, log2, mode, ref)
		subtract(&w.diff, e.src[at:], f.stride, r.pred[:], n, n)
		head := lambda * modeCost(&r.ctx, mode, cand)
		if e.p.Off&ToolTransform == 0 {
			r.try(best, at, log2, mode, false, head, cbf0, cbf1+skip0)
		}
		if log2 == 2 && e.p.skips() {
			r.try(best, at, log2, mode, true, head, cbf0, cbf1+skip1)
		}
	}
	return best.cost
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
		cbf = e.quant[log2].block(lev, mask, &w.coef, log2, idx)
		r.q.last.load(&r.ctx, log2)
	}
	c := head + cbf0
	pix := r.pix[:n*n]
	copy(pix, r.pred[:])
	if cbf {
		c = head + cbf1 + r.q.lambda*residualCost(&r.ctx, &r.q.last, log2, idx, lev, mask, r.q.hide)
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
	}
}

// roughModes ranks modes by SATD and mode bits and returns how many of the
// best it has put into modes.
func (r *rdoSearch) roughModes(modes []int, at, log2 int, cand [3]int) int {
	e := r.e
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
		sums := r.satd.satd(e.src[at:], e.f.stride, log2)
		for l, m := range list {
			if seen[m] {
				continue
			}
			seen[m] = true
			c := float32(sums[l]) + r.root*modeCost(&r.ctx, m, cand)
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
