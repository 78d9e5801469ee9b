package t265

import (
	"fmt"
	"math/bits"
	"slices"

	"vcsim/internal/bitio"
	"vcsim/internal/raster"
	"vcsim/t265/block"
)

// An Encoder codes pictures of one size, each as one IDR access unit. It is
// not safe for concurrent use; frames in parallel take one Encoder each.
type Encoder struct {
	p     Params
	g     geometry
	f     frame
	src   []byte // coded size, rows of f.stride, padded by replication
	out   []byte // cropped reconstruction, made by Recon
	stats Stats
	res   residualEncoder
	plan  ctuPlan
	edge  block.CTUEdge
	buf   []byte // slice data before emulation prevention
	hdr   bitio.Writer
	fine  fineQP

	quant [6]block.Quantizer // by log2 of the transform size
	scale [6]block.Scaler
	qp    int // of the current CTU
	work  workspace
	hw    hwSearch
	rdo   *rdoSearch

	onRow   func(rows int) // nil for none
	observe func(*Block)   // nil for none
	seen    seenBlock
}

// A workspace holds the arrays of one transform block under way.
type workspace struct {
	ref, flt block.Refs
	diff     block.Pairs
	coef     [1024]int32
	restorer block.Restorer
}

// fineQP is the QP of a picture in 1/16 steps, and its state.
type fineQP struct {
	qp16, ctus int
	prev       int // qPY_PREV
	coded      bool
}

// NewEncoder returns an Encoder, or the error of p.Validate.
func NewEncoder(p Params) (*Encoder, error) {
	g, err := p.geometry()
	if err != nil {
		return nil, err
	}
	e := &Encoder{p: p, g: g}
	e.f.init(g.width, g.height, g.ctb)
	e.src = make([]byte, g.width*g.height)
	e.plan.log2CTB = g.ctb
	e.res.stats = &e.stats
	if p.Tier == RDO && !p.Lossless {
		e.rdo = newRDOSearch(e)
	}
	return e, nil
}

// AppendHeader appends the parameter sets of the stream in Annex B format.
func (e *Encoder) AppendHeader(dst []byte) []byte {
	return appendParameterSets(dst, &e.p, &e.g)
}

// Stats returns the counts of the last picture.
func (e *Encoder) Stats() Stats { return e.stats }

// OnRow makes the Encoder call f after each row of CTUs that it has coded, with the number of rows of samples that are new in
// the picture, 1 to 64; nil for no calls. The calls of a picture add up to its height.
func (e *Encoder) OnRow(f func(rows int)) { e.onRow = f }

// Recon returns the reconstruction of the last picture, Width*Height samples,
// valid until the next call.
func (e *Encoder) Recon() []byte {
	w, h := e.p.Width, e.p.Height
	if w == e.f.stride {
		return e.f.pix[:w*h]
	}
	if e.out == nil {
		e.out = make([]byte, w*h)
	}
	raster.Copy(e.out, w, e.f.pix, e.f.stride, w, h)
	return e.out
}

// AppendFrame codes one picture, whose rows of samples are stride apart in
// pix, with the given QP, 0 to 51, and appends the access unit to dst.
func (e *Encoder) AppendFrame(dst, pix []byte, stride, qp int) ([]byte, error) {
	if qp < 0 || qp > 51 {
		return dst, fmt.Errorf("t265: QP %d: want 0 to 51", qp)
	}
	return e.AppendFrameFine(dst, pix, stride, 16*qp)
}

// AppendFrameFine is AppendFrame with a QP in 1/16 steps, 0 to 816, made of
// CTUs of two neighbouring QPs. It needs Params.FineQP.
func (e *Encoder) AppendFrameFine(dst, pix []byte, stride, qp16 int) ([]byte, error) {
	if qp16 < 0 || qp16 > 16*51 {
		return dst, fmt.Errorf("t265: QP %d/16: want 0 to 816", qp16)
	}
	if !e.p.FineQP && qp16&15 != 0 {
		return dst, fmt.Errorf("t265: QP %d/16 needs Params.FineQP", qp16)
	}
	w, h := e.p.Width, e.p.Height
	if err := raster.Check(pix, stride, w, h); err != nil {
		return dst, fmt.Errorf("t265: %w", err)
	}
	raster.Pad(e.src, e.f.stride, pix, stride, w, h)
	if e.p.Lossless {
		copy(e.f.pix, e.src)
	}
	e.stats = Stats{Pictures: 1}
	width, rows := e.f.grid.CTBWidth, e.f.grid.CTBHeight
	count := max(e.p.Slices, 1)
	addressBits := bits.Len(uint(width*rows - 1))
	e.fine = fineQP{qp16: qp16, ctus: width * rows}
	for s := range count {
		from, to := s*rows/count*width, (s+1)*rows/count*width
		e.hdr.Reset(e.buf[:0])
		writeSliceHeader(&e.hdr, from, addressBits, qp16>>4)
		e.res.c.Reset(e.hdr.Bytes())
		e.slice(from, to, qp16>>4)
		e.buf = e.res.c.Bytes()
		dst = bitio.AppendNAL(dst, []byte{nalIDRNLP << 1, 1}, e.buf)
	}
	return dst, nil
}

// slice decides and codes the CTUs from up to to.
func (e *Encoder) slice(from, to, qp int) {
	e.res.ctx.Reset(qp)
	e.setQP(qp)
	if e.rdo != nil {
		e.rdo.reset(qp)
	}
	e.fine.prev = qp
	e.stats.Slices++
	for addr := from; addr < to; addr++ {
		ctu := node{x: addr % e.f.grid.CTBWidth << e.g.ctb, y: addr / e.f.grid.CTBWidth << e.g.ctb, log2: e.g.ctb}
		e.edge = e.f.grid.Edges(addr, from)
		if e.p.FineQP {
			e.nextQP(addr)
		}
		if e.rdo != nil {
			e.rdo.decide(ctu)
		} else {
			e.hw.node(e, ctu)
		}
		e.stats.CTUs++
		e.seen.First = addr == from
		e.quadtree(ctu)
		e.seen.EndCTU, e.seen.Last = true, addr == to-1
		e.report()
		if e.p.FineQP {
			e.endQuantGroup()
		}
		end := 0
		if addr == to-1 {
			end = 1
		}
		e.res.c.Terminate(end)
		e.stats.Bins[ElemEndOfSlice]++
		if e.onRow != nil && (addr+1)%e.f.grid.CTBWidth == 0 {
			e.onRow(min(1<<e.g.ctb, e.p.Height-ctu.y))
		}
	}
	e.res.c.Flush()
}

// setQP prepares the quantisers for a QP.
func (e *Encoder) setQP(qp int) {
	e.qp = qp
	for l := 2; l <= 5; l++ {
		e.quant[l] = block.NewQuantizer(qp, l, e.p.Off&ToolDeadZone == 0, e.p.hides())
		e.scale[l] = block.NewScaler(qp, l)
	}
	if e.rdo == nil {
		e.hw.skip.Load(&e.quant[2])
	}
}

// nextQP chooses the QP of a CTU: the first ones of the picture have the
// larger QP, as many as make the mean qp16/16. One switch costs less than
// many, and the rate is a smooth function of qp16.
func (e *Encoder) nextQP(addr int) {
	qp, frac := e.fine.qp16>>4, e.fine.qp16&15
	if addr < (frac*e.fine.ctus+8)>>4 {
		qp++
	}
	if qp != e.qp {
		e.setQP(qp)
	}
	e.fine.coded = false
}

// endQuantGroup updates qPY_PREV after a CTU, which is one quantization group.
// It has no neighbour in its own CTU, so that qPY_PRED is qPY_PREV, which is
// also its QpY when no block was coded.
func (e *Encoder) endQuantGroup() {
	if e.fine.coded {
		e.fine.prev = e.qp
	}
}

// quadtree codes coding_quadtree (clause 7.3.8.4) of the plan.
func (e *Encoder) quadtree(n node) {
	f, r := &e.f, &e.res
	e.report()
	split := n.log2 > int(e.plan.cu[e.plan.unit(n)])
	if n.log2 > e.g.minCB && f.holds(n) {
		ctx := f.splitContext(n, e.edge)
		bin := 0
		if split {
			bin = 1
		}
		e.stats.Bins[ElemSplitCU]++
		r.c.Bin(&r.ctx[block.CtxSplitCU+ctx], bin)
	}
	if !split {
		e.codingUnit(n)
		return
	}
	for i := range 4 {
		if q := n.quarter(i); f.begins(q) {
			e.quadtree(q)
		}
	}
}

// codingUnit codes coding_unit (clause 7.3.8.5).
func (e *Encoder) codingUnit(n node) {
	f, r := &e.f, &e.res
	e.stats.CUs[n.log2]++
	f.fill8(f.depth, n, uint8(n.depth))
	if e.p.Lossless {
		e.stats.Bins[ElemTransquantBypass]++
		r.c.Bin(&r.ctx[block.CtxTransquant], 1)
	}
	nxn := e.plan.nxn[e.plan.unit(n)]
	if n.log2 == e.g.minCB {
		bin := 1
		if nxn {
			bin = 0
		}
		e.stats.Bins[ElemPartMode]++
		r.c.Bin(&r.ctx[block.CtxPartMode], bin)
	}
	limit := e.g.depth
	parts := [4]node{n}
	if nxn {
		e.stats.NxN++
		limit++ // IntraSplitFlag
		for i := range parts {
			parts[i] = n.quarter(i)
		}
		e.modes(parts[:])
	} else {
		e.modes(parts[:1])
	}
	e.transformTree(n.root(), limit, nxn)
}

// modes codes the intra modes of the prediction blocks of a coding unit.
func (e *Encoder) modes(parts []node) {
	f, r := &e.f, &e.res
	var cand [4][3]int
	var mode, which [4]int
	for i, p := range parts {
		cand[i] = block.ProbableModes(f.modeNeighbours(p, e.edge))
		mode[i] = int(f.mode[f.at4(p)])
		e.stats.Modes[mode[i]]++
		which[i] = slices.Index(cand[i][:], mode[i])
		bin := 1
		if which[i] < 0 {
			bin = 0
		}
		r.c.Bin(&r.ctx[block.CtxPrevIntra], bin)
	}
	e.stats.Bins[ElemPrevIntra] += int64(len(parts))
	e.seen.unit(which[0], mode[0], &cand[0])
	for i := range parts {
		switch which[i] {
		case 0:
			r.c.Bypass(0, 1)
			e.stats.Bins[ElemMPMIndex]++
		case 1, 2:
			r.c.Bypass(uint32(which[i]+1), 2)
			e.stats.Bins[ElemMPMIndex] += 2
		default:
			r.c.Bypass(uint32(block.ModeRemainder(mode[i], cand[i])), 5)
			e.stats.Bins[ElemRemIntra] += 5
		}
	}
}

// transformTree codes transform_tree (clause 7.3.8.8).
func (e *Encoder) transformTree(n node, limit int, nxn bool) {
	e.report()
	split := n.log2 > int(e.plan.tu[e.plan.order(n)])
	if e.g.signalsSplit(n, limit) && !(nxn && n.depth == 0) {
		bin := 0
		if split {
			bin = 1
		}
		e.stats.Bins[ElemSplitTransform]++
		e.res.c.Bin(&e.res.ctx[block.CtxSplitTransform+5-n.log2], bin)
		e.seen.TreeSplits++
		e.seen.TreeEnds = !split
	}
	if split {
		for i := range 4 {
			e.transformTree(n.quarter(i), limit, nxn)
		}
		return
	}
	e.transformUnit(n)
}

// transformUnit codes cbf_luma and transform_unit (clause 7.3.8.10).
func (e *Encoder) transformUnit(n node) {
	r, z := &e.res, e.plan.order(n)
	ctx := &r.ctx[block.CtxCbfLuma]
	if n.depth == 0 {
		ctx = &r.ctx[block.CtxCbfLuma+1]
	}
	e.stats.Bins[ElemCbfLuma]++
	e.stats.TUs[n.log2]++
	e.seen.begun, e.seen.Root, e.seen.SliceQP = true, n.depth == 0, e.fine.qp16>>4
	e.seen.Levels.Log2 = n.log2
	if !e.plan.cbf[z] {
		r.c.Bin(ctx, 0)
		return
	}
	r.c.Bin(ctx, 1)
	e.stats.CodedTUs[n.log2]++
	if e.p.FineQP && !e.fine.coded {
		e.fine.coded = true
		e.qpDelta(e.qp - e.fine.prev)
	}
	if e.p.skips() && n.log2 == 2 {
		bin := 0
		if e.plan.skip[z] {
			bin = 1
			e.stats.SkippedTU++
		}
		e.stats.Bins[ElemTransformSkip]++
		r.c.Bin(&r.ctx[block.CtxTransformSkip], bin)
		e.seen.Skip = e.plan.skip[z]
	}
	mode := int(e.f.mode[e.f.at4(n)])
	l := e.plan.levels(n, block.ScanIndex(n.log2, mode))
	e.seen.Coded, e.seen.Hides, e.seen.Levels = true, e.p.hides(), l
	r.encode(&l, e.p.hides())
}

// qpDelta codes cu_qp_delta_abs, which is at most one here, and its sign.
func (e *Encoder) qpDelta(d int) {
	r := &e.res
	e.seen.QPCoded, e.seen.QPDelta = true, d
	e.stats.Bins[ElemQPDelta]++
	if d == 0 {
		r.c.Bin(&r.ctx[block.CtxQPDelta], 0)
		return
	}
	r.c.Bin(&r.ctx[block.CtxQPDelta], 1)
	r.c.Bin(&r.ctx[block.CtxQPDelta+1], 0)
	sign := uint32(0)
	if d < 0 {
		sign = 1
	}
	r.c.Bypass(sign, 1)
	e.stats.Bins[ElemQPDelta] += 2
}
