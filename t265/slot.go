package t265

import "vcsim/t265/block"

// A slot is a prediction of a block with the coefficients of its residual.
type slot struct {
	mode int
	head int             // cost of the mode
	pred []uint8         // raster
	coef [2]*[1024]int32 // by kind
	cost [2]int          // guess of the costs, head included, by kind; never if there is none
}

// Kinds of coefficients: transformed, or scaled for transform skip.
const (
	kindTransform = iota
	kindSkip
)

// maxModes is how many modes of a block may be compared.
const maxModes = 12

// newSlots returns slots for blocks of size 1<<log2, close together in memory.
func newSlots(log2 int) (s [maxModes]slot) {
	n := 1 << (2 * log2)
	pred := make([]uint8, maxModes*n)
	coef := make([]int32, (2*maxModes-1)*n+1024)
	for i := range s {
		s[i].pred = pred[i*n:][:n]
		s[i].coef = [2]*[1024]int32{(*[1024]int32)(coef[2*i*n:]), (*[1024]int32)(coef[(2*i+1)*n:])}
	}
	return s
}

// A trial is a kind of coefficients of a slot.
type trial struct {
	cost       int // guessed
	slot, kind uint8
}

// references are the neighbours of a block.
type references struct {
	plain, smooth block.Refs
}

// gather reads the neighbours of a block.
func (r *rdoSearch) gather(n node) {
	ref := &r.refs[n.log2]
	r.e.f.gather(&ref.plain, n, r.e.edge)
	if n.log2 > 2 {
		ref.plain.Filter(&ref.smooth, n.log2, r.e.p.Off&ToolStrong == 0)
	}
}

// refsFor returns the references that a mode reads.
func (r *rdoSearch) refsFor(log2, mode int) *block.Refs {
	if block.Filtered(log2, mode) {
		return &r.refs[log2].smooth
	}
	return &r.refs[log2].plain
}

// fill predicts a block whose neighbours are gathered, transforms the residual
// and guesses the costs.
func (r *rdoSearch) fill(s *slot, at node, mode, head int) {
	e, log2, n := r.e, at.log2, at.size()
	src := e.src[e.f.at(at):]
	s.mode, s.head = mode, head
	block.Predict(s.pred, n, log2, mode, r.refsFor(log2, mode))
	s.cost = [2]int{block.Never, block.Never}
	q, t := &e.quant[log2], &r.rates[log2]
	if log2 > 2 {
		block.Subtract(&r.diff, src, e.f.stride, s.pred, n)
		block.Forward(s.coef[0], &r.diff, log2, false)
		s.cost[kindTransform] = head + t.Estimate(s.coef[0][:n*n], q)
		return
	}
	block.Forward4x4(s.coef[0], s.coef[1], src, e.f.stride, s.pred)
	if e.p.Off&ToolTransform == 0 {
		s.cost[kindTransform] = head + t.Estimate(s.coef[0][:16], q)
	}
	if e.p.skips() {
		s.cost[kindSkip] = head + t.Estimate(s.coef[1][:16], q)
	}
}

// single fills one slot and lists its kinds.
func (r *rdoSearch) single(n node, mode int) []trial {
	r.gather(n)
	r.probe[n.log2].on = false
	r.fill(&r.compared[n.log2][0], n, mode, 0)
	return r.order(n.log2, 1, 2)
}

// order lists the kinds of the first count slots, the least cost first, at
// most limit.
func (r *rdoSearch) order(log2, count, limit int) []trial {
	list := r.list[log2][:limit]
	n := 0
	for i := range r.compared[log2][:count] {
		for k, c := range r.compared[log2][i].cost {
			if c == block.Never {
				continue
			}
			j := n
			if n < limit {
				n++
			} else if c >= list[n-1].cost {
				continue
			} else {
				j--
			}
			for ; j > 0 && list[j-1].cost > c; j-- {
				list[j] = list[j-1]
			}
			list[j] = trial{c, uint8(i), uint8(k)}
		}
	}
	return list[:n]
}

// A probe tells whether angular modes far from those of the neighbours are
// worth a look in blocks of one size: always while they win now and then, else
// once in a while.
type probe struct {
	score int
	turn  uint
	on    bool   // the block under way is a prediction block
	modes uint64 // those probed in it
}

// learn notes the mode of a prediction block. It reports whether the block is
// one.
func (p *probe) learn(mode uint8) bool {
	switch {
	case !p.on || p.modes == 0:
	case p.modes>>mode&1 != 0:
		p.score = min(p.score+5, 16)
	default:
		p.score = max(p.score-1, 0)
	}
	return p.on
}

// rank fills slots with the promising modes of a prediction block and lists
// the best, at most limit: planar, DC, vertical and horizontal; the modes of
// the neighbours; two of the other angular modes; and those around the best.
func (r *rdoSearch) rank(n node, limit int) []trial {
	e, log2 := r.e, n.log2
	r.gather(n)
	p := &r.probe[log2]
	p.on, p.modes = true, 0
	cand := block.ProbableModes(e.f.modeNeighbours(n, e.edge))
	var seen uint64
	count, best, least := 0, 0, block.Never
	try := func(m int) {
		if m < 0 || m >= block.NumModes || seen>>m&1 != 0 || count == maxModes {
			return
		}
		seen |= 1 << m
		s := &r.compared[log2][count]
		r.fill(s, n, m, r.ctx.ModeRate(m, cand))
		if c := min(s.cost[0], s.cost[1]); c < least {
			best, least = m, c
		}
		count++
	}
	try(block.ModeDC)
	if e.p.Off&ToolIntra != 0 {
		return r.order(log2, count, limit)
	}
	try(block.ModePlanar)
	try(block.ModeVertical)
	try(block.ModeHorizontal)
	if e.p.Off&ToolAngular != 0 {
		return r.order(log2, count, limit)
	}
	for _, m := range cand {
		try(m)
	}
	p.turn++
	if log2 == 2 && (p.score > 0 || p.turn&7 == 0) {
		before := seen
		a, b := r.nearest(n, seen)
		try(a)
		try(b)
		p.modes = seen &^ before
	}
	if best > block.ModeDC {
		center, probed := best, p.modes>>best&1 != 0
		before := seen
		for _, d := range [...]int{-1, 1, -2, 2} {
			if m := center + d; m > block.ModeDC {
				try(m)
			}
		}
		if probed {
			p.modes |= seen &^ before
		}
	}
	return r.order(log2, count, limit)
}

// nearest returns the two angular modes, of those apart and not seen, with
// the least sum of absolute differences from the source.
func (r *rdoSearch) nearest(at node, seen uint64) (a, b int) {
	e, log2, n := r.e, at.log2, at.size()
	src := e.src[e.f.at(at):]
	a, b = -1, -1
	leastA, leastB := block.Never, block.Never
	for _, m := range [...]int{2, 6, 14, 18, 22, 30, 34} {
		if seen>>m&1 != 0 {
			continue
		}
		block.Predict(r.pred[:], n, log2, m, r.refsFor(log2, m))
		sad := block.AbsoluteDifference(src, e.f.stride, r.pred[:], n)
		switch {
		case sad < leastA:
			a, b, leastA, leastB = m, a, sad, leastA
		case sad < leastB:
			b, leastB = m, sad
		}
	}
	return a, b
}
