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
