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
	each  int // lanes of a bank
	banks []*feedUnit
	room  sim.Set // Room of the next cycle
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
	u := &StoreUnit{Heads: heads, Levels: levels, Words: make([]sim.Stream[Word], spec.Lanes), lanes: spec.Lanes, each: n, room: sim.FirstOf(spec.Threads)}
	for first := 0; first < spec.Lanes; first += n {
		u.banks = append(u.banks, newFeedUnit(spec, first, n, u.Words, &u.room))
	}
	return u
}

// place returns the bank of a thread and its number there.
func (u *StoreUnit) place(thread uint8) (bank *feedUnit, own int) {
	lane, turn := int(thread)%u.lanes, int(thread)/u.lanes
	return u.banks[lane/u.each], turn*u.each + lane%u.each
}

// Turn returns which of its threads a lane codes, or looks for.
func (u *StoreUnit) Turn(lane int) uint8 {
	return u.banks[lane/u.each].lanes[lane%u.each].turn
}

// Eval drives Words, Room, and the ready of the path.
func (u *StoreUnit) Eval() {
	u.Heads.Ready, u.Levels.Ready = true, true
	for _, b := range u.banks {
		b.eval()
	}
	u.Room = u.room
}

// come returns the lanes to which a word goes in this cycle.
func (u *StoreUnit) come() (lanes sim.Set) {
	for _, b := range u.banks {
		if b.valid {
			lanes.Add(b.first + b.lane)
		}
	}
	return lanes
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
	if u.Heads.Valid {
		h := &u.Heads.Data
		b, own := u.place(h.Thread)
		b.head(own, h)
	}
	if u.Take {
		b, own := u.place(u.TakeThread)
		b.took = own
	}
	if u.Levels.Valid {
		u.store(&u.Levels.Data)
	}
	for _, b := range u.banks {
		b.clock(ready >> b.first & sim.FirstOf(u.each))
	}
}

// store takes a sub-block.
func (u *StoreUnit) store(l *SubLevels) {
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
		return
	}
	if u.about, u.top = a, top; l.LastSub {
		u.about, u.top = blockAbout{}, 0
	}
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
