package hwenc

import (
	"math/bits"

	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_enc_store.v

// storeWords is the number of AC blocks that the store holds for a thread: the
// next macroblock may come while the last 4 blocks of the one before wait.
const storeWords = 20

// A StoreUnit keeps macroblocks between pixel path and lanes: for each
// thread the AC blocks that are coded, in a ring of storeWords, and one
// macroblock with its DC levels. It answers one Fetch a cycle, the lanes in
// turn, two cycles after it moved.
type StoreUnit struct {
	AC *sim.Stream[hw.ACToken]
	MB *sim.Stream[hw.MBToken]
	// Take tells that a macroblock of TakeThread was requested: its place is
	// reserved.
	Take       bool
	TakeThread uint8
	// Room is by thread: one more macroblock may be requested.
	Room uint64
	// By lane: what it wants, and of which thread.
	Fetch  []sim.Stream[Fetch]
	Thread []uint8
	// Load is by lane: Block is its answer.
	Load  uint64
	Block Block

	want     uint64 // by lane: Fetch is valid
	open     uint64 // by thread: its lane codes it and is not Late (see ResidualUnit)
	threads  int
	busy     uint64 // by thread: the place of a macroblock is reserved or in use
	full     uint64 // by thread: in use
	flags    uint16 // of the AC blocks that come in
	flagsIn  sim.Stream[uint16]
	flagsOut sim.Stream[uint16]
	queue    *sim.FIFO[uint16]
	blocks   [][16]int16 // by thread and place
	mbs      []storedMB
	head     []uint8 // by thread
	tail     []uint8
	after    uint64 // the lanes behind the one that was served last
	grant    int    // lane that is served, or -1
	stage1   bool
	lane1    uint8
	kind1    Fetch
	thread1  uint8
	stage2   bool
	lane2    uint8
}

// A storedMB is a macroblock with the flags of its AC blocks.
type storedMB struct {
	mb     hw.MBToken
	coded  uint16
	dcMask uint16
}

// NewStoreUnit returns a store after reset.
func NewStoreUnit(spec Spec, ac *sim.Stream[hw.ACToken], mb *sim.Stream[hw.MBToken]) *StoreUnit {
	threads, lanes := spec.Threads, spec.Lanes
	u := &StoreUnit{
		AC: ac, MB: mb, threads: threads, Fetch: make([]sim.Stream[Fetch], lanes), Thread: make([]uint8, lanes),
		blocks: make([][16]int16, threads*storeWords), mbs: make([]storedMB, threads),
		head: make([]uint8, threads), tail: make([]uint8, threads), grant: -1,
	}
	u.queue = sim.NewFIFO(&u.flagsIn, &u.flagsOut, 4)
	u.queue.Eval()
	return u
}

// evalLoad drives Load, which does not depend on the lanes.
func (u *StoreUnit) evalLoad() {
	u.Load = 0
	if u.stage2 {
		u.Load = 1 << u.lane2
	}
}

// eval drives the other outputs. The lanes have driven theirs, want and open
// are theirs too.
func (u *StoreUnit) eval() {
	u.Room = ^(u.busy | u.open) & (1<<u.threads - 1)
	u.grant = -1
	if want := u.want; want != 0 {
		if want&u.after != 0 {
			want &= u.after
		}
		u.grant = bits.TrailingZeros64(want)
		u.Fetch[u.grant].Ready = true
	}
	u.AC.Ready = u.flagsIn.Ready
	u.MB.Ready = u.flagsOut.Valid
}

func (u *StoreUnit) Clock() {
	u.stage2 = u.stage1
	if u.stage1 {
		u.lane2 = u.lane1
		u.read()
	}
	u.stage1 = u.grant >= 0
	if u.stage1 {
		l := u.grant
		u.lane1, u.kind1, u.thread1 = uint8(l), u.Fetch[l].Data, u.Thread[l]
		u.after = ^uint64(0) << l << 1
	}
	if u.Take {
		u.busy |= 1 << u.TakeThread
	}
	if u.MB.Moves() {
		m := &u.MB.Data
		s := &u.mbs[m.Thread]
		s.mb, s.coded, s.dcMask = *m, u.flagsOut.Data, levelMask(&m.DC)
		u.full |= 1 << m.Thread
	}
	u.flagsIn.Valid = u.AC.Valid && u.AC.Data.Block == 15
	u.flagsOut.Ready = u.MB.Valid
	if u.AC.Valid {
		b := &u.AC.Data
		u.flagsIn.Data = u.flags>>1 | uint16(bin(b.Coded))<<15
		if u.AC.Ready {
			u.flags = u.flagsIn.Data
			if b.Coded {
				p := &u.tail[b.Thread]
				u.blocks[int(b.Thread)*storeWords+int(*p)] = b.Levels
				*p = nextWord(*p)
			}
		}
	}
	if u.flagsIn.Valid || u.flagsOut.Ready { // otherwise the queue holds still
		u.queue.Clock()
		u.queue.Eval()
	}
}

// read is the cycle of the memories.
func (u *StoreUnit) read() {
	t, b := u.thread1, &u.Block
	if u.kind1 == FetchAC {
		p := &u.head[t]
		b.Levels = u.blocks[int(t)*storeWords+int(*p)]
		b.Mask = levelMask(&b.Levels) &^ 1
		*p = nextWord(*p)
		return
	}
	s := &u.mbs[t]
	b.MB, b.Coded, b.Mask = s.mb, s.coded, s.dcMask
	if u.kind1 == FetchHead {
		copy(b.Levels[:8], s.mb.DC[8:])
		return
	}
	copy(b.Levels[:8], s.mb.DC[:8])
	b.Mask &= 0xff
	u.busy &^= 1 << t
	u.full &^= 1 << t
}

// levelMask returns the positions of the levels that are not zero.
func levelMask(levels *[16]int16) (mask uint16) {
	for _, v := range levels {
		mask = mask>>1 | uint16(v|-v)&0x8000
	}
	return mask
}

func nextWord(p uint8) uint8 {
	if p == storeWords-1 {
		return 0
	}
	return p + 1
}
