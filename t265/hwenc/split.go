package hwenc

import (
	"encoding/binary"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_split.v rtl/t265/t265_split_tiles.v rtl/t265/t265_split_size.v rtl/t265/t265_split_sum.v rtl/t265/t265_open.v rtl/t265/t265_open_row.v

// A splitUnit decides the transform tree of a CTU (package t265, transform tree): blocks of
// all sizes are predicted in its mode from source samples, transformed and quantised,
// eight samples of each size a cycle, and their costs are compared. Nothing behind it
// holds it up.
//
// Beats come into two memories. Of one they leave as they came, for the memory of the
// closed loop and for the blocks of 8x8 and 4x4, of the other in the order of the blocks
// of 16x16.
type splitUnit struct {
	in   *sim.Stream[Chosen]
	room bool // for a beat
	plan *sim.Stream[Plan]

	memory [64]uint64
	used   uint8 // beats in memory
	tail   uint8 // where the next one goes
	begin  bool  // in is taken
	run    bool  // beats are read
	at     uint8 // the next one, above it the slot of its CTU
	read   [3]splitBeat
	thread uint8
	slots  [2]splitSlot

	flight  uint8 // CTUs between in and plan
	head    uint8 // of plans
	behind  uint8 // the last of them
	waiting [splitFlight]Plan

	large        bool // there are blocks of 16x16
	wide, narrow splitSize
	small        *CostUnit
	smallValid   bool
	smallBeat    [8]int16
	smallQP      uint8
	smallLast    bool
	sums         *SplitSums
	enable       bool
}

// splitFlight is the number of CTUs that a splitUnit keeps the job of.
const splitFlight = 4

// A splitBeat is one that was read: bit 5 of its number is the slot.
type splitBeat struct {
	valid bool
	at    uint8
}

// A splitSlot holds the residuals of a CTU by beat: of blocks of 16x16, 8x8 and 4x4.
type splitSlot struct {
	qp   uint8
	size [3][32][8]int16
}

// A splitSize is the way of the blocks of a size that are transformed.
type splitSize struct {
	forward *ForwardUnit
	in      sim.Stream[Residual]
	out     sim.Stream[Coefs]
	cost    *CostUnit
	beats   uint8 // of a block
	at      uint8 // the next one that comes out
}

func (s *splitSize) init(log2 int) {
	s.forward, s.cost = NewForwardUnit(1<<log2, &s.in, &s.out), NewCostUnit(log2)
	s.beats, s.out.Ready = 1<<(2*log2-3), true
	s.in.Data.Log2 = uint8(log2 - 2)
}

func (s *splitSize) eval() {
	s.forward.Eval()
	s.cost.Eval()
}

// clock takes the residual that comes behind that of this cycle, if it may.
func (s *splitSize) clock(enable, valid bool, values *[8]int16, qp uint8) {
	c := s.cost
	if c.Valid = s.out.Valid; c.Valid {
		c.Values, c.QP = s.out.Data.Values, s.out.Data.QP
		if s.at++; s.at == s.beats {
			s.at = 0
		}
		c.Last = s.at == 0
	}
	c.Clock()
	s.forward.Clock()
	if enable {
		if s.in.Valid = valid; valid {
			s.in.Data.Values, s.in.Data.QP = *values, qp
		}
	} else if s.in.Ready {
		s.in.Valid = false
	}
}

// A SplitSums decides the transform trees of CTUs from the costs of their blocks: it compares each with
// those of its parts. Costs of one size come in decoding order, and those of the parts before that of the whole.
type SplitSums struct {
	Done   bool  // a CTU is decided
	Split  bool  // into tiles of 8x8
	Split8 uint8 // bit i: tile i is split; without Split it has no meaning

	large, small   bool // there are blocks of 16x16, and of 4x4
	sum4, sum8     uint32
	count4, count8 uint8
	parts4         [4]uint32 // costs of four blocks of 4x4 that wait for that of 8x8
	n4             uint8
	best           uint32 // cost of a tile
	part, valid    bool   // it is split; it counts
	split8         uint8
	parts8         [2]splitPart // costs of four tiles that wait for that of 16x16
	n8             uint8
}

// NewSplitSums returns the sums of a unit after reset.
func NewSplitSums(spec Spec) *SplitSums {
	return &SplitSums{large: spec.MaxTU == 16, small: spec.small()}
}

type splitPart struct {
	cost   uint32
	split8 uint8
}

func newSplitUnit(spec Spec, in *sim.Stream[Chosen], plan *sim.Stream[Plan]) *splitUnit {
	u := &splitUnit{in: in, plan: plan, room: true, large: spec.MaxTU == 16, small: NewCostUnit(2), sums: NewSplitSums(spec)}
	u.wide.init(4)
	u.narrow.init(3)
	return u
}

func (u *splitUnit) eval() {
	u.narrow.eval()
	u.enable = !u.narrow.in.Valid || u.narrow.in.Ready
	if u.large {
		u.wide.eval()
		u.enable = u.enable && (!u.wide.in.Valid || u.wide.in.Ready)
	}
	u.small.Eval()
	u.in.Ready = u.begin && u.enable
	u.room = u.used != 64
	if u.plan.Valid = u.sums.Done; u.plan.Valid {
		p := &u.plan.Data
		*p = u.waiting[u.head]
		p.Split, p.Split8 = u.sums.Split, 0
		if p.Split {
			p.Split8 = u.sums.Split8
		}
	}
}

// written returns the beat that goes to the memory of the closed loop in this cycle, and
// its address.
func (u *splitUnit) written() (beat hw.SourceBeat, addr int, valid bool) {
	r := &u.read[0]
	return hw.SourceBeat(u.memory[r.at]), int(u.thread)<<5 | int(r.at&31), r.valid && u.enable
}

// clock takes the beat that comes in this cycle, if any.
func (u *splitUnit) clock(come bool, beat hw.SourceBeat) {
	slot := u.at >> 5
	u.sums.Clock(u.small, u.narrow.cost, u.wide.cost)
	u.sizes()
	half := u.run && u.enable && u.at&15 == 15 // half of a CTU has been read
	last := half && u.at&16 != 0
	start := u.in.Valid && !u.begin && u.flight != splitFlight && (!u.run || last)
	if u.plan.Valid {
		u.head = (u.head + 1) % splitFlight
		u.flight--
	}
	if u.enable {
		u.read[2], u.read[1], u.read[0] = u.read[1], u.read[0], splitBeat{u.run, u.at}
		if u.run {
			u.at = (u.at + 1) & 63
		}
	}
	if u.in.Moves() {
		u.load(slot)
	}
	u.begin = start || u.begin && !u.enable
	u.run = start || u.run && !last
	if half {
		u.used -= 16
	}
	if come {
		u.memory[u.tail] = uint64(beat)
		u.tail = (u.tail + 1) & 63
		u.used++
	}
}

// sizes is the edge of the units behind the residuals.
func (u *splitUnit) sizes() {
	r, s := &u.read[0], &u.slots[u.read[0].at>>5]
	if u.large {
		u.wide.clock(u.enable, r.valid, &s.size[0][r.at&31], s.qp)
	}
	r = &u.read[1]
	s = &u.slots[r.at>>5]
	u.narrow.clock(u.enable, r.valid, &s.size[1][r.at&31], s.qp)
	c := u.small
	if c.Valid = u.smallValid && u.enable; c.Valid {
		c.Values, c.QP, c.Last = u.smallBeat, u.smallQP, u.smallLast
	}
	c.Clock()
	if !u.enable {
		return
	}
	// Beats 0 and 1 of the block on the left are there with row 1 and 2 behind them,
	// those of the other one with row 3 and a cycle later.
	at := r.at&31 - 1
	if u.smallValid = r.valid && r.at&3 != 0; !u.smallValid {
		r = &u.read[2]
		s = &u.slots[r.at>>5]
		at = r.at & 31
		u.smallValid = r.valid && r.at&3 == 3
	}
	if u.smallValid {
		u.smallBeat, u.smallQP, u.smallLast = s.size[2][at], s.qp, at&1 != 0
	}
}

// load takes the CTU of a slot, the first beat of which is read in this cycle.
func (u *splitUnit) load(slot uint8) {
	c := &u.in.Data
	u.thread = c.Thread
	w := &u.waiting[u.behind]
	w.RefJob, w.Mode = c.RefJob, c.Mode
	u.behind = (u.behind + 1) % splitFlight
	u.flight++
	u.slots[slot].load(c, (*[32]uint64)(u.memory[32*int(slot):]))
}

// load predicts all blocks of a CTU.
func (s *splitSlot) load(c *Chosen, beats *[32]uint64) {
	s.qp = c.QP
	// The CTU behind the row above and the column on its left.
	const stride = 17
	var pix [stride * 17]uint8
	copy(pix[1:], c.Row[:16])
	for y, v := range c.Side {
		pix[(y+1)*stride] = v
	}
	for i, b := range beats {
		tile := i >> 3
		binary.LittleEndian.PutUint64(pix[(1+i&7+tile>>1*8)*stride+1+tile&1*8:], b)
	}
	for log2 := 2; log2 <= 4; log2++ {
		n := 1 << log2
		out := s.size[4-log2][:]
		var pred [256]uint8
		var left [16]uint8
		for z := range 256 >> (2 * log2) {
			x, y := (z&1|z>>1&2)*n, (z>>1&1|z>>2&2)*n
			at := (y+1)*stride + x + 1
			for i := range n {
				left[i] = pix[at-1+i*stride]
			}
			block.OpenPredict(pred[:], log2, int(c.Mode), pix[at-stride:][:n], left[:n])
			for i := range n * n {
				out[i>>3&31][i&7] = int16(pix[at+i>>log2*stride+i&(n-1)]) - int16(pred[i])
			}
			out = out[n*n/8:]
		}
	}
}

// Clock takes the costs of this cycle, those of 4x4, of 8x8 and of 16x16 that are Done.
func (s *SplitSums) Clock(small, narrow, wide *CostUnit) {
	s.Done = false
	if s.large && wide.Done {
		front := &s.parts8[0]
		s.Done, s.Split, s.Split8 = true, front.cost+block.SplitPrice < wide.Cost, front.split8
		s.parts8[0] = s.parts8[1]
		s.n8--
	}
	if s.valid {
		s.sum8 += s.best
		s.split8 |= bin(s.part) << s.count8
		if s.count8 = (s.count8 + 1) & 3; s.count8 == 0 {
			if s.large {
				s.parts8[s.n8] = splitPart{s.sum8, s.split8}
				s.n8++
			} else {
				s.Done, s.Split, s.Split8 = true, true, s.split8
			}
			s.sum8, s.split8 = 0, 0
		}
	}
	if s.valid = narrow.Done; s.valid {
		parts := s.parts4[0] + block.SplitPrice
		if s.best, s.part = narrow.Cost, s.small && parts < narrow.Cost; s.part {
			s.best = parts
		}
		copy(s.parts4[:], s.parts4[1:])
		s.n4--
	}
	if small.Done {
		s.sum4 += small.Cost
		if s.count4 = (s.count4 + 1) & 3; s.count4 == 0 {
			s.parts4[s.n4] = s.sum4
			s.n4++
			s.sum4 = 0
		}
	}
}
