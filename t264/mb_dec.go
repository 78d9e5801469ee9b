package t264

import (
	"fmt"
	"vcsim/t264/block"
)

// A mbDecoder decodes the slice data of one picture (clause 7.3.4).
type mbDecoder struct {
	f        frame
	sps      *SPS
	pps      *PPS
	residual residualDecoder
	stats    *Stats
	next     int // macroblock that the next slice has to start with
	filter   deblocking

	edge      block.Edge
	qp        int  // QPY of the macroblock before
	qpChanged bool // its mb_qp_delta was not zero
	bypass    bool // TransformBypassModeFlag
	scale     *block.Scaler
	ref, flt  block.Refs
	four      [16]block.Lanes4 // zero between blocks; by decoding order
	eight     block.Lanes8     // zero between blocks
	raw       [256]int16       // levels of bypass blocks, zero between blocks
	err       error

	observe func(*Macroblock)
	seen    *Macroblock // what observe is told; nil without it
}

func (m *mbDecoder) startPicture(s *SPS) {
	m.f.init(s.Width, s.Height)
	m.next = 0
}

// slice decodes one slice, whose data, byte aligned, follows its header.
func (m *mbDecoder) slice(data []byte, s *SPS, p *PPS, h *sliceHeader) error {
	if h.first != m.next {
		return FormatError(fmt.Sprintf("first_mb_in_slice = %d, want %d", h.first, m.next))
	}
	m.sps, m.pps, m.filter = s, p, h.filter
	m.err = nil
	m.qp, m.qpChanged = h.qp, false
	m.setQP()
	r := &m.residual
	r.ctx.Reset(h.qp)
	r.c.Reset(data)
	total := len(m.f.mb)
	for addr := h.first; ; addr++ {
		m.edge = m.f.edges(addr, h.first)
		if m.seen != nil {
			*m.seen = Macroblock{}
		}
		m.macroblock(addr)
		if m.err == nil && r.c.Overrun() {
			m.err = FormatError("slice data ends early")
		}
		if m.err != nil {
			return fmt.Errorf("macroblock %d: %w", addr, m.err)
		}
		m.next = addr + 1
		m.stats.Bins[ElemEndOfSlice]++
		end := r.c.Terminate() != 0
		if m.seen != nil {
			m.report(addr, end)
		}
		if end {
			return nil
		}
		if m.next == total {
			return FormatError("slice data beyond the last macroblock")
		}
	}
}

// setQP prepares for the current QP.
func (m *mbDecoder) setQP() {
	m.scale = &block.Scalers[m.qp]
	m.bypass = m.sps.LosslessQP0 && m.qp == 0
}

// macroblock decodes macroblock_layer (clause 7.3.5).
func (m *mbDecoder) macroblock(addr int) {
	r, f := &m.residual, &m.f
	x, y := addr%f.mbWidth*16, addr/f.mbWidth*16
	info := &f.mb[addr]
	inc := f.typeContext(addr, m.edge)
	r.stats.Bins[ElemMBType]++
	mode := 0
	switch {
	case r.c.Bin(&r.ctx[block.CtxMBType+inc]) == 0:
		info.kind = block.MB4x4
		if m.pps.Transform8x8 {
			r.stats.Bins[ElemTransform8]++
			if r.c.Bin(&r.ctx[block.CtxTransform8+f.transform8Context(addr, m.edge)]) != 0 {
				info.kind = block.MB8x8
			}
		}
	case r.terminate():
		info.kind = block.MBPCM
	default:
		info.kind = block.MB16x16
		info.cbp = uint8(15 * r.c.Bin(&r.ctx[block.CtxMBType+3]))
		chroma := r.c.Bin(&r.ctx[block.CtxMBType+4])
		mode = r.c.Bin(&r.ctx[block.CtxMBType+6])<<1 | r.c.Bin(&r.ctx[block.CtxMBType+7])
		r.stats.Bins[ElemMBType] += 4
		if chroma != 0 {
			m.err = FormatError("mb_type with chroma coefficients in a monochrome picture")
			return
		}
	}
	m.stats.MBs[info.kind]++
	switch info.kind {
	case block.MBPCM:
		m.pcm(info, x, y)
	case block.MB16x16:
		m.stats.Modes16[mode]++
		m.qpDelta()
		if m.err == nil {
			m.intra16(addr, x, y, mode)
		}
	default:
		m.intraNxN(addr, x, y)
	}
	if m.err == nil && m.filter.active(info.kind, m.qp) {
		m.err = unsupported("disable_deblocking_filter_idc", m.filter.idc)
	}
}

// terminate decodes the second bin of mb_type.
func (d *residualDecoder) terminate() bool {
	d.stats.Bins[ElemMBType]++
	return d.c.Terminate() != 0
}

// pcm copies pcm_sample_luma and restarts the arithmetic decoder.
func (m *mbDecoder) pcm(info *mbInfo, x, y int) {
	f, r := &m.f, &m.residual
	info.cbp, info.dc = 15, 1
	f.fill4(f.mode, x, y, 16, block.ModeDC)
	f.fill4(f.coded, x, y, 16, 1)
	m.qpChanged = false
	data := r.c.Next()
	if len(data) < 256 {
		m.err = FormatError("slice data ends in PCM samples")
		return
	}
	for i := range 16 {
		copy(f.pix[(y+i)*f.stride+x:][:16], data[16*i:])
	}
	if m.seen != nil {
		m.seePrediction(x, y, 16)
	}
	r.c.Reset(data[256:])
}

// qpDelta decodes mb_qp_delta (clauses 7.4.5 and 9.3.2.7).
func (m *mbDecoder) qpDelta() {
	r := &m.residual
	inc, k := 0, 0
	if m.qpChanged {
		inc = 1
	}
	for k <= 2*26 && r.c.Bin(&r.ctx[block.CtxQPDelta+inc]) != 0 {
		k++
		inc = min(k+1, 3)
	}
	r.stats.Bins[ElemQPDelta] += int64(k + 1)
	delta := (k + 1) >> 1
	if k&1 == 0 {
		delta = -delta
	}
	if delta < -26 || delta > 25 {
		m.err = FormatError("mb_qp_delta out of range")
		return
	}
	m.qpChanged = delta != 0
	if m.qpChanged {
		m.qp = (m.qp + delta + 52) % 52
		m.setQP()
	}
}

// reference gathers the reference samples of a block and returns those that
// its prediction reads.
func (m *mbDecoder) reference(x, y, n, log2, mode int) (*block.Refs, block.Neighbourhood) {
	f := &m.f
	nb := block.Neighbours(x, y, n, m.edge)
	if !block.Allowed(log2, mode, nb) {
		m.err = FormatError(fmt.Sprintf("intra mode %d of a %dx%d block without its neighbours", mode, n, n))
	}
	m.ref.Gather(f.pix, f.stride, y*f.stride+x, n, nb)
	if n == 8 {
		m.ref.Filter(&m.flt, nb)
		return &m.flt, nb
	}
	return &m.ref, nb
}

// intraNxN decodes the rest of an I_NxN macroblock.
func (m *mbDecoder) intraNxN(addr, x, y int) {
	f, r := &m.f, &m.residual
	info := &f.mb[addr]
	n, log2, step := 4, 2, 1
	modes := &m.stats.Modes4
	if info.kind == block.MB8x8 {
		n, log2, step = 8, 3, 4
		modes = &m.stats.Modes8
	}
	for b := 0; b < 16; b += step {
		bx, by := x+int(block.X[b]), y+int(block.Y[b])
		mode := f.predictedMode(bx, by, m.edge)
		if r.c.Bin(&r.ctx[block.CtxPrevIntra]) == 0 {
			rem := 0
			for i := range 3 { // least significant bit first
				rem |= r.c.Bin(&r.ctx[block.CtxRemIntra]) << i
			}
			mode = block.ModeFromRemainder(rem, mode)
			r.stats.Bins[ElemRemIntra] += 3
		}
		r.stats.Bins[ElemPrevIntra]++
		modes[mode]++
		f.fill4(f.mode, bx, by, n, uint8(mode))
	}
	cbp := uint8(0)
	for i := range 4 {
		inc := f.cbpContext(addr, i, cbp, m.edge)
		cbp |= uint8(r.c.Bin(&r.ctx[block.CtxCBP+inc])) << i
	}
	r.stats.Bins[ElemCBP] += 4
	info.cbp, info.dc = cbp, 0
	if cbp != 0 {
		m.qpDelta()
	} else {
		m.qpChanged = false
	}
	for b := 0; b < 16 && m.err == nil; b += step {
		bx, by := x+int(block.X[b]), y+int(block.Y[b])
		mode := int(f.mode[by>>2*f.stride4+bx>>2])
		ref, nb := m.reference(bx, by, n, log2, mode)
		if m.err != nil {
			return
		}
		dst := f.pix[by*f.stride+bx:]
		block.Predict(dst, f.stride, log2, mode, ref, nb)
		if m.seen != nil {
			m.seePrediction(bx, by, n)
		}
		if cbp>>(b>>2)&1 == 0 {
			f.fill4(f.coded, bx, by, n, 0)
			continue
		}
		if n == 8 {
			m.stats.Blocks[block.Cat8x8]++
			f.fill4(f.coded, bx, by, 8, 1)
			m.residual8(dst, b, mode)
			continue
		}
		at := by>>2*f.stride4 + bx>>2
		f.coded[at] = 0
		if r.coded(block.Cat4x4, f.codedContext(bx, by, m.edge)) {
			f.coded[at] = 1
			m.residual4(dst, b, mode)
		}
	}
}

// residual8 decodes the coefficients of the 8x8 block that begins with 4x4 block
// b and adds its residual to dst.
func (m *mbDecoder) residual8(dst []byte, b, mode int) {
	r := &m.residual
	count := r.decode(block.Cat8x8, 64)
	if m.seen != nil {
		m.see(b, 0, count)
	}
	if m.bypass {
		for i := range count {
			m.raw[block.Scan8[r.at[i]&63]] = int16(r.lev[i])
		}
		block.ReconstructBypass(dst, m.f.stride, 8, mode, m.raw[:64])
		clear(m.raw[:64])
		return
	}
	for i := range r.lev[:count] {
		p := block.Scan8[r.at[i]&63] & 63
		v := (r.lev[i]*m.scale.Eight[p] + 2) >> 2
		m.eight[p>>2] += int64(v) << (16 * (p & 3))
	}
	block.InverseTransform8(&m.eight)
	block.Reconstruct8(dst, m.f.stride, &m.eight)
	clear(m.eight[:])
}

// residual4 is residual8 for a 4x4 block.
func (m *mbDecoder) residual4(dst []byte, b, mode int) {
	r := &m.residual
	count := r.decode(block.Cat4x4, 16)
	if m.seen != nil {
		m.see(b, 0, count)
	}
	if m.bypass {
		for i := range count {
			m.raw[block.Scan4[r.at[i]&15]] = int16(r.lev[i])
		}
		block.ReconstructBypass(dst, m.f.stride, 4, mode, m.raw[:16])
		clear(m.raw[:16])
		return
	}
	w := &m.four[0]
	for i := range r.lev[:count] {
		p := block.Scan4[r.at[i]&15] & 15
		w[p>>2] += int64(r.lev[i]*m.scale.Four[p]) << (16 * (p & 3))
	}
	block.InverseTransform4(w)
	block.Reconstruct4(dst, m.f.stride, w)
	clear(w[:])
}

// intra16 predicts an I_16x16 macroblock and decodes its residual.
func (m *mbDecoder) intra16(addr, x, y, mode int) {
	f, r := &m.f, &m.residual
	info := &f.mb[addr]
	f.fill4(f.mode, x, y, 16, block.ModeDC)
	ref, nb := m.reference(x, y, 16, 4, mode)
	if m.err != nil {
		return
	}
	dst := f.pix[y*f.stride+x:]
	block.Predict(dst, f.stride, 4, mode, ref, nb)
	if m.seen != nil {
		m.seen.Mode16 = uint8(mode)
		m.seePrediction(x, y, 16)
	}
	var dc [16]int32 // by column and row of the block
	info.dc = 0
	if r.coded(block.CatDC, f.dcContext(addr, m.edge)) {
		info.dc = 1
		count := r.decode(block.CatDC, 16)
		for i := range count {
			dc[block.Scan4[r.at[i]&15]&15] = r.lev[i]
		}
		if m.seen != nil {
			m.seeDC(count)
		}
	}
	if !m.bypass && info.dc != 0 {
		block.InverseDC(&dc)
		for i, v := range dc {
			dc[i] = m.scale.DCCoefficient(v)
		}
	}
	var filled [16]bool
	for b := range 16 {
		bx, by := int(block.X[b]), int(block.Y[b])
		c := dc[bx&12+by>>2]
		filled[b] = c != 0
		at := (y+by)>>2*f.stride4 + (x+bx)>>2
		f.coded[at] = 0
		w := &m.four[b]
		w[0] = int64(c)
		if m.bypass {
			m.raw[16*bx+by] = int16(c)
		}
		if info.cbp == 0 {
			continue
		}
		if !r.coded(block.CatAC, f.codedContext(x+bx, y+by, m.edge)) {
			continue
		}
		f.coded[at] = 1
		filled[b] = true
		count := r.decode(block.CatAC, 15)
		if m.seen != nil {
			m.see(b, 1, count)
		}
		for i := range count {
			p := block.Scan4[(r.at[i]+1)&15] & 15
			if m.bypass {
				m.raw[16*(bx+int(p>>2))+by+int(p&3)] = int16(r.lev[i])
				continue
			}
			w[p>>2] += int64(r.lev[i]*m.scale.Four[p]) << (16 * (p & 3))
		}
	}
	if m.bypass {
		block.ReconstructBypass(dst, f.stride, 16, mode, m.raw[:])
		clear(m.raw[:])
	}
	for b := range 16 {
		if filled[b] && !m.bypass {
			block.InverseTransform4(&m.four[b])
			block.Reconstruct4(dst[int(block.Y[b])*f.stride+int(block.X[b]):], f.stride, &m.four[b])
		}
	}
	clear(m.four[:])
}
