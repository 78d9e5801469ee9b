package hwenc

import (
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
	// Room is by thread: one more macroblock may be requested.
	Room sim.Set
	// Fetch is by lane; the lanes show what they want with Show.
	Fetch []sim.Stream[Fetch]
	// Load is by lane: Block is its answer.
	Load  sim.Set
	Block Block

	thread   []uint8 // by lane: the thread that it codes
	want     sim.Set // by lane: Fetch is valid
	open     sim.Set // by thread: its lane codes it and is not Late (see ResidualUnit)
	taken    sim.Set // the thread whose place is reserved from the next cycle on
	threads  int
	busy     sim.Set // by thread: the place of a macroblock is reserved or in use
	full     sim.Set // by thread: in use
	flags    uint16  // of the AC blocks that come in
	flagsIn  sim.Stream[uint16]
	flagsOut sim.Stream[uint16]
	queue    *sim.FIFO[uint16]
	blocks   [][16]int16 // by thread and place
	mbs      []storedMB
	head     []uint8 // by thread
	tail     []uint8
	served   int // lane that was served last
	grant    int // lane that is served, or -1
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
		AC: ac, MB: mb, threads: threads, Fetch: make([]sim.Stream[Fetch], lanes), thread: make([]uint8, lanes), served: lanes - 1,
		blocks: make([][16]int16, threads*storeWords), mbs: make([]storedMB, threads),
		head: make([]uint8, threads), tail: make([]uint8, threads), grant: -1,
	}
	for l := range u.thread {
		u.thread[l] = uint8(l)
	}
	u.queue = sim.NewFIFO(&u.flagsIn, &u.flagsOut, 4)
	u.queue.Eval()
	return u
}

// Take tells that a macroblock of a thread is requested in this cycle: its place is reserved from the next one on.
func (u *StoreUnit) Take(thread uint8) { u.taken.Add(int(thread)) }

// Serve tells that a lane codes a thread from this cycle on.
func (u *StoreUnit) Serve(lane int, thread uint8) { u.thread[lane] = thread }

// Thread returns the thread that a lane codes.
func (u *StoreUnit) Thread(lane int) uint8 { return u.thread[lane] }

// Avail reports whether the store holds a macroblock for a lane.
func (u *StoreUnit) Avail(lane int) bool { return u.full.Has(int(u.thread[lane])) }

// Granted returns the lane whose fetch moves in this cycle, or -1.
func (u *StoreUnit) Granted() int { return u.grant }

// A wish is what a lane shows the store in a cycle.
type wish struct {
	asks  bool
	fetch Fetch
	late  bool
}

// Show drives what a lane shows; it holds until the next time.
func (u *StoreUnit) Show(lane int, w wish) {
	u.open.Put(int(u.thread[lane]), !w.late)
	f := &u.Fetch[lane]
	f.Valid, f.Data, f.Ready = w.asks, w.fetch, false
	u.want.Put(lane, w.asks)
}

// evalLoad drives Load, which does not depend on the lanes.
func (u *StoreUnit) evalLoad() {
	u.Load = 0
	if u.stage2 {
		u.Load.Add(int(u.lane2))
	}
}

// eval drives the other outputs. The lanes have shown what they want.
func (u *StoreUnit) eval() {
	u.Room = sim.FirstOf(u.threads) &^ (u.busy | u.open)
	u.grant = -1
	if u.want != 0 {
		u.grant = u.want.NextAfter(u.served)
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
		u.lane1, u.kind1, u.thread1 = uint8(l), u.Fetch[l].Data, u.thread[l]
		u.served = l
	}
	u.busy |= u.taken
	u.taken = 0
	if u.MB.Moves() {
		m := &u.MB.Data
		s := &u.mbs[m.Thread]
		s.mb, s.coded, s.dcMask = *m, u.flagsOut.Data, levelMask(&m.DC)
		u.full.Add(int(m.Thread))
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
	u.busy.Remove(int(t))
	u.full.Remove(int(t))
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
