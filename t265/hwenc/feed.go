package hwenc

import (
	"math/bits"

	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_enc_feed.v rtl/t265/t265_enc_word.v rtl/t265/t265_enc_places.v rtl/t265/t265_enc_memory.v

// A feedUnit is a bank of the store: it holds the CTUs of the threads of a few lanes,
// and makes the words of those lanes, one a cycle at most. A cycle in which levels
// come in makes none: the memories have one port.
//
// Each thread has a ring of places for sub-blocks. A transform block lies there in the
// order of its scan, from its first place on; blocks lie in z-order, so that a CTU has
// ctuSubBlocks of them. Between two words of a lane, the lane says that its register is
// free; the word is chosen, the memories are read, and the word goes out.
type feedUnit struct {
	sets    *feedSets
	first   int     // its first lane
	bank    sim.Set // all of them
	every   int     // lanes of all banks
	maxTU   int
	turns   uint8
	lanes   []feedLane
	threads []feedThread // own number: turn * lanes + lane
	levels  [][16]int16  // by thread and place
	about   []blockAbout
	heads   []Head // by thread and CTU

	served int // lane of all that was served last
	// Levels that come in in this cycle, for a thread.
	busyFor int
	moves   uint8 // places that their block takes, if it is there with them

	// The word that goes out. Where its lane stands behind it is settled when it is made, since nobody looks before it is out.
	word Word
	sub  *[16]int16 // the levels of its sub-block
	done int        // own number of the thread whose CTU it ends, if it does
}

// A feedSets is what the store knows of the lanes and threads of all its banks.
type feedSets struct {
	// By lane.
	free  sim.Set // it waits for a word, and none is on its way
	open  sim.Set // it codes its thread; else it looks for one
	there sim.Set // it is open, and a block of its thread is there
	out   sim.Set // its word goes out,
	ends  sim.Set // and ends a CTU
	blind sim.Set // its stream is not looked at until the slice ends: a LevelsWord need not be made
	room  sim.Set // by thread: one more CTU may be requested
}

// A feedThread is what a bank knows of a thread.
type feedThread struct {
	head, tail uint8 // places, of the block to code and of the one that comes; counted on beyond the ring by one more bit
	held       uint8 // CTUs that are requested or in the store
	come       uint8 // CTU whose Head comes next, 0 or 1
}

// A feedLane is where a lane stands.
type feedLane struct {
	turn   uint8
	open   bool // it codes its thread; else it looks for one
	kind   feedKind
	sub    uint8 // the sub-block, in scan order
	groups uint8 // bit g: the levels of group g are to be sent
	delta  bool  // cu_qp_delta of the CTU is coded
	high   bool  // QP of the CTU before is SliceQpY + 1
	left   uint8 // mode of the CTU before
}

// A feedKind is which word of a block comes next.
type feedKind uint8

const (
	feedBlock  feedKind = iota // its BlockWord
	feedTop                    // the SubBlockWord of its last sub-block
	feedSub                    // one of another
	feedLevels                 // a LevelsWord
)

const (
	feedPlaces = storeCTUs * ctuSubBlocks // of a thread
	feedRing   = 2*feedPlaces - 1         // mask of its counters
)

// newFeedUnit returns the bank of some lanes of a spec from a first one on.
func newFeedUnit(spec Spec, first, lanes int, sets *feedSets) *feedUnit {
	turns := spec.Threads / spec.Lanes
	n := lanes * turns
	u := &feedUnit{
		sets: sets, first: first, bank: sim.FirstOf(lanes) << first, every: spec.Lanes, maxTU: spec.MaxTU, turns: uint8(turns), lanes: make([]feedLane, lanes), threads: make([]feedThread, n),
		levels: make([][16]int16, feedPlaces*n), about: make([]blockAbout, feedPlaces*n), heads: make([]Head, storeCTUs*n), served: first + lanes - 1,
	}
	if turns == 1 {
		for l := range u.lanes {
			u.lanes[l].open = true
		}
	}
	return u
}

// own returns the number of the thread of a lane in a turn.
func (u *feedUnit) own(lane int, turn uint8) int { return int(turn)*len(u.lanes) + lane }

// avail reports whether a block of a thread is there.
func (u *feedUnit) avail(own int) bool { return u.threads[own].head != u.threads[own].tail }

// head stores the Head of a CTU.
func (u *feedUnit) head(own int, h *Head) {
	t := &u.threads[own]
	u.heads[storeCTUs*own+int(t.come)] = *h
	t.come ^= 1
}

// store stores sub-block i of a block, and what is known of the block with the last one.
func (u *feedUnit) store(own int, i uint8, l *SubLevels, a blockAbout) {
	t := &u.threads[own]
	at := feedPlaces*own + int(t.tail%feedPlaces)
	u.levels[at+int(i)] = l.Levels
	u.busyFor, u.moves = own, 0
	if l.LastSub {
		u.about[at] = a
		u.moves = blockPlaces(l.Log2)
	}
}

// blockPlaces returns the number of sub-blocks of a block by log2 of its size, less 2.
func blockPlaces(log2 uint8) uint8 { return 1 << (2 * log2) }

// arrive is the edge of a cycle in which levels come in.
func (u *feedUnit) arrive() {
	t := &u.threads[u.busyFor]
	t.tail = (t.tail + u.moves) & feedRing
	u.seek(u.busyFor % len(u.lanes))
}

// leave is the edge of a cycle in which a word goes out that ends a CTU.
func (u *feedUnit) leave() { u.hold(u.done, -1) }

// seek finds out whether a block is there for a lane.
func (u *feedUnit) seek(lane int) {
	s := &u.lanes[lane]
	u.sets.open.Put(u.first+lane, s.open)
	u.sets.there.Put(u.first+lane, s.open && u.avail(u.own(lane, s.turn)))
}

// hold counts the CTUs of a thread.
func (u *feedUnit) hold(own int, n int8) {
	t := &u.threads[own]
	t.held += uint8(n)
	u.sets.room.Put(own/len(u.lanes)*u.every+u.first+own%len(u.lanes), t.held < storeCTUs)
}

// look lets a lane that is free and has no thread look at the next one.
func (u *feedUnit) look(lane int) {
	s := &u.lanes[lane]
	if s.turn++; s.turn == u.turns {
		s.turn = 0
	}
	s.open = u.avail(u.own(lane, s.turn))
	u.seek(lane)
}

// make chooses a lane of some of the bank that want a word, makes the word, and lets the lane stand behind it.
func (u *feedUnit) make(want sim.Set) (chosen int) {
	u.served = want.NextAfter(u.served)
	chosen = u.served
	lane := chosen - u.first
	s := &u.lanes[lane]
	own := u.own(lane, s.turn)
	t := &u.threads[own]
	place := t.head % feedPlaces
	at := feedPlaces*own + int(place)
	kind := s.kind
	if kind == feedLevels {
		g := bits.Len8(s.groups) - 1
		if !u.sets.blind.Has(u.first + lane) {
			var w LevelsWord
			for k, v := range u.levels[at+int(s.sub)][4*g&15:][:4] {
				w.Level[k] = uint16(max(v, -v))
			}
			u.word = w.Word()
		}
		s.groups &^= 1 << g
		if !s.step() {
			return chosen
		}
	}
	a := &u.about[at]
	h := &u.heads[storeCTUs*own+int(place/ctuSubBlocks)]
	z := place % ctuSubBlocks
	b := treeBlock(h, z)
	scan := uint8(block.ScanIndex(int(b.Log2)+2, int(block.DecisionModes[h.Mode&3])))
	switch kind {
	case feedBlock:
		u.complete(&b, s, h, z)
		b.Scan, b.Coded, b.LastX, b.LastY = scan, a.coded != 0, a.lastX, a.lastY
		b.Skip = b.Coded && b.Log2 == 0
		if b.Coded {
			s.kind, s.sub = feedTop, uint8(bits.Len16(a.coded)-1)
			s.delta, s.high = true, h.High
		} else {
			b.Delta = 0
		}
		u.word = b.Word()
		if b.Coded {
			return chosen
		}
	case feedTop, feedSub:
		u.sub = &u.levels[at+int(s.sub)]
		w := subBlockWord(u.sub)
		w.Around = around(b.Log2, scan, s.sub, a.coded)
		w.DC, w.Top = s.sub == 0, kind == feedTop
		u.word = w.Word()
		s.groups = nibbles(w.Greater)
		if !s.step() {
			return chosen
		}
	}
	s.kind = feedBlock
	t.head = (t.head + blockPlaces(b.Log2)) & feedRing
	if b.EndCTU {
		u.done = own
		u.sets.ends.Add(u.first + lane)
		s.delta, s.left = false, h.Mode
		if h.Last {
			s.high, s.open = false, u.turns == 1
		}
	}
	u.seek(lane)
	return chosen
}

// step goes on to the word after one of a sub-block, or reports that its block ends.
func (s *feedLane) step() (ends bool) {
	if s.groups != 0 {
		s.kind = feedLevels
		return false
	}
	s.kind = feedSub
	s.sub--
	return s.sub == 255
}

// treeBlock returns where the block at place z of a CTU is in the transform tree.
func treeBlock(h *Head, z uint8) (b BlockWord) {
	switch {
	case !h.Split:
		b.Log2 = 2
	case h.Split8>>(z>>2)&1 == 0:
		b.Log2 = 1
	}
	b.EndCTU = z+blockPlaces(b.Log2) == ctuSubBlocks
	return b
}

// complete adds what a BlockWord says of its CTU.
func (u *feedUnit) complete(b *BlockWord, s *feedLane, h *Head, z uint8) {
	first := z == 0
	b.Init, b.QP = first && h.First, h.QP-bin(h.High)
	if z&3 == 0 {
		b.Trees, b.TreeEnd = 1, b.Log2 != 0
		if first && h.Split && u.maxTU > 8 {
			b.Trees = 2
		}
	}
	b.Root, b.Hide, b.Last = b.Log2 == 2, true, h.Last && b.EndCTU
	if b.Unit = first; first {
		left := uint8(0) // DC
		if h.Left {
			left = s.left
		}
		b.Probable, b.Mode = codedMode(h.Mode, left)
	}
	if h.Fine && !s.delta {
		switch {
		case h.High == s.high:
			b.Delta = 1
		case h.High:
			b.Delta = 2
		default:
			b.Delta = 3
		}
	}
}

// codedMode returns prev_intra_luma_pred_flag and mpm_idx or rem_intra_luma_pred_mode of a mode, where the CTU on the
// left has another or DC stands for it (clause 8.4.2). The CTU above lies in another row of CTUs, so that it counts as DC.
func codedMode(mode, left uint8) (probable bool, value uint8) {
	cand := block.ProbableModes(int(block.DecisionModes[left&3]), block.ModeDC)
	m := int(block.DecisionModes[mode&3])
	for i, c := range cand {
		if c == m {
			return true, uint8(i)
		}
	}
	return false, uint8(block.ModeRemainder(m, cand))
}

// Four levels, or what is known of them, lie in lanes of 16 bits. laneOne is one in each.
const laneOne = 0x0001_0001_0001_0001

// subBlockWord returns the flags of 16 levels, four of them at a time.
// The uppermost bit of a lane tells what it holds of: the sum of a magnitude, 0 to 13108,
// and 1<<15 less n is as large if the magnitude is n or more.
func subBlockWord(levels *[16]int16) (w SubBlockWord) {
	mask, greater, sign, two := uint64(0), uint64(0), uint64(0), uint64(0)
	for i := 12; i >= 0; i -= 4 {
		v := lanes((*[4]int16)(levels[i:]))
		m := magnitudes(v)
		sign = sign<<4 | upperBits(v)
		mask = mask<<4 | upperBits(m+0x7fff*laneOne)
		greater = greater<<4 | upperBits(m+0x7ffe*laneOne)
		two = two<<4 | upperBits(m+0x7ffd*laneOne)
	}
	w.Mask, w.Greater, w.Sign = uint16(mask), uint16(greater), uint16(sign)
	w.Two = two != 0 && two>>(bits.Len16(w.Greater)-1) != 0
	return w
}

// lanes returns four levels in lanes.
func lanes(l *[4]int16) uint64 {
	return uint64(uint16(l[0])) | uint64(uint16(l[1]))<<16 | uint64(uint16(l[2]))<<32 | uint64(uint16(l[3]))<<48
}

// magnitudes returns the magnitudes of levels in lanes.
func magnitudes(v uint64) uint64 {
	s := v >> 15 & laneOne
	return (v ^ s*0xffff) + s
}

// upperBits gathers the uppermost bits of four lanes.
func upperBits(v uint64) uint64 {
	return (v >> 15 & laneOne) * 0x1000_2000_4000_8000 >> 60
}

// lowestBits spreads four bits, the lowest ones of a mask, to the lowest bits of lanes.
func lowestBits(mask uint16) uint64 {
	v := uint64(mask & 15)
	return (v | v<<15 | v<<30 | v<<45) & laneOne
}

// nibbles returns which groups of four bits are not zero.
func nibbles(v uint16) (groups uint8) {
	for g := range 4 {
		groups |= bin(v>>(4*g)&15 != 0) << g
	}
	return groups
}

// around returns coded_sub_block_flag of the sub-block on the right of sub-block i, and of the one below it.
func around(log2, scan, i uint8, coded uint16) uint8 {
	s := &block.Scans[log2&3][scan%3]
	x, y, n := s.SubX[i], s.SubY[i], uint8(1)<<log2
	right, below := uint16(0), uint16(0)
	if x+1 < n {
		right = coded >> s.SubAt[y<<3|(x+1)] & 1
	}
	if y+1 < n {
		below = coded >> s.SubAt[(y+1)<<3|x] & 1
	}
	return uint8(right | below<<1)
}
