package t265

import (
	"fmt"

	"vcsim/internal/bitio"
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
		x, y := addr%w<<s.Log2CTB, addr/w<<s.Log2CTB
		c.quadtree(x, y, s.Log2CTB, 0)
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
func (c *ctuDecoder) quadtree(x, y, log2, depth int) {
	s, f := c.sps, &c.f
	n := 1 << log2
	split := log2 > s.Log2MinCB
	if split && x+n <= f.grid.Width && y+n <= f.grid.Height {
		ctx := block.CtxSplitCU + f.splitContext(x, y, depth, c.edge)
		c.stats.Bins[ElemSplitCU]++
		split = c.residual.c.Bin(&c.residual.ctx[ctx]) != 0
	}
	if c.pps.QPDelta && log2 >= s.Log2CTB-c.pps.QPDeltaDepth {
		c.startQuantGroup(x, y)
	}
	if !split {
		c.codingUnit(x, y, log2, depth)
		return
	}
	h := n >> 1
	for i := range 4 {
		bx, by := x+i&1*h, y+i>>1*h
		if bx < f.grid.Width && by < f.grid.Height && c.err == nil {
			c.quadtree(bx, by, log2-1, depth+1)
		}
	}
}

// startQuantGroup derives qPY_PRED (clause 8.6.1).
func (c *ctuDecoder) startQuantGroup(x, y int) {
	c.qpCoded = false
	mask := 1<<c.sps.Log2CTB - 1
	at := y>>3*c.f.stride8 + x>>3
	left, above := c.qpPrev, c.qpPrev
	if x&mask > 0 {
		left = int(c.f.qp[at-1])
	}
	if y&mask > 0 {
		above = int(c.f.qp[at-c.f.stride8])
	}
	c.qpPred = (left + above + 1) >> 1
	c.qp = c.qpPred
}

// codingUnit decodes coding_unit (clause 7.3.8.5).
func (c *ctuDecoder) codingUnit(x, y, log2, depth int) {
	s, r := c.sps, &c.residual
	n := 1 << log2
	if !c.pps.QPDelta {
		c.qp = c.qpPrev
	}
	c.stats.CUs[log2]++
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
	c.f.fill8(c.f.depth, x, y, n, uint8(depth))
	nxn := false
	if log2 == s.Log2MinCB {
		c.stats.Bins[ElemPartMode]++
		nxn = r.c.Bin(&r.ctx[block.CtxPartMode]) == 0
	}
	if !nxn && s.PCM && log2 >= s.Log2MinPCM && log2 <= s.Log2MaxPCM {
		c.stats.Bins[ElemPCM]++
		if r.c.Terminate() != 0 {
			c.pcm(x, y, log2)
			return
		}
	}
	parts, size := 1, n
	if nxn {
		parts, size = 4, n>>1
		c.stats.NxN++
	}
	var prev [4]bool
	for i := range parts {
		prev[i] = r.c.Bin(&r.ctx[block.CtxPrevIntra]) != 0
	}
	c.stats.Bins[ElemPrevIntra] += int64(parts)
	for i := range parts {
		px, py := x+i&1*size, y+i>>1*size
		cand := block.ProbableModes(c.f.modeNeighbours(px, py, c.edge))
		var mode int
		if prev[i] {
			k := r.c.Unary(2)
			c.stats.Bins[ElemMPMIndex] += int64(min(k+1, 2))
			mode = cand[k]
		} else {
			c.stats.Bins[ElemRemIntra] += 5
			mode = block.ModeFromRemainder(int(r.c.Bypass(5)), cand)
		}
		c.stats.Modes[mode]++
		c.f.fillMode(px, py, size, uint8(mode))
	}
	maxDepth := s.MaxDepthIntra
	if nxn {
		maxDepth++
	}
	c.transformTree(x, y, log2, 0, maxDepth, nxn)
	c.f.fill8(c.f.qp, x, y, n, uint8(c.qp))
	c.qpPrev = c.qp
}

// pcm decodes pcm_sample (clause 7.3.8.7) and restarts the arithmetic decoder.
func (c *ctuDecoder) pcm(x, y, log2 int) {
	n, r := 1<<log2, &c.residual
	c.stats.PCM++
	c.f.fillMode(x, y, n, block.ModeDC)
	c.f.fill8(c.f.qp, x, y, n, uint8(c.qp))
	c.qpPrev = c.qp
	data := r.c.Next()
	size := (n*n*c.sps.PCMBits + 7) / 8
	if len(data) < size {
		c.err = FormatError("slice data ends in PCM samples")
		return
	}
	b := bitio.NewReader(data[:size])
	for j := range n {
		row := c.f.pix[(y+j)*c.f.stride+x:][:n]
		for i := range row {
			row[i] = uint8(b.Bits(c.sps.PCMBits) << (8 - c.sps.PCMBits))
		}
	}
	r.c.Reset(data[size:])
}

// transformTree decodes transform_tree (clause 7.3.8.8).
func (c *ctuDecoder) transformTree(x, y, log2, depth, maxDepth int, nxn bool) {
	s, r := c.sps, &c.residual
	split := log2 > s.Log2MaxTB || nxn && depth == 0
	if log2 <= s.Log2MaxTB && log2 > s.Log2MinTB && depth < maxDepth && !(nxn && depth == 0) {
		c.stats.Bins[ElemSplitTransform]++
		split = r.c.Bin(&r.ctx[block.CtxSplitTransform+5-log2]) != 0
	}
	if split {
		h := 1 << log2 >> 1
		for i := range 4 {
			if c.err == nil {
				c.transformTree(x+i&1*h, y+i>>1*h, log2-1, depth+1, maxDepth, nxn)
			}
		}
		return
	}
	ctx := block.CtxCbfLuma
	if depth == 0 {
		ctx++
	}
	c.stats.Bins[ElemCbfLuma]++
	cbf := r.c.Bin(&r.ctx[ctx]) != 0
	c.transformUnit(x, y, log2, cbf)
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
func (c *ctuDecoder) transformUnit(x, y, log2 int, cbf bool) {
	r, f := &c.residual, &c.f
	n := 1 << log2
	c.stats.TUs[log2]++
	mode := int(f.mode[y>>2*f.stride4+x>>2])
	at := y*f.stride + x
	c.ref.Gather(f.pix, f.stride, at, n, f.grid.Neighbours(x, y, n, c.edge))
	ref := &c.ref
	if block.Filtered(log2, mode) {
		c.ref.Filter(&c.flt, log2, c.sps.StrongSmoothing)
		ref = &c.flt
	}
	block.Predict(f.pix[at:], f.stride, log2, mode, ref)
	if c.keepPrediction {
		for i := range n {
			copy(c.prediction[at+i*f.stride:][:n], f.pix[at+i*f.stride:])
		}
	}
	if !cbf {
		return
	}
	c.stats.CodedTUs[log2]++
	if c.pps.QPDelta && !c.qpCoded {
		if c.qpDelta(); c.err != nil {
			return
		}
	}
	skip := false
	if c.pps.TransformSkip && !c.bypass && log2 == 2 {
		c.stats.Bins[ElemTransformSkip]++
		if skip = r.c.Bin(&r.ctx[block.CtxTransformSkip]) != 0; skip {
			c.stats.SkippedTU++
		}
	}
	idx := block.ScanIndex(log2, mode)
	if c.bypass {
		r.decode(log2, idx, nil, false)
		block.InverseBypass(&c.res, &r.coef, log2)
	} else {
		s := block.NewScaler(c.qp, log2)
		r.decode(log2, idx, &s, c.pps.SignHiding)
		if skip {
			block.InverseSkip(&c.res, &r.coef)
		} else {
			block.Inverse(&c.res, &r.coef, log2, r.ext, log2 == 2)
		}
	}
	clear(r.coef[:1<<(2*log2-1)])
	block.Reconstruct(f.pix[at:], f.stride, n, &c.res)
}
