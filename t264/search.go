package t264

import (
	"math"
	"math/bits"
	"vcsim/t264/block"
)

// The software search of the rdo tier: every block size and the intra modes
// that an estimate leaves over (rough.go) are coded with optimised levels; the least of squared error plus lambda times
// bits wins. Rates follow the contexts at the start of the macroblock.

// A rdoSearch holds the state of the search.
type rdoSearch struct {
	e      *Encoder
	now    contextRates
	rates  [block.NumCats]blockRates
	t      trellis
	lambda int64 // see cost
	off    Tools // in this attempt
	coef   [64]int32
	dc     [16]uint32 // scale of DC coefficients

	rough     roughCost
	shortlist shortlist
	coefs     [block.NumModes][64]int16    // of a block, by mode
	words     [block.NumModes]block.Lanes4 // those of a 4x4 block, as words
	// The best way so far: its cost, plan, samples, and modes by 4x4 block.
	best  int64
	plan  mbPlan
	pix   [256]uint8
	modes [16]uint8
}

// lambdaSteps is the Lagrange multiplier by QP, in 1/4096 squared quantiser
// steps a bit. Theory gives 473 at high rate, 2 ln 2 / 12; the optimum was
// found on tensor planes, and lies lower where levels are large, whose unary
// code makes rates follow the choice of levels.
func lambdaSteps(qp int) int64 { return int64(min(max(180+10*qp, 200), 600)) }

func newRDOSearch(e *Encoder) *rdoSearch { return &rdoSearch{e: e} }

// setQP prepares for the QP of the encoder: a squared step is four[0]^2/256.
func (r *rdoSearch) setQP() {
	step, lambda := int64(r.e.scale.Four[0]), lambdaSteps(r.e.qp)
	r.lambda = lambda * step * step
	r.t.lambda = lambda * (1 << 20 / 4096) / 256
	r.rough.setLambda(lambda)
	for i := range r.dc {
		r.dc[i] = r.e.quant.Four[0]
	}
}

// attempts are the sets of block sizes to do without. Contexts of blocks that
// a slice does not use keep their initial states, which make those blocks look
// dear, so that a search by macroblock stays with the size that it began with.
// Each slice is therefore coded with every set.
var attempts = [...]Tools{ToolI4 | ToolI8, ToolI4, ToolI8, ToolI4 | ToolI16, 0}

// A sample of a slice tells which attempts are worth while: those that come within sampleMargin of the best. Short slices are
// coded with all of them.
const (
	sampleShare  = 6   // of the slice
	sampleLeast  = 128 // macroblocks
	sampleMargin = 1.01
)

// slice codes the macroblocks from up to to in every way that the tools allow and that may be the best, and leaves the encoder
// as after the best one.
func (r *rdoSearch) slice(from, to int) {
	e := r.e
	const sizes = ToolI4 | ToolI8 | ToolI16
	stats, fine, observe := e.stats, e.fine, e.observe
	e.observe = nil
	last, lastTo := Tools(0), from
	run := func(off Tools, to int) {
		e.stats, e.fine = stats, fine
		r.off, last, lastTo = off, off, to
		r.now.reset()
		e.slice(from, to)
	}
	cost := func(off Tools, to int) float64 {
		run(off, to)
		r.setQP()
		sse := 0
		for addr := from; addr < to; addr++ {
			sse += e.squaredError(addr%e.f.mbWidth*16, addr/e.f.mbWidth*16, 16)
		}
		// As cost, whose range a whole slice may exceed.
		rate := float64(r.lambda) * float64(8*256*len(e.buf))
		return float64(sse)*(1<<28) + float64(rate)
	}
	var list []Tools
	var tried [8]bool
	for _, a := range attempts {
		off := e.p.Off | a
		set := off & sizes / ToolI4
		if off&sizes == sizes || tried[set&7] {
			continue
		}
		tried[set&7] = true
		list = append(list, off)
	}
	if part := max(sampleLeast, (to-from)/sampleShare); len(list) > 1 && to-from >= 2*part {
		var costs [len(attempts)]float64
		least := math.Inf(1)
		for i, off := range list {
			costs[i] = cost(off, from+part)
			least = min(least, costs[i])
		}
		kept := list[:0]
		for i, off := range list {
			if costs[i] <= sampleMargin*least {
				kept = append(kept, off)
			}
		}
		list = kept
	}
	best, bestOff := math.Inf(1), list[0]
	if len(list) > 1 {
		for _, off := range list {
			if c := cost(off, to); c < best {
				best, bestOff = c, off
			}
		}
	}
	e.observe = observe
	if bestOff != last || lastTo != to || observe != nil {
		run(bestOff, to)
	}
}

// cost combines a squared error and a rate in 1/256 bit, in units of 2^-28.
func (r *rdoSearch) cost(sse int, bits int32) int64 {
	return int64(sse)<<28 + r.lambda*int64(bits)
}

// decide codes the macroblock in every way and leaves the best in plan, modes
// and reconstruction.
func (r *rdoSearch) decide(addr, x, y int) {
	e := r.e
	f, p := &e.f, &e.plan
	off := r.off
	r.setQP()
	r.now.update(&e.res.ctx)
	for cat, n := range [block.NumCats]int{16, 15, 16, 64} {
		r.rates[cat].load(&r.now, cat, n)
	}
	r.best = 1 << 62
	now := &r.now.rate
	typeRate := now[block.CtxMBType+f.typeContext(addr, e.edge)]
	if off&ToolI16 == 0 {
		nb := block.Neighbours(x, y, 16, e.edge)
		for mode := range block.ModePlane + 1 {
			if r.tries(4, mode, nb) {
				r.shortlist.add(mode, r.rough16(x, y, mode, nb))
			}
		}
		for _, mode := range r.shortlist.take() {
			p.kind, p.mode16 = block.MB16x16, uint8(mode)
			r.try16(addr, x, y, mode, nb, typeRate[1])
		}
	}
	t8 := now[block.CtxTransform8+f.transform8Context(addr, e.edge)]
	if off&ToolI8 == 0 {
		r.tryNxN(addr, x, y, block.MB8x8, typeRate[0]+t8[1])
	}
	if off&ToolI4 == 0 {
		r.tryNxN(addr, x, y, block.MB4x4, typeRate[0]+t8[0])
	}
	*p = r.plan
	for j := range 16 {
		copy(f.pix[(y+j)*f.stride+x:][:16], r.pix[16*j:])
	}
	if p.kind != block.MB16x16 {
		for b, m := range r.modes {
			f.mode[(y+int(block.Y[b]))>>2*f.stride4+(x+int(block.X[b]))>>2] = m
		}
	}
}

// tries reports whether a mode is available and allowed by the tools.
func (r *rdoSearch) tries(log2, mode int, nb block.Neighbourhood) bool {
	off := r.off
	return block.Allowed(log2, mode, nb) && (mode == block.ModeDC || off&ToolIntra == 0 && (mode < block.ModeDC || off&ToolAngular == 0))
}

// keep makes the encoder's plan the best one if it costs less.
func (r *rdoSearch) keep(x, y int, cost int64) {
	if cost >= r.best {
		return
	}
	f := &r.e.f
	r.best, r.plan = cost, r.e.plan
	for j := range 16 {
		copy(r.pix[16*j:][:16], f.pix[(y+j)*f.stride+x:])
	}
	for b := range r.modes {
		r.modes[b] = f.mode[(y+int(block.Y[b]))>>2*f.stride4+(x+int(block.X[b]))>>2]
	}
}

// squaredError compares n by n samples of reconstruction and source.
func (e *Encoder) squaredError(x, y, n int) (sum int) {
	for j := range n {
		at := (y+j)*e.f.stride + x
		a, b := e.f.pix[at:][:n], e.src[at:][:n]
		for i, v := range a {
			d := int(v) - int(b[i])
			sum += d * d
		}
	}
	return sum
}

// levelBits returns the rate of the levels of a block, mask not zero.
func (b *blockRates) levelBits(lev []int16, mask uint64) (sum int32) {
	end := bits.Len64(mask) - 1
	state := uint8(0)
	for k := end; k >= 0; k-- {
		v := block.Abs32(int32(lev[k]))
		switch {
		case v == 0:
			sum += b.skip[k]
			continue
		case k == end:
			sum += b.sigLast[k]
		default:
			sum += b.sigAfter[k]
		}
		sum += b.of(state, v)
		if v == 1 {
			state = block.AfterOne[state&7]
		} else {
			state = block.AfterTwo[state&7]
		}
	}
	return sum
}

// quantise4 quantises work.coef4, as words in work.four, into lev, from scan
// position first on.
func (r *rdoSearch) quantise4(cat, first int, lev []int16, inc int) uint64 {
	e := r.e
	if e.p.Off&ToolRDOQ != 0 {
		v := &e.work.four
		if first > 0 {
			v.TakeDC()
		}
		return e.quant.Quantise4((*[16]int16)(lev), v)
	}
	for i, v := range e.work.coef4 {
		r.coef[i] = int32(v)
	}
	coded := r.rates[cat].coded[inc]
	m := r.t.run(&r.rates[cat], lev[first:], r.coef[:], e.quant.Four[:], block.Scan4[:], e.quant.Shift, first, 16-first, coded[0], coded[1])
	return m << first
}

// rough16 estimates what an Intra16x16 macroblock costs with one mode, its rate of DC coefficients as if they were of 4x4 blocks.
func (r *rdoSearch) rough16(x, y, mode int, nb block.Neighbourhood) (sum int64) {
	e := r.e
	f, w := &e.f, &e.work
	at := y*f.stride + x
	dst := f.pix[at:]
	block.Predict(dst, f.stride, 4, mode, w.reference(f.pix, f.stride, x, y, 4, nb), nb)
	for b := range 16 {
		o := int(block.Y[b])*f.stride + int(block.X[b])
		block.Subtract4(&w.four, e.src[at+o:], f.stride, dst[o:], f.stride)
		block.ForwardTransform4(&w.four)
		block.Unpack(w.coef4[:], w.four[:])
		sum += r.rough.of(w.coef4[:], &e.quant, 2)
	}
	return sum
}

// try16 codes an Intra16x16 macroblock with one mode.
func (r *rdoSearch) try16(addr, x, y, mode int, nb block.Neighbourhood, bits int32) {
	e := r.e
	f, w, p := &e.f, &e.work, &e.plan
	ref := w.reference(f.pix, f.stride, x, y, 4, nb)
	at := y*f.stride + x
	dst := f.pix[at:]
	block.Predict(dst, f.stride, 4, mode, ref, nb)
	now := &r.now.rate
	bits += now[block.CtxMBType+4][0] + now[block.CtxMBType+6][mode>>1] + now[block.CtxMBType+7][mode&1]
	var sum [16]int32
	acBits := int32(0)
	p.cbp = 0
	for b := range 16 {
		bx, by := int(block.X[b]), int(block.Y[b])
		o := by*f.stride + bx
		block.Subtract4(&w.four, e.src[at+o:], f.stride, dst[o:], f.stride)
		block.ForwardTransform4(&w.four)
		block.Unpack(w.coef4[:], w.four[:])
		sum[bx&12+by>>2] = int32(w.coef4[0])
		inc := f.codedContext(x+bx, y+by, e.edge)
		lev := p.lev[16*b:][:16]
		mask := r.quantise4(block.CatAC, 1, lev, inc)
		p.setMask4(b, mask)
		coded := uint8(0)
		if mask != 0 {
			coded = 1
			p.cbp = 15
			acBits += r.rates[block.CatAC].levelBits(lev[1:], mask>>1)
		}
		acBits += r.rates[block.CatAC].coded[inc][coded]
		f.coded[(y+by)>>2*f.stride4+(x+bx)>>2] = coded
	}
	if p.cbp != 0 {
		bits += acBits
	}
	bits += now[block.CtxMBType+3][int(p.cbp&1)]
	block.InverseDC(&sum)
	inc := f.dcContext(addr, e.edge)
	coded := r.rates[block.CatDC].coded[inc]
	if e.p.Off&ToolRDOQ != 0 {
		p.dcMask = e.quant.QuantiseDC(&p.dcLev, &sum)
	} else {
		p.dcMask = r.t.run(&r.rates[block.CatDC], p.dcLev[:], sum[:], r.dc[:], block.Scan4[:], e.quant.Shift+2, 0, 16, coded[0], coded[1])
	}
	if p.dcMask != 0 {
		bits += coded[1] + r.rates[block.CatDC].levelBits(p.dcLev[:], p.dcMask)
	} else {
		bits += coded[0]
	}
	e.restore16(dst)
	r.keep(x, y, r.cost(e.squaredError(x, y, 16), bits))
}

// tryNxN codes an I_NxN macroblock, each block in its best mode.
func (r *rdoSearch) tryNxN(addr, x, y int, kind uint8, bits int32) {
	e := r.e
	f, p := &e.f, &e.plan
	p.kind, p.cbp = kind, 0
	total := r.cost(0, bits)
	for i := range 4 {
		bx, by := x+i&1*8, y+i>>1*8
		bin := r.now.rate[block.CtxCBP+f.cbpContext(addr, i, p.cbp, e.edge)]
		zero, one := bin[0], bin[1]
		if kind == block.MB8x8 {
			total += r.block(bx, by, 3, i, zero, one)
			if p.mask[i] != 0 {
				p.cbp |= 1 << i
			}
			if total >= r.best {
				return
			}
			continue
		}
		for b := 4 * i; b < 4*i+4; b++ {
			total += r.block(x+int(block.X[b]), y+int(block.Y[b]), 2, b, 0, 0)
		}
		if p.mask[i] != 0 {
			p.cbp |= 1 << i
			total += r.cost(0, one)
		} else {
			total += r.cost(0, zero)
		}
		if total >= r.best {
			return
		}
	}
	r.keep(x, y, total)
}

// block codes 8x8 block b or 4x4 block b in every mode, keeps the best one in
// plan and reconstruction, and returns its cost. zero and one are the rates of
// a block without and with levels (of its bit in coded_block_pattern).
func (r *rdoSearch) block(x, y, log2, b int, zero, one int32) int64 {
	e := r.e
	f, w, p := &e.f, &e.work, &e.plan
	n := 1 << log2
	nb := block.Neighbours(x, y, n, e.edge)
	ref := w.reference(f.pix, f.stride, x, y, log2, nb)
	at := y*f.stride + x
	dst := f.pix[at:]
	predicted := f.predictedMode(x, y, e.edge)
	now := &r.now.rate
	sameBits := now[block.CtxPrevIntra][1]
	best := int64(1) << 62
	var lev [64]int16
	var bestLev [64]int16
	var bestPix [64]uint8
	var bestMask uint64
	bestMode := block.ModeDC
	inc := f.codedContext(x, y, e.edge)
	modeBits := func(mode int) int32 {
		if mode == predicted {
			return sameBits
		}
		bits := now[block.CtxPrevIntra][0]
		rem := block.ModeRemainder(mode, predicted)
		for i := range 3 {
			bits += now[block.CtxRemIntra][rem>>i&1]
		}
		return bits
	}
	for mode := range block.NumModes {
		if !r.tries(log2, mode, nb) {
			continue
		}
		block.Predict(dst, f.stride, log2, mode, ref, nb)
		var coef []int16
		if log2 == 3 {
			block.Subtract8(&w.eight, e.src[at:], f.stride, dst, f.stride)
			block.ForwardTransform8(&w.eight)
			block.Unpack(r.coefs[mode][:], w.eight[:])
			coef = r.coefs[mode][:]
		} else {
			block.Subtract4(&w.four, e.src[at:], f.stride, dst, f.stride)
			block.ForwardTransform4(&w.four)
			block.Unpack(r.coefs[mode][:16], w.four[:])
			r.words[mode] = w.four
			coef = r.coefs[mode][:16]
		}
		r.shortlist.add(mode, r.rough.of(coef, &e.quant, log2)+int64(modeBits(mode)))
	}
	for _, mode := range r.shortlist.take() {
		bits := modeBits(mode)
		block.Predict(dst, f.stride, log2, mode, ref, nb)
		var mask uint64
		if log2 == 3 {
			w.coef8 = r.coefs[mode]
			if e.p.Off&ToolRDOQ != 0 {
				mask = e.quant.Quantise8(&lev, &w.coef8)
			} else {
				for i, v := range w.coef8 {
					r.coef[i] = int32(v)
				}
				mask = r.t.run(&r.rates[block.Cat8x8], lev[:], r.coef[:], e.quant.Eight[:], block.Scan8[:], e.quant.Shift+1, 0, 64, zero, one)
			}
			bits += zero
			if mask != 0 {
				bits += one - zero + r.rates[block.Cat8x8].levelBits(lev[:], mask)
				e.scale.Restore8(&w.eight, &lev, mask)
				block.InverseTransform8(&w.eight)
				block.Reconstruct8(dst, f.stride, &w.eight)
			}
		} else {
			w.coef4, w.four = [16]int16(r.coefs[mode][:]), r.words[mode]
			mask = r.quantise4(block.Cat4x4, 0, lev[:16], inc)
			coded := r.rates[block.Cat4x4].coded[inc]
			bits += coded[0]
			if mask != 0 {
				bits += coded[1] - coded[0] + r.rates[block.Cat4x4].levelBits(lev[:16], mask)
				e.scale.Restore4(&w.four, (*[16]int16)(lev[:]), mask)
				block.InverseTransform4(&w.four)
				block.Reconstruct4(dst, f.stride, &w.four)
			}
		}
		if c := r.cost(e.squaredError(x, y, n), bits); c < best {
			best, bestMode, bestMask, bestLev = c, mode, mask, lev
			for j := range n {
				copy(bestPix[j*n:][:n], dst[j*f.stride:])
			}
		}
	}
	for j := range n {
		copy(dst[j*f.stride:][:n], bestPix[j*n:])
	}
	f.fill4(f.mode, x, y, n, uint8(bestMode))
	coded := uint8(0)
	if bestMask != 0 {
		coded = 1
	}
	f.fill4(f.coded, x, y, n, coded)
	if log2 == 3 {
		copy(p.lev[64*b:][:64], bestLev[:])
		p.mask[b] = bestMask
	} else {
		copy(p.lev[16*b:][:16], bestLev[:16])
		p.setMask4(b, bestMask)
	}
	return best
}
