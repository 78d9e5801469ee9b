package t265

import "vcsim/t265/block"

// A region is a copy of the plan and the picture of one block.
type region struct {
	lev  [1024]int16
	mask [64]uint16
	tu   [64]uint8
	cbf  [64]bool
	skip [64]bool
	pix  [1024]uint8
	mode [64]uint8
	nxn  bool
}

// take copies the block (x, y) of size 1<<log2 from plan and picture, put
// copies it back.
func (s *region) take(e *Encoder, x, y, log2 int) {
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(block.ZOrder[(y&mask)>>2<<4|(x&mask)>>2])
	lev, sig := e.plan.levels(z, log2)
	copy(s.lev[:], lev)
	copy(s.mask[:], sig)
	k := n * n / 16
	copy(s.tu[:k], e.plan.tu[z:])
	copy(s.cbf[:k], e.plan.cbf[z:])
	copy(s.skip[:k], e.plan.skip[z:])
	for j := range n {
		copy(s.pix[j*n:][:n], e.f.pix[(y+j)*e.f.stride+x:])
	}
	for j := range n / 4 {
		copy(s.mode[j*n/4:][:n/4], e.f.mode[(y/4+j)*e.f.stride4+x/4:])
	}
	s.nxn = e.plan.nxn[(y&mask)>>3<<3+(x&mask)>>3]
}

func (s *region) put(e *Encoder, x, y, log2 int) {
	n := 1 << log2
	mask := 1<<e.g.ctb - 1
	z := int(block.ZOrder[(y&mask)>>2<<4|(x&mask)>>2])
	lev, sig := e.plan.levels(z, log2)
	copy(lev, s.lev[:])
	copy(sig, s.mask[:])
	k := n * n / 16
	copy(e.plan.tu[z:], s.tu[:k])
	copy(e.plan.cbf[z:], s.cbf[:k])
	copy(e.plan.skip[z:], s.skip[:k])
	for j := range n {
		copy(e.f.pix[(y+j)*e.f.stride+x:][:n], s.pix[j*n:])
	}
	for j := range n / 4 {
		copy(e.f.mode[(y/4+j)*e.f.stride4+x/4:][:n/4], s.mode[j*n/4:])
	}
	e.plan.setUnit(x, y, log2, e.g.ctb, s.nxn)
}
