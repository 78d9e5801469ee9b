package t264

import (
	"fmt"

	"vcsim/internal/bitio"
	"vcsim/internal/raster"
	"vcsim/t264/block"
)

// An Encoder codes pictures of one size, each as one IDR access unit. It is
// not safe for concurrent use; frames in parallel take one Encoder each, told
// by SetFrame which frame comes next.
type Encoder struct {
	p     Params
	g     geometry
	f     frame
	src   []byte // coded size, rows of f.stride, padded by replication
	out   []byte // cropped reconstruction, made by Recon
	stats Stats
	res   residualEncoder
	plan  mbPlan
	edge  block.Edge
	buf   []byte // slice data before emulation prevention
	hdr   bitio.Writer
	frame int // index of the next picture
	fine  fineQP

	observe func(*Macroblock) // nil for none

	quant block.Quantizer
	scale *block.Scaler
	qp    int // of the current macroblock
	work  workspace
	rdo   *rdoSearch

	onRow func(rows int) // nil for none
}

// A workspace holds the arrays of one block under way.
type workspace struct {
	ref, flt block.Refs
	four     block.Lanes4
	eight    block.Lanes8
	coef4    [16]int16
	coef8    [64]int16
	raw      [256]int16
}

// A mbPlan holds the decisions for one macroblock; intra modes of 4x4 and 8x8
// blocks are in frame.mode.
type mbPlan struct {
	kind   uint8
	mode16 uint8 // Intra16x16PredMode
	cbp    uint8
	dcLev  [16]int16
	dcMask uint64
	// lev and mask hold 8x8 block i at 64*i and i, by scan position; 4x4
	// block b at 16*b and 16*(b&3) bits up in b>>2.
	lev  [256]int16
	mask [4]uint64
}

// mask4 returns the mask of 4x4 block b.
func (p *mbPlan) mask4(b int) uint64 { return p.mask[b>>2&3] >> (16 * (b & 3)) & 0xffff }

// fineQP spreads QP steps over the macroblocks of a picture.
type fineQP struct {
	qp16, acc int
	prev      int  // QPY of the macroblock before
	changed   bool // its mb_qp_delta was not zero
}

// NewEncoder returns an Encoder, or the error of p.Validate.
func NewEncoder(p Params) (*Encoder, error) {
	g, err := p.geometry()
	if err != nil {
		return nil, err
	}
	e := &Encoder{p: p, g: g}
	e.f.init(g.width, g.height)
	e.src = make([]byte, g.width*g.height)
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

// SetFrame sets the index in the stream, 0 or more, of the next picture.
// Successive pictures of one stream have different idr_pic_id, which follows
// the index: an Encoder counts its pictures from 0, and several that share a
// stream must be told.
func (e *Encoder) SetFrame(index int) { e.frame = index }

// Stats returns the counts of the last picture.
func (e *Encoder) Stats() Stats { return e.stats }

// OnRow makes the Encoder call f after each row of macroblocks that it has coded, with the number of rows of samples, 1 to 16,
// that are in the picture; nil for no calls. Tier HW codes each row once, so that the calls of a picture add up to its height;
// tier RDO codes most rows several times.
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
		return dst, fmt.Errorf("t264: QP %d: want 0 to 51", qp)
	}
	return e.AppendFrameFine(dst, pix, stride, 16*qp)
}

// AppendFrameFine is AppendFrame with a QP in 1/16 steps, 0 to 816, made of
// macroblocks of two neighbouring QPs.
func (e *Encoder) AppendFrameFine(dst, pix []byte, stride, qp16 int) ([]byte, error) {
	if qp16 < 0 || qp16 > 16*51 {
		return dst, fmt.Errorf("t264: QP %d/16: want 0 to 816", qp16)
	}
	w, h := e.p.Width, e.p.Height
	if err := raster.Check(pix, stride, w, h); err != nil {
		return dst, fmt.Errorf("t264: %w", err)
	}
	if e.p.Lossless {
		qp16 = 0
	}
	raster.Pad(e.src, e.f.stride, pix, stride, w, h)
	e.stats = Stats{Pictures: 1}
	rows := e.g.height / 16
	count := max(e.p.Slices, 1)
	e.fine = fineQP{qp16: qp16}
	for s := range count {
		from, to := s*rows/count*e.f.mbWidth, (s+1)*rows/count*e.f.mbWidth
		if e.rdo != nil {
			e.rdo.slice(from, to)
		} else {
			e.slice(from, to)
		}
		dst = bitio.AppendNAL(dst, []byte{3<<5 | nalIDR}, e.buf)
	}
	e.frame++
	return dst, nil
}

// slice decides and codes the macroblocks from up to to; buf receives header
// and data.
func (e *Encoder) slice(from, to int) {
	qp := e.fine.qp16 >> 4
	e.hdr.Reset(e.buf[:0])
	writeSliceHeader(&e.hdr, from, e.frame&1, qp)
	e.res.c.Reset(e.hdr.Bytes())
	e.res.ctx.Reset(qp)
	e.setQP(qp)
	e.fine.prev, e.fine.changed = qp, false
	e.stats.Slices++
	for addr := from; addr < to; addr++ {
		x, y := addr%e.f.mbWidth*16, addr/e.f.mbWidth*16
		e.edge = e.f.edges(addr, from)
		if e.fine.qp16&15 != 0 {
			e.nextQP()
		}
		switch {
		case e.p.Lossless:
			e.lossless(x, y)
		case e.rdo != nil:
			e.rdo.decide(addr, x, y)
		default:
			e.build(x, y)
		}
		e.macroblock(addr, x, y)
		if e.observe != nil {
			e.report(addr, addr == to-1)
		}
		end := 0
		if addr == to-1 {
			end = 1
		}
		e.res.c.Terminate(end)
		e.stats.Bins[ElemEndOfSlice]++
		if e.onRow != nil && (addr+1)%e.f.mbWidth == 0 {
			e.onRow(min(16, e.p.Height-y))
		}
	}
	e.res.c.Flush()
	e.buf = e.res.c.Bytes()
}

// setQP prepares quantiser and scaler for a QP.
func (e *Encoder) setQP(qp int) {
	e.qp = qp
	e.quant = block.Quantizers[qp]
	e.quant.Rounder = block.DeadZone
	if e.p.Off&ToolDeadZone != 0 {
		e.quant.Rounder = block.Nearest
	}
	e.scale = &block.Scalers[qp]
}

// nextQP chooses the QP of a macroblock so that the mean approaches qp16/16.
func (e *Encoder) nextQP() {
	q := &e.fine
	q.acc += q.qp16 & 15
	qp := q.qp16 >> 4
	if q.acc >= 16 {
		q.acc -= 16
		qp++
	}
	if qp != e.qp {
		e.setQP(qp)
	}
}

// reference gathers the reference samples of the block (x, y) of size 1<<log2
// from pix and returns those that its prediction reads.
func (w *workspace) reference(pix []byte, stride, x, y, log2 int, nb block.Neighbourhood) *block.Refs {
	w.ref.Gather(pix, stride, y*stride+x, 1<<log2, nb)
	if log2 == 3 {
		w.ref.Filter(&w.flt, nb)
		return &w.flt
	}
	return &w.ref
}

// build decides, predicts, transforms, quantises and reconstructs the blocks of
// the macroblock (x, y) and fills the plan. Blocks are of the largest size that
// is not off.
func (e *Encoder) build(x, y int) {
	p := &e.plan
	p.cbp = 0
	switch {
	case e.p.Off&ToolI16 == 0:
		p.kind = block.MB16x16
		e.build16(x, y)
	case e.p.Off&ToolI8 == 0:
		p.kind = block.MB8x8
		for i := range 4 {
			if e.build8(x+i&1*8, y+i>>1*8, i) {
				p.cbp |= 1 << i
			}
		}
	default:
		p.kind = block.MB4x4
		for b := range 16 {
			if e.build4(x+int(block.X[b]), y+int(block.Y[b]), b) {
				p.cbp |= 1 << (b >> 2)
			}
		}
	}
}

// build8 is build for 8x8 block i at (x, y); it reports whether a level is
// not zero.
func (e *Encoder) build8(x, y, i int) bool {
	f, w := &e.f, &e.work
	f.fill4(f.mode, x, y, 8, uint8(e.decide(x, y, 3)))
	at := y*f.stride + x
	dst := f.pix[at:]
	block.Subtract8(&w.eight, e.src[at:], f.stride, dst, f.stride)
	block.ForwardTransform8(&w.eight)
	block.Unpack(w.coef8[:], w.eight[:])
	lev := (*[64]int16)(e.plan.lev[64*i:])
	mask := e.quant.Quantise8(lev, &w.coef8)
	e.plan.mask[i] = mask
	if mask == 0 {
		return false
	}
	e.scale.Restore8(&w.eight, lev, mask)
	block.InverseTransform8(&w.eight)
	block.Reconstruct8(dst, f.stride, &w.eight)
	return true
}

// build4 is build8 for 4x4 block b.
func (e *Encoder) build4(x, y, b int) bool {
	f, w := &e.f, &e.work
	f.fill4(f.mode, x, y, 4, uint8(e.decide(x, y, 2)))
	at := y*f.stride + x
	dst := f.pix[at:]
	block.Subtract4(&w.four, e.src[at:], f.stride, dst, f.stride)
	block.ForwardTransform4(&w.four)
	mask := e.quant.Quantise4((*[16]int16)(e.plan.lev[16*b:]), &w.four)
	e.plan.setMask4(b, mask)
	if mask == 0 {
		return false
	}
	e.scale.Words4(&w.four)
	block.InverseTransform4(&w.four)
	block.Reconstruct4(dst, f.stride, &w.four)
	return true
}

func (p *mbPlan) setMask4(b int, mask uint64) {
	sh := 16 * (b & 3)
	p.mask[b>>2&3] = p.mask[b>>2&3]&^(0xffff<<sh) | mask<<sh
}

// build16 is build for an Intra16x16 macroblock.
func (e *Encoder) build16(x, y int) {
	f, w, p := &e.f, &e.work, &e.plan
	p.mode16 = uint8(e.decide(x, y, 4))
	at := y*f.stride + x
	dst := f.pix[at:]
	var sum [16]int32 // DC coefficients by column and row of their block
	p.cbp = 0
	for b := range 16 {
		bx, by := int(block.X[b]), int(block.Y[b])
		o := by*f.stride + bx
		block.Subtract4(&w.four, e.src[at+o:], f.stride, dst[o:], f.stride)
		block.ForwardTransform4(&w.four)
		sum[bx&12+by>>2] = int32(w.four.TakeDC())
		mask := e.quant.Quantise4((*[16]int16)(p.lev[16*b:]), &w.four)
		p.setMask4(b, mask)
		if mask != 0 {
			p.cbp = 15
		}
	}
	block.InverseDC(&sum)
	p.dcMask = e.quant.QuantiseDC(&p.dcLev, &sum)
	e.restore16(dst)
}

// restore16 adds the residual of an Intra16x16 plan to the prediction in dst.
func (e *Encoder) restore16(dst []byte) {
	w, p, stride := &e.work, &e.plan, e.f.stride
	var dc [16]int32
	if p.dcMask != 0 {
		for k, v := range p.dcLev {
			dc[block.Scan4[k]&15] = int32(v)
		}
		block.InverseDC(&dc)
		for i, v := range dc {
			dc[i] = e.scale.DCCoefficient(v)
		}
	}
	for b := range 16 {
		bx, by := int(block.X[b]), int(block.Y[b])
		c, mask := dc[bx&12+by>>2], p.mask4(b)
		if c == 0 && mask == 0 {
			continue
		}
		e.scale.Restore4(&w.four, (*[16]int16)(p.lev[16*b:]), mask&^1)
		w.four[0] += int64(c)
		block.InverseTransform4(&w.four)
		block.Reconstruct4(dst[by*stride+bx:], stride, &w.four)
	}
}

// macroblock codes macroblock_layer (clause 7.3.5) of the plan.
func (e *Encoder) macroblock(addr, x, y int) {
	f, r, p := &e.f, &e.res, &e.plan
	info := &f.mb[addr]
	info.kind, info.cbp, info.dc = p.kind, p.cbp, 0
	e.stats.MBs[p.kind]++
	e.stats.Bins[ElemMBType]++
	typeCtx := &r.ctx[block.CtxMBType+f.typeContext(addr, e.edge)]
	if p.kind == block.MB16x16 {
		r.c.Bin(typeCtx, 1)
		r.c.Terminate(0)
		r.c.Bin(&r.ctx[block.CtxMBType+3], int(p.cbp&1))
		r.c.Bin(&r.ctx[block.CtxMBType+4], 0)
		r.c.Bin(&r.ctx[block.CtxMBType+6], int(p.mode16>>1))
		r.c.Bin(&r.ctx[block.CtxMBType+7], int(p.mode16&1))
		e.stats.Bins[ElemMBType] += 5
		e.stats.Modes16[p.mode16]++
		f.fill4(f.mode, x, y, 16, block.ModeDC)
		e.qpDelta()
		e.residual16(addr, x, y)
		return
	}
	r.c.Bin(typeCtx, 0)
	n, step, t8 := 4, 1, 0
	modes := &e.stats.Modes4
	if p.kind == block.MB8x8 {
		n, step, t8 = 8, 4, 1
		modes = &e.stats.Modes8
	}
	e.stats.Bins[ElemTransform8]++
	r.c.Bin(&r.ctx[block.CtxTransform8+f.transform8Context(addr, e.edge)], t8)
	for b := 0; b < 16; b += step {
		bx, by := x+int(block.X[b]), y+int(block.Y[b])
		mode := int(f.mode[by>>2*f.stride4+bx>>2])
		modes[mode]++
		e.intraMode(mode, f.predictedMode(bx, by, e.edge))
	}
	for i := range 4 {
		r.c.Bin(&r.ctx[block.CtxCBP+f.cbpContext(addr, i, p.cbp, e.edge)], int(p.cbp>>i&1))
	}
	e.stats.Bins[ElemCBP] += 4
	if p.cbp == 0 {
		e.fine.changed = false
	} else {
		e.qpDelta()
	}
	for b := 0; b < 16; b += step {
		bx, by := x+int(block.X[b]), y+int(block.Y[b])
		if p.cbp>>(b>>2)&1 == 0 {
			f.fill4(f.coded, bx, by, n, 0)
			continue
		}
		if n == 8 {
			f.fill4(f.coded, bx, by, 8, 1)
			e.stats.Blocks[block.Cat8x8]++
			r.encode(block.Cat8x8, 64, p.lev[16*b:][:64], p.mask[b>>2])
			continue
		}
		e.coded4(bx, by, block.Cat4x4, 16, p.lev[16*b:][:16], p.mask4(b))
	}
}

// coded4 codes coded_block_flag and the levels of the 4x4 block (x, y).
func (e *Encoder) coded4(x, y, cat, n int, lev []int16, mask uint64) {
	f, r := &e.f, &e.res
	bin := 0
	if mask != 0 {
		bin = 1
	}
	r.coded(cat, f.codedContext(x, y, e.edge), bin)
	f.coded[y>>2*f.stride4+x>>2] = uint8(bin)
	if bin != 0 {
		r.encode(cat, n, lev, mask)
	}
}

// intraMode codes the mode of a 4x4 or 8x8 block.
func (e *Encoder) intraMode(mode, predicted int) {
	r := &e.res
	e.stats.Bins[ElemPrevIntra]++
	if mode == predicted {
		r.c.Bin(&r.ctx[block.CtxPrevIntra], 1)
		return
	}
	r.c.Bin(&r.ctx[block.CtxPrevIntra], 0)
	rem := block.ModeRemainder(mode, predicted)
	for i := range 3 {
		r.c.Bin(&r.ctx[block.CtxRemIntra], rem>>i&1)
	}
	e.stats.Bins[ElemRemIntra] += 3
}

// residual16 codes the levels of an Intra16x16 macroblock.
func (e *Encoder) residual16(addr, x, y int) {
	f, r, p := &e.f, &e.res, &e.plan
	bin := 0
	if p.dcMask != 0 {
		bin = 1
	}
	r.coded(block.CatDC, f.dcContext(addr, e.edge), bin)
	f.mb[addr].dc = uint8(bin)
	if bin != 0 {
		r.encode(block.CatDC, 16, p.dcLev[:], p.dcMask)
	}
	if p.cbp == 0 {
		f.fill4(f.coded, x, y, 16, 0)
		return
	}
	for b := range 16 {
		bx, by := x+int(block.X[b]), y+int(block.Y[b])
		e.coded4(bx, by, block.CatAC, 15, p.lev[16*b+1:][:15], p.mask4(b)>>1)
	}
}

// qpDelta codes mb_qp_delta, which is -1, 0 or 1 here.
func (e *Encoder) qpDelta() {
	r := &e.res
	inc := 0
	if e.fine.changed {
		inc = 1
	}
	delta := e.qp - e.fine.prev
	e.fine.prev = e.qp
	e.fine.changed = delta != 0
	e.stats.Bins[ElemQPDelta]++
	if delta == 0 {
		r.c.Bin(&r.ctx[block.CtxQPDelta+inc], 0)
		return
	}
	r.c.Bin(&r.ctx[block.CtxQPDelta+inc], 1)
	e.stats.Bins[ElemQPDelta]++
	if delta < 0 { // the second code
		r.c.Bin(&r.ctx[block.CtxQPDelta+2], 1)
		r.c.Bin(&r.ctx[block.CtxQPDelta+3], 0)
		e.stats.Bins[ElemQPDelta]++
		return
	}
	r.c.Bin(&r.ctx[block.CtxQPDelta+2], 0)
}
