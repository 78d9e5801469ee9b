package t265

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

// take copies the block at a node from plan and picture, put copies it back.
func (s *region) take(e *Encoder, at node) {
	p, f, z, n := &e.plan, &e.f, e.plan.order(at), at.size()
	k := n * n / 16
	copy(s.lev[:16*k], p.lev[16*z:])
	copy(s.mask[:k], p.mask[z:])
	copy(s.tu[:k], p.tu[z:])
	copy(s.cbf[:k], p.cbf[z:])
	copy(s.skip[:k], p.skip[z:])
	for j := range n {
		copy(s.pix[j*n:][:n], f.pix[(at.y+j)*f.stride+at.x:])
	}
	for j := range n / 4 {
		copy(s.mode[j*n/4:][:n/4], f.mode[(at.y/4+j)*f.stride4+at.x/4:])
	}
	s.nxn = p.nxn[p.unit(at)]
}

func (s *region) put(e *Encoder, at node) {
	p, f, z, n := &e.plan, &e.f, e.plan.order(at), at.size()
	k := n * n / 16
	copy(p.lev[16*z:], s.lev[:16*k])
	copy(p.mask[z:], s.mask[:k])
	copy(p.tu[z:], s.tu[:k])
	copy(p.cbf[z:], s.cbf[:k])
	copy(p.skip[z:], s.skip[:k])
	for j := range n {
		copy(f.pix[(at.y+j)*f.stride+at.x:][:n], s.pix[j*n:])
	}
	for j := range n / 4 {
		copy(f.mode[(at.y/4+j)*f.stride4+at.x/4:][:n/4], s.mode[j*n/4:])
	}
	p.setUnit(at, s.nxn)
}
