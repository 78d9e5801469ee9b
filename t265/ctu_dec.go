package t265

import (
	"fmt"

	"vcsim/internal/bitio"
	"vcsim/internal/raster"
	"vcsim/t265/block"
)

// A ctuDecoder decodes the slice data of one picture (clause 7.3.8).
type ctuDecoder struct {
	f        frame
	sps      *SPS
	pps      *PPS
	residual residualDecoder
	wpp      block.Contexts // after the second CTU of a row (clause 9.3.2.4)
	slices   block.Contexts // at the end of a slice segment
	stats    *Stats
	next     int // CTU that the next slice segment has to start with
	deblock  bool

	edge     block.CTUEdge
	qpPrev   int // qPY_PREV: QpY of the last CU of the quantization group before
	qp       int // QpY of the current CU
	qpPred   int // qPY_PRED of the current quantization group
	qpCoded  bool
	bypass   bool
	ref, flt block.Refs
	res      [1024]int16
	err      error

	observe        func(t *Transform, last bool)
	keepPrediction bool
	prediction     []byte // like f.pix
}

func (c *ctuDecoder) startPicture(s *SPS) {
	c.f.init(s.Width, s.Height, s.Log2CTB)
	c.next = 0
	if c.keepPrediction {
		c.prediction = make([]byte, len(c.f.pix))
	}
}

// slice decodes one slice segment, whose data follows its header.
func (c *ctuDecoder) slice(data []byte, s *SPS, p *PPS, h *sliceHeader) error {
	if h.address != c.next {
		return FormatError(fmt.Sprintf("slice segment at CTU %d, want %d", h.address, c.next))
	}
	c.sps, c.pps, c.deblock = s, p, h.deblock
	c.err = nil
	r := &c.residual
	w, total := s.ctbWidth, s.ctbWidth*s.ctbHeight
	if !h.dependent {
		c.qpPrev = h.qp
	}
	for addr := h.address; ; addr++ {
		c.edge = c.f.grid.Edges(addr, h.sliceStart)
		rowStart := p.WPP && addr%w == 0
		switch {
		case rowStart:
			// Clause 9.3.1: synchronise with the row above.
			if c.edge.AboveRight {
				r.ctx = c.wpp
			} else {
				r.ctx.Reset(h.qp)
			}
			c.qpPrev = h.qp
		case addr == h.address && h.dependent:
			r.ctx = c.slices
		case addr == h.address:
			r.ctx.Reset(h.qp)
		}
		if addr == h.address {
			r.c.Reset(data)
		}
		c.stats.CTUs++
		c.quadtree(node{x: addr % w << s.Log2CTB, y: addr / w << s.Log2CTB, log2: s.Log2CTB})
		if c.err == nil && r.c.Overrun() {
			c.err = FormatError("slice data ends early")
		}
		if c.err != nil {
			return fmt.Errorf("ctu %d: %w", addr, c.err)
		}
		if p.WPP && addr%w == 1 {
			c.wpp = r.ctx
		}
		c.next = addr + 1
		c.stats.Bins[ElemEndOfSlice]++
		end := r.c.Terminate() != 0
		if c.observe != nil {
			c.observe(nil, end)
		}
		if end {
			break
		}
		if c.next == total {
			return FormatError("slice data beyond the last CTU")
		}
		if p.WPP && c.next%w == 0 {
			c.stats.Bins[ElemEndOfSlice]++
			if r.c.Terminate() == 0 {
				return FormatError(fmt.Sprintf("ctu %d: end_of_subset_one_bit is 0", addr))
			}
			r.c.Reset(r.c.Next())
		}
	}
	c.slices = r.ctx
	return nil
}

// quadtree decodes coding_quadtree (clause 7.3.8.4).
func (c *ctuDecoder) quadtree(n node) {
	s, f := c.sps, &c.f
	split := n.log2 > s.Log2MinCB
	if split && f.holds(n) {
		ctx := block.CtxSplitCU + f.splitContext(n, c.edge)
		c.stats.Bins[ElemSplitCU]++
		split = c.residual.c.Bin(&c.residual.ctx[ctx]) != 0
	}
	if c.pps.QPDelta && n.log2 >= s.Log2CTB-c.pps.QPDeltaDepth {
		c.startQuantGroup(n)
	}
	if !split {
		c.codingUnit(n)
		return
	}
	for i := range 4 {
		if q := n.quarter(i); f.begins(q) && c.err == nil {
			c.quadtree(q)
		}
	}
}

// startQuantGroup derives qPY_PRED (clause 8.6.1).
func (c *ctuDecoder) startQuantGroup(n node) {
	c.qpCoded = false
	mask := 1<<c.sps.Log2CTB - 1
	at := c.f.at8(n)
	left, above := c.qpPrev, c.qpPrev
	if n.x&mask > 0 {
		left = int(c.f.qp[at-1])
	}
	if n.y&mask > 0 {
		above = int(c.f.qp[at-c.f.stride8])
	}
	c.qpPred = (left + above + 1) >> 1
	c.qp = c.qpPred
}

// codingUnit decodes coding_unit (clause 7.3.8.5).
func (c *ctuDecoder) codingUnit(n node) {
	s, r := c.sps, &c.residual
	if !c.pps.QPDelta {
		c.qp = c.qpPrev
	}
	c.stats.CUs[n.log2]++
	c.bypass = false
	if c.pps.TransquantBypass {
		c.stats.Bins[ElemTransquantBypass]++
		c.bypass = r.c.Bin(&r.ctx[block.CtxTransquant]) != 0
	}
	if c.deblock && !c.bypass {
		// Deblocking leaves bypass blocks alone (clause 8.7.2.5.7).
		c.err = unsupported("slice_deblocking_filter_disabled_flag", 0)
		return
	}
	c.f.fill8(c.f.depth, n, uint8(n.depth))
	nxn := false
	if n.log2 == s.Log2MinCB {
		c.stats.Bins[ElemPartMode]++
		nxn = r.c.Bin(&r.ctx[block.CtxPartMode]) == 0
	}
	if !nxn && s.PCM && n.log2 >= s.Log2MinPCM && n.log2 <= s.Log2MaxPCM {
		c.stats.Bins[ElemPCM]++
		if r.c.Terminate() != 0 {
			c.pcm(n)
			return
		}
	}
	limit := s.MaxDepthIntra
	parts := [4]node{n}
	if nxn {
		c.stats.NxN++
		limit++ // IntraSplitFlag
		for i := range parts {
			parts[i] = n.quarter(i)
		}
		c.modes(parts[:])
	} else {
		c.modes(parts[:1])
	}
	c.transformTree(n.root(), limit, nxn)
	c.f.fill8(c.f.qp, n, uint8(c.qp))
	c.qpPrev = c.qp
}

// modes decodes the intra modes of the prediction blocks of a coding unit.
func (c *ctuDecoder) modes(parts []node) {
	r := &c.residual
	var probable [4]bool // prev_intra_luma_pred_flag
	for i := range parts {
		probable[i] = r.c.Bin(&r.ctx[block.CtxPrevIntra]) != 0
	}
	c.stats.Bins[ElemPrevIntra] += int64(len(parts))
	for i, p := range parts {
		cand := block.ProbableModes(c.f.modeNeighbours(p, c.edge))
		var mode int
		if probable[i] {
			k := r.c.Unary(2)
			c.stats.Bins[ElemMPMIndex] += int64(min(k+1, 2))
			mode = cand[k]
		} else {
			c.stats.Bins[ElemRemIntra] += 5
			mode = block.ModeFromRemainder(int(r.c.Bypass(5)), cand)
		}
		c.stats.Modes[mode]++
		c.f.fillMode(p, uint8(mode))
	}
}

// pcm decodes pcm_sample (clause 7.3.8.7) and restarts the arithmetic decoder.
func (c *ctuDecoder) pcm(n node) {
	side, r := n.size(), &c.residual
	c.stats.PCM++
	c.f.fillMode(n, block.ModeDC)
	c.f.fill8(c.f.qp, n, uint8(c.qp))
	c.qpPrev = c.qp
	data := r.c.Next()
	size := (side*side*c.sps.PCMBits + 7) / 8
	if len(data) < size {
		c.err = FormatError("slice data ends in PCM samples")
		return
	}
	b := bitio.NewReader(data[:size])
	dst := c.f.pix[c.f.at(n):]
	for j := range side {
		row := dst[j*c.f.stride:][:side]
		for i := range row {
			row[i] = uint8(b.Bits(c.sps.PCMBits) << (8 - c.sps.PCMBits))
		}
	}
	r.c.Reset(data[size:])
}

// transformTree decodes transform_tree (clause 7.3.8.8).
func (c *ctuDecoder) transformTree(n node, limit int, nxn bool) {
	s, r := c.sps, &c.residual
	inferred := nxn && n.depth == 0
	split := n.log2 > s.Log2MaxTB || inferred
	if n.log2 <= s.Log2MaxTB && n.log2 > s.Log2MinTB && n.depth < limit && !inferred {
		c.stats.Bins[ElemSplitTransform]++
		split = r.c.Bin(&r.ctx[block.CtxSplitTransform+5-n.log2]) != 0
	}
	if split {
		for i := range 4 {
			if c.err == nil {
				c.transformTree(n.quarter(i), limit, nxn)
			}
		}
		return
	}
	ctx := block.CtxCbfLuma
	if n.depth == 0 {
		ctx++
	}
	c.stats.Bins[ElemCbfLuma]++
	cbf := r.c.Bin(&r.ctx[ctx]) != 0
	c.transformUnit(n, cbf)
}

// qpDelta decodes cu_qp_delta_abs and its sign (clauses 7.3.8.14, 9.3.3.10)
// and derives QpY.
func (c *ctuDecoder) qpDelta() {
	r := &c.residual
	v, ctx := 0, block.CtxQPDelta
	for v < 5 && r.c.Bin(&r.ctx[ctx]) != 0 {
		v++
		ctx = block.CtxQPDelta + 1
	}
	c.stats.Bins[ElemQPDelta] += int64(min(v+1, 5))
	if v == 5 { // EG0 suffix
		k := r.c.Unary(6)
		v += 1<<k - 1 + int(r.c.Bypass(k))
		c.stats.Bins[ElemQPDelta] += int64(2*k + 1)
	}
	if v > 26 {
		c.err = FormatError("cu_qp_delta_abs above 26")
		return
	}
	if v > 0 {
		c.stats.Bins[ElemQPDelta]++
		if r.c.Bypass(1) != 0 {
			v = -v
		}
	}
	c.qpCoded = true
	c.qp = (c.qpPred + v + 52) % 52
}

// transformUnit predicts one transform block and decodes its residual (clause
// 7.3.8.10).
func (c *ctuDecoder) transformUnit(n node, cbf bool) {
	f := &c.f
	c.stats.TUs[n.log2]++
	mode := int(f.mode[f.at4(n)])
	dst := f.pix[f.at(n):]
	f.gather(&c.ref, n, c.edge)
	ref := &c.ref
	if block.Filtered(n.log2, mode) {
		c.ref.Filter(&c.flt, n.log2, c.sps.StrongSmoothing)
		ref = &c.flt
	}
	block.Predict(dst, f.stride, n.log2, mode, ref)
	if c.keepPrediction {
		raster.Copy(c.prediction[f.at(n):], f.stride, dst, f.stride, n.size(), n.size())
	}
	if !cbf {
		if c.observe != nil {
			c.report(n, mode, false, false)
		}
		return
	}
	c.stats.CodedTUs[n.log2]++
	if c.pps.QPDelta && !c.qpCoded {
		if c.qpDelta(); c.err != nil {
			return
		}
	}
	skip := c.residue(n.log2, block.ScanIndex(n.log2, mode))
	if c.observe != nil {
		c.report(n, mode, true, skip)
	}
	block.Reconstruct(dst, f.stride, n.size(), &c.res)
}

// residue decodes the residual of a block of size 1<<log2 into c.res. It returns
// transform_skip_flag.
func (c *ctuDecoder) residue(log2, scanIdx int) (skip bool) {
	r := &c.residual
	if c.pps.TransformSkip && !c.bypass && log2 == 2 {
		c.stats.Bins[ElemTransformSkip]++
		if skip = r.c.Bin(&r.ctx[block.CtxTransformSkip]) != 0; skip {
			c.stats.SkippedTU++
		}
	}
	if c.bypass {
		r.decode(log2, scanIdx, nil, false)
		block.InverseBypass(&c.res, &r.coef, log2)
	} else {
		s := block.NewScaler(c.qp, log2)
		r.decode(log2, scanIdx, &s, c.pps.SignHiding)
		if skip {
			block.InverseSkip(&c.res, &r.coef)
		} else {
			block.Inverse(&c.res, &r.coef, log2, r.ext, log2 == 2)
		}
	}
	clear(r.coef[:1<<(2*log2-1)])
	return skip
}
