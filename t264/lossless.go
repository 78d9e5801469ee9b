package t264

import (
	"math/bits"
	"vcsim/t264/block"
)

// Lossless coding: transform bypass (clause 8.5.15). The levels are the
// residual itself; in modes vertical and horizontal each is the difference
// from its neighbour, so that these modes predict every sample from the one
// beside it. Reconstruction equals source, and every mode can be tried on it.

// lossless decides the macroblock (x, y) and fills the plan.
func (e *Encoder) lossless(x, y int) {
	f, p, w := &e.f, &e.plan, &e.work
	for r := range 16 {
		at := (y+r)*f.stride + x
		copy(f.pix[at:][:16], e.src[at:])
	}
	best := 1 << 30
	if e.p.Off&ToolI16 == 0 {
		c, mode := e.losslessMode(x, y, 4)
		best = c + 4
		p.kind, p.mode16 = block.MB16x16, uint8(mode)
	}
	var modes [16]uint8
	for _, kind := range [2]uint8{block.MB8x8, block.MB4x4} {
		off, log2, step := ToolI8, 3, 4
		if kind == block.MB4x4 {
			off, log2, step = ToolI4, 2, 1
		}
		if e.p.Off&off != 0 {
			continue
		}
		cost := 0
		for b := 0; b < 16; b += step {
			c, mode := e.losslessMode(x+int(block.X[b]), y+int(block.Y[b]), log2)
			cost += c + 3
			modes[b] = uint8(mode)
		}
		if cost < best {
			best = cost
			p.kind = kind
			for b := 0; b < 16; b += step {
				f.fill4(f.mode, x+int(block.X[b]), y+int(block.Y[b]), 1<<log2, modes[b])
			}
		}
	}
	p.cbp, p.dcMask, p.mask = 0, 0, [4]uint64{}
	switch p.kind {
	case block.MB16x16:
		e.difference(x, y, 4, int(p.mode16))
		for b := range 16 {
			bx, by := int(block.X[b]), int(block.Y[b])
			for k := range 16 {
				q := int(block.Scan4[k])
				v := w.raw[16*(bx+q>>2)+by+q&3]
				if k == 0 {
					continue
				}
				p.lev[16*b+k] = v
				if v != 0 {
					p.mask[b>>2] |= 1 << (16*(b&3) + k)
					p.cbp = 15
				}
			}
		}
		for k := range 16 {
			q := int(block.Scan4[k]) // column and row of the block
			v := w.raw[16*(q&^3)+4*(q&3)]
			p.dcLev[k] = v
			if v != 0 {
				p.dcMask |= 1 << k
			}
		}
	case block.MB8x8:
		for i := range 4 {
			bx, by := x+i&1*8, y+i>>1*8
			e.difference(bx, by, 3, int(f.mode[by>>2*f.stride4+bx>>2]))
			for k, q := range block.Scan8 {
				v := w.raw[q]
				p.lev[64*i+k] = v
				if v != 0 {
					p.mask[i] |= 1 << k
					p.cbp |= 1 << i
				}
			}
		}
	default:
		for b := range 16 {
			bx, by := x+int(block.X[b]), y+int(block.Y[b])
			e.difference(bx, by, 2, int(f.mode[by>>2*f.stride4+bx>>2]))
			for k, q := range block.Scan4 {
				v := w.raw[q]
				p.lev[16*b+k] = v
				if v != 0 {
					p.mask[b>>2] |= 1 << (16*(b&3) + k)
					p.cbp |= 1 << (b >> 2)
				}
			}
		}
	}
}

// difference fills work.raw with the levels of the block (x, y), column by
// column.
func (e *Encoder) difference(x, y, log2, mode int) {
	f, w := &e.f, &e.work
	n := 1 << log2
	nb := block.Neighbours(x, y, n, e.edge)
	ref := w.reference(e.src, f.stride, x, y, log2, nb)
	var pred [256]uint8
	block.Predict(pred[:], n, log2, mode, ref, nb)
	for i := range n {
		for j := range n {
			at := (y+j)*f.stride + x + i
			before := pred[j*n+i]
			switch {
			case mode == block.ModeVertical && j > 0:
				before = e.src[at-f.stride]
			case mode == block.ModeHorizontal && i > 0:
				before = e.src[at-1]
			}
			w.raw[i*n+j] = int16(e.src[at]) - int16(before)
		}
	}
}

// losslessMode returns the estimated bits of the block (x, y) in its best
// mode, and that mode.
func (e *Encoder) losslessMode(x, y, log2 int) (cost, mode int) {
	n := 1 << log2
	nb := block.Neighbours(x, y, n, e.edge)
	cost = 1 << 30
	count := block.NumModes
	if log2 == 4 {
		count = block.ModePlane + 1
	}
	for m := range count {
		if !block.Allowed(log2, m, nb) || m != block.ModeDC && e.p.Off&ToolIntra != 0 || m > block.ModeDC && (e.p.Tier == HW || e.p.Off&ToolAngular != 0) {
			continue
		}
		e.difference(x, y, log2, m)
		c := 0
		for _, v := range e.work.raw[:n*n] {
			// A level of l bits takes about 2l+1 bits, halved here
			// by adaptation; zeros about one.
			c += 1 + bits.Len32(uint32(block.Abs32(int32(v))))
		}
		if c < cost {
			cost, mode = c, m
		}
	}
	return cost, mode
}
