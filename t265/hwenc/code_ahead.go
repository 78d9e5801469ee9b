package hwenc

import (
	"encoding/binary"

	"vcsim/sim"
	"vcsim/t265/block"
)

// An aheadCode does the arithmetic of a pixel path: it holds what the threads have of samples,
// and decides and codes as the hw tier of the software encoder does.
type aheadCode struct {
	large   bool // there are blocks of 16x16,
	small   bool // and of 4x4
	arith   *quantArith
	skips   [52]block.SkipCosts // by QP
	lines   [][16]uint8         // last rows of CTUs, by thread and column
	columns int
	threads []aheadThread

	diff     block.Pairs
	coef     [1024]int32
	pred     [256]uint8
	refs     block.Refs
	filtered block.Refs
	restorer block.Restorer
	border   block.OpenBorder
}

// An aheadThread is what an aheadCode has of a thread: two CTUs, one in the closed loop and
// one before it.
type aheadThread struct {
	ctus   [2]aheadCTU
	loop   uint8     // the one in the closed loop
	left   [16]uint8 // last column of source samples of the CTU before the one that comes
	corner uint8     // last sample of the row that was read last
	window window
	at     uint8 // the next block of the CTU in the loop
	tag    Tag   // of the block under way
	lev    [256]int16
	mask   [16]uint16
}

// An aheadCTU is a CTU with its source samples, among those that decisions see above and on
// its left.
type aheadCTU struct {
	plan    Plan
	samples [17 * aheadStride]uint8
}

// Rows of samples of an aheadCTU, and the first one in the CTU.
const (
	aheadStride = 24
	aheadFirst  = aheadStride + 8
)

func (a *aheadCode) init(spec Spec) {
	a.large, a.small, a.arith = spec.MaxTU == 16, spec.small(), newQuantArith(true)
	for qp := range a.skips {
		a.skips[qp].Load(&a.arith.quantizers[qp][0])
	}
	a.columns = 1 << spec.XBits()
	a.lines = make([][16]uint8, spec.Threads*a.columns)
	a.threads = make([]aheadThread, spec.Threads)
}

// before returns the CTU of a thread before the closed loop.
func (t *aheadThread) before() *aheadCTU { return &t.ctus[t.loop^1] }

// above gives a CTU that is asked for the row above it.
func (a *aheadCode) above(j *Job) {
	t := &a.threads[j.Thread]
	p := &t.before().plan
	p.Job = *j
	lines := a.lines[int(j.Thread)*a.columns:][:a.columns]
	row, right := &lines[j.X], &lines[int(j.X+1)%a.columns]
	copy(p.Row[:], row[:])
	copy(p.Row[16:], right[:2])
	p.Corner = t.corner
	t.corner = row[15]
}

// beat takes source samples of a thread.
func (a *aheadCode) beat(thread, at uint8, samples uint64) {
	i := int(at)
	c := a.threads[thread].before()
	binary.LittleEndian.PutUint64(c.samples[aheadFirst+(i&7+i>>4*8)*aheadStride+i>>3&1*8:], samples)
}

// decide finds mode and tree of the CTU of a thread before the closed loop.
func (a *aheadCode) decide(thread uint8) {
	t := &a.threads[thread]
	c := t.before()
	p, b := &c.plan, &a.border
	copy(b.Above[:], p.Row[:16])
	copy(b.Left[:], t.left[:])
	for y := range t.left {
		t.left[y] = c.samples[aheadFirst+y*aheadStride+15]
	}
	b.Substitute(16, p.Left, p.Above)
	copy(c.samples[aheadFirst-aheadStride:], b.Above[:16])
	for y := range 16 {
		c.samples[aheadFirst-1+y*aheadStride] = b.Left[y]
	}
	p.Mode = uint8(block.OpenMode(c.samples[aheadFirst:], aheadStride, 4, int(p.QP), b))
	a.tree(c)
}

// tree decides the transform tree of a CTU (package t265, transform tree).
func (a *aheadCode) tree(c *aheadCTU) {
	p := &c.plan
	whole := block.Never
	if a.large {
		whole = a.cost(c, 0, 0, 4, whole)
	}
	parts := block.SplitPrice
	split8 := uint8(0)
	for i := 0; i < 4 && parts < whole; i++ {
		x, y := i&1*8, i>>1*8
		best := a.cost(c, x, y, 3, whole-parts)
		quarters := block.SplitPrice
		if !a.small {
			quarters = block.Never
		}
		for k := 0; k < 4 && quarters < best; k++ {
			quarters += a.cost(c, x+k&1*4, y+k>>1*4, 2, best-quarters)
		}
		if quarters < best {
			best = quarters
			split8 |= 1 << i
		}
		parts += best
	}
	if p.Split, p.Split8 = parts < whole, 0; p.Split {
		p.Split8 = split8
	}
}

// cost returns the cost of the block of size 1<<log2 at (x, y) in a CTU, or if that is not
// below limit, any number that is not.
func (a *aheadCode) cost(c *aheadCTU, x, y, log2, limit int) int {
	p := &c.plan
	n, at := 1<<log2, aheadFirst+y*aheadStride+x
	var left [16]uint8
	for i := range n {
		left[i] = c.samples[at-1+i*aheadStride]
	}
	pred, src, above := a.pred[:n*n], c.samples[at:], c.samples[at-aheadStride:][:n]
	if log2 == 2 {
		return a.skips[p.QP%52].OpenCost(src, aheadStride, pred, int(p.Mode), above, left[:n])
	}
	block.OpenSubtract(&a.diff, src, aheadStride, pred, log2, int(p.Mode), above, left[:n])
	return a.arith.quantizers[p.QP%52][log2-2].RowsCost(&a.diff, log2, limit)
}

// enter lets CTUs of threads enter the closed loop.
func (a *aheadCode) enter(threads sim.Set) {
	for ; threads != 0; threads = threads.Rest() {
		a.threads[threads.First()].loop ^= 1
	}
}

// head is that of the CTU of a thread in the closed loop.
func (a *aheadCode) head(h *Head, thread uint8) {
	t := &a.threads[thread]
	p := &t.ctus[t.loop].plan
	*h = Head{Thread: thread, QP: p.QP, High: p.High, Fine: p.Fine, First: p.First, Last: p.Last, Left: p.Left, Mode: p.Mode, Split: p.Split, Split8: p.Split8}
}

// block codes the next block of a thread, the first one of its CTU or another one, and returns its kind.
func (a *aheadCode) block(thread uint8, first bool) uint8 {
	t := &a.threads[thread]
	c := &t.ctus[t.loop]
	p := &c.plan
	z := t.at
	if first {
		z = 0
		t.window.begin(&p.Row, p.Corner)
	}
	log2 := uint8(2)
	if p.Split {
		log2 = 1 - p.Split8>>(z>>2)&1
	}
	next := z + 1<<(2*log2)
	t.at = next & 15
	t.tag = Tag{Thread: thread, CX: z>>1&2 | z&1, CY: z>>2&2 | z>>1&1, Mode: p.Mode, QP: p.QP, LastTU: next == 16, Log2: log2}
	a.code(t, c)
	if t.tag.LastTU {
		copy(a.lines[int(thread)*a.columns+int(p.X)][:], t.window.row[:])
	}
	return log2 + kind4
}

// code predicts, transforms, quantises and reconstructs the block of t.tag, the latter as far
// as other blocks see it.
func (a *aheadCode) code(t *aheadThread, c *aheadCTU) {
	p, tag := &c.plan, &t.tag
	log2, mode := int(tag.Log2)+2, int(block.DecisionModes[tag.Mode&3])
	n := 1 << log2
	tu := TU{Tag: *tag, Left: p.Left, Above: p.Above, Right: p.Right}
	t.window.fetch(&tu, &a.refs)
	refs := &a.refs
	if mode == block.ModePlanar && log2 > 2 {
		refs = &a.filtered
		a.refs.Filter(refs, log2, false)
	}
	pred := a.pred[:n*n]
	block.Predict(pred, n, log2, mode, refs)
	src := c.samples[aheadFirst+4*int(tag.CY)*aheadStride+4*int(tag.CX):]
	l := block.LevelsIn(t.lev[:], t.mask[:], log2, block.ScanIndex(log2, mode))
	q, s := &a.arith.quantizers[tag.QP%52][tag.Log2&3], &a.arith.scalers[tag.QP%52][tag.Log2&3]
	if log2 == 2 {
		if any, _, _ := q.SkipBlock(&l, src, aheadStride, pred); any {
			s.RestoreSkip(pred, n, &l)
		}
	} else {
		block.SubtractRows(&a.diff, src, aheadStride, pred, n)
		block.ForwardRows(&a.coef, &a.diff, log2, false)
		if any, _, _ := q.Block(&l, &a.coef); any {
			a.restorer.RestoreEdges(pred, s, &l)
		}
	}
	t.window.end(tag, pred)
}

// end writes a reconstructed block, a raster, to the window: what a reconUnit writes beat by
// beat.
func (w *window) end(t *Tag, rec []uint8) {
	n, x, y, d := 4<<t.Log2, 4*int(t.CX), 4*int(t.CY), 3+t.CX-t.CY
	for i := range n {
		w.left[y+i] = rec[i*n+n-1]
	}
	copy(w.row[x:x+n], rec[(n-1)*n:])
	w.diag[d] = rec[n*n-1]
	if n == 8 {
		w.diag[d+1], w.diag[d-1] = rec[3*n+7], rec[7*n+3]
	}
}

// done returns whether the block of a thread that is reconstructed is the last one of its CTU.
func (a *aheadCode) done(thread uint8) bool { return a.threads[thread].tag.LastTU }

// levels are those of a sub-block of a thread, as a QuantUnit counts them.
func (a *aheadCode) levels(s *SubLevels, thread, i uint8) {
	t := &a.threads[thread]
	s.Tag = t.tag
	log2 := t.tag.Log2 & 3
	side := uint8(1)<<log2 - 1
	s.SX, s.SY = i>>log2, i&side
	s.LastSub = s.SX == side && s.SY == side
	s.Scan = uint8(block.ScanIndex(int(log2)+2, int(block.DecisionModes[s.Mode&3])))
	at := block.Scans[log2][s.Scan].SubAt[s.SY<<3|s.SX] & 15
	s.Mask = t.mask[at]
	s.Levels = [16]int16(t.lev[16*int(at):])
}
