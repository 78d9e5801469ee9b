package t265

import "vcsim/t265/block"

// A Block is what an Encoder tells a function that observes it of one transform
// block: the syntax that comes between the block before and it, that of its own
// transform_unit, and its levels. It is valid during the call.
type Block struct {
	First   bool // the first one of its slice
	SliceQP int  // SliceQpY, 0..51

	// Of the first block of a CTU: part_mode, a one, is coded, and the mode, mpm_idx if
	// Probable, rem_intra_luma_pred_mode else.
	Unit, Probable bool
	Mode           uint8 // 0..2, or 0..31

	// split_transform_flag: ones, but a zero at the end if TreeEnds.
	TreeSplits int // 0..3
	TreeEnds   bool

	Root    bool // trafoDepth is 0
	Coded   bool // cbf_luma
	QPDelta int  // CuQpDeltaVal, -1..1, where QPCoded
	QPCoded bool
	Skip    bool         // transform_skip_flag, a one, is coded
	Hides   bool         // sign data hiding is on
	Levels  block.Levels // size and scan, and the levels of a coded block
	EndCTU  bool         // the last one of its CTU
	Last    bool         // the last one of its slice
}

// Observe makes the Encoder call f with each transform block once its CTU is
// decided, in decoding order; nil ends that. Pictures of tier rdo and lossless
// ones are not told.
func (e *Encoder) Observe(f func(*Block)) { e.observe = f }

// report tells e.observe of the block under way, if there is one: the one after
// it begins, or its CTU ends.
func (e *Encoder) report() {
	if !e.seen.begun {
		return
	}
	if e.observe != nil && e.p.Tier == HW && !e.p.Lossless {
		e.observe(&e.seen.Block)
	}
	e.seen = seenBlock{}
}

// A Transform is what a Decoder tells a function that observes it of one transform
// block. It is valid during the call.
type Transform struct {
	CTU              int           // in raster order
	Edge             block.CTUEdge // of the CTU
	X, Y, Log2, Mode int           // place in the picture in samples, log2 of the size, intra mode
	QP               int           // QpY, of a coded block
	Coded, Skip      bool          // cbf_luma, transform_skip_flag
	Bypass           bool          // cu_transquant_bypass_flag

	// Levels holds those of a coded block in coding order: 16 to a sub-block, sub-blocks
	// in scan order; Sig has those with sig_coeff_flag, bit k of entry i for level 16*i+k.
	Levels [1024]int16
	Sig    [64]uint16
}

// Observe makes Next call f with each transform block, in decoding order, and with
// nil after the last one of each CTU, once end_of_slice_segment_flag is decoded,
// which is last; nil ends that. Blocks with PCM samples are not told.
func (d *Decoder) Observe(f func(t *Transform, last bool)) {
	d.c.observe, d.c.residual.seen = f, nil
	if f != nil {
		d.c.residual.seen = new(Transform)
	}
}

// report tells c.observe of the transform block at a node, whose levels have been
// noted.
func (c *ctuDecoder) report(n node, mode int, coded, skip bool) {
	t := c.residual.seen
	t.CTU, t.Edge, t.X, t.Y, t.Log2, t.Mode = c.next, c.edge, n.x, n.y, n.log2, mode
	t.QP, t.Coded, t.Skip, t.Bypass = c.qp, coded, skip, c.bypass
	c.observe(t, false)
	t.Levels, t.Sig = [1024]int16{}, [64]uint16{}
}

// see notes the levels of sub-block i.
func (t *Transform) see(i int, b *parsedSubBlock) {
	for m := range b.count {
		k := b.pos[m&15] & 15
		t.Levels[16*i+int(k)] = int16(b.level[m&15])
		t.Sig[i] |= 1 << k
	}
}

// A seenBlock is the block under way of e.observe.
type seenBlock struct {
	Block
	begun bool // transform_unit is coded
}

// unit notes the mode of a coding unit: entry which of the most probable ones, or
// -1 for none of them.
func (s *seenBlock) unit(which, mode int, cand *[3]int) {
	s.Unit, s.Probable, s.Mode = true, which >= 0, uint8(which)
	if which < 0 {
		s.Mode = uint8(block.ModeRemainder(mode, *cand))
	}
}
