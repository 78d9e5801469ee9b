package hwenc

import (
	"math/bits"

	"vcsim/sim"
	"vcsim/t265/block"
)

// RTL: rtl/t265/t265_enc_store.v

// storeCTUs is the number of CTUs of a thread that the store holds: one is coded
// while the next one comes.
const storeCTUs = 2

// ctuSubBlocks is the number of 4x4 sub-blocks of a CTU.
const ctuSubBlocks = 16

// bankLanes returns the number of lanes that share a bank of the store: one word a cycle
// is more than four of them take.
func bankLanes(lanes int) int {
	switch {
	case lanes%4 == 0:
		return 4
	case lanes%3 == 0:
		return 3
	case lanes%2 == 0:
		return 2
	}
	return 1
}

// A StoreUnit keeps CTUs between the pixel path and the lanes, and makes the words of
// the lanes from them. It takes every word of the path: a CTU is requested only where
// Room says so. Levels go to a bank by the lane of their thread; what is known of a
// transform block when its last sub-block has come goes there with it.
type StoreUnit struct {
	Heads  *sim.Stream[Head]
	Levels *sim.Stream[SubLevels]
	// Take tells that a CTU of TakeThread is requested in this cycle; Room is by thread:
	// one more may be.
	Take       bool
	TakeThread uint8
	Room       sim.Set
	// Words are those of the lanes. A lane that is ready stays so until its word comes.
	Words []sim.Stream[Word]

	lanes int
	banks []*feedUnit
	of    []*feedUnit // by lane
	own   []uint8     // by thread: its number in its bank
	sets  feedSets
	shown sim.Set // lanes whose streams have a word
	// Of the block of more than one sub-block that comes in.
	about blockAbout
	top   uint8 // the last of its sub-blocks that are coded
}

// A blockAbout is what is known of a transform block ahead of its levels.
type blockAbout struct {
	coded        uint16 // bit i: sub-block i in scan order has a level that is not zero
	lastX, lastY uint8  // of the last level, as coded; 0 without levels
}

// NewStoreUnit returns a store after reset.
func NewStoreUnit(spec Spec, heads *sim.Stream[Head], levels *sim.Stream[SubLevels]) *StoreUnit {
	n := bankLanes(spec.Lanes)
	u := &StoreUnit{Heads: heads, Levels: levels, Words: make([]sim.Stream[Word], spec.Lanes), lanes: spec.Lanes,
		own: make([]uint8, spec.Threads), sets: feedSets{room: sim.FirstOf(spec.Threads)}}
	if spec.Threads == spec.Lanes {
		u.sets.open = sim.FirstOf(spec.Lanes)
	}
	for first := 0; first < spec.Lanes; first += n {
		b := newFeedUnit(spec, first, n, &u.sets)
		u.banks = append(u.banks, b)
		for range n {
			u.of = append(u.of, b)
		}
	}
	for t := range u.own {
		u.own[t] = uint8(t/spec.Lanes*n + t%spec.Lanes%n)
	}
	return u
}

// place returns the bank of a thread and its number there.
func (u *StoreUnit) place(thread uint8) (bank *feedUnit, own int) {
	return u.of[int(thread)%u.lanes], int(u.own[thread])
}

// Turn returns which of its threads a lane codes, or looks for.
func (u *StoreUnit) Turn(lane int) uint8 {
	return u.of[lane].lanes[lane-u.of[lane].first].turn
}

// Eval drives Words, Room, and the ready of the path.
func (u *StoreUnit) Eval() {
	u.Heads.Ready, u.Levels.Ready = true, true
	show := u.sets.out &^ u.sets.blind
	for m := u.shown &^ show; m != 0; m = m.Rest() {
		u.Words[m.First()].Valid = false
	}
	u.shown = show
	for m := u.shown; m != 0; m = m.Rest() {
		l := m.First()
		w := &u.Words[l]
		w.Valid, w.Data = true, u.of[l].word
	}
	u.Room = u.sets.room
}

// come returns the lanes to which a word goes in this cycle.
func (u *StoreUnit) come() sim.Set { return u.sets.out }

// coming returns the word that goes to a lane in this cycle, with the levels of a sub-block.
func (u *StoreUnit) coming(lane int) (Word, *[16]int16) {
	b := u.of[lane]
	return b.word, b.sub
}

// Clock is the edge of a cycle. The lanes have driven the ready of Words.
func (u *StoreUnit) Clock() {
	var ready sim.Set
	for l := range u.Words {
		ready.Put(l, u.Words[l].Ready)
	}
	u.clock(ready)
}

// clock is Clock for a caller that knows which lanes are ready.
func (u *StoreUnit) clock(ready sim.Set) {
	s := &u.sets
	if u.Heads.Valid {
		h := &u.Heads.Data
		b, own := u.place(h.Thread)
		b.head(own, h)
	}
	want := s.free & s.there
	var busy *feedUnit
	if u.Levels.Valid {
		busy = u.store(&u.Levels.Data)
		want &^= busy.bank
	}
	for m := s.free &^ s.open; m != 0; m = m.Rest() {
		b := u.of[m.First()]
		b.look(m.First() - b.first)
	}
	for m := s.ends; m != 0; m = m.Rest() {
		u.of[m.First()].leave()
	}
	var chosen sim.Set
	s.ends = 0
	for want != 0 {
		b := u.of[want.First()]
		chosen.Add(b.make(want & b.bank))
		want &^= b.bank
	}
	s.free, s.out = ready&^(chosen|s.out), chosen
	if busy != nil {
		busy.arrive()
	}
	if u.Take {
		b, own := u.place(u.TakeThread)
		b.hold(own, 1)
	}
}

// store takes a sub-block and returns its bank.
func (u *StoreUnit) store(l *SubLevels) *feedUnit {
	i := subBlockIndex(l)
	a, top := u.about, u.top
	if l.Log2 == 0 { // those of larger blocks may come around it
		a, top = blockAbout{}, 0
	}
	if l.Mask != 0 {
		if a.coded == 0 || i > top {
			top = i
			a.lastX, a.lastY = lastPlace(l)
		}
		a.coded |= 1 << i
	}
	b, own := u.place(l.Thread)
	b.store(own, i, l, a)
	if l.Log2 == 0 {
		return b
	}
	if u.about, u.top = a, top; l.LastSub {
		u.about, u.top = blockAbout{}, 0
	}
	return b
}

// subBlockIndex returns the place of a sub-block in the scan of its block.
func subBlockIndex(l *SubLevels) uint8 {
	return block.Scans[l.Log2&3][l.Scan%3].SubAt[l.SY<<3|l.SX]
}

// lastPlace returns the coordinates of the last level of a sub-block in its block, as
// coded.
func lastPlace(l *SubLevels) (x, y uint8) {
	s := &block.Scans[0][l.Scan%3]
	k := bits.Len16(l.Mask) - 1
	x, y = l.SX<<2|s.PosX[k&15], l.SY<<2|s.PosY[k&15]
	if l.Scan == block.ScanVert {
		x, y = y, x
	}
	return x, y
}
