package hwdec

import (
	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_dec_sched.v rtl/t265/t265_dec_thread.v rtl/t265/t265_dec_store.v rtl/t265/t265_dec_head.v

// A ThreadItem is an item with its thread.
type ThreadItem struct {
	Thread uint8
	hw.Item
}

// A BlockPlace is what windows and prediction need of a transform block.
type BlockPlace struct {
	Log2      uint8 `rtl:"2"` // of its size, less 2
	Mode      uint8 `rtl:"6"`
	Strong    bool
	Coded     bool
	HasLeft   bool
	HasAbove  bool
	HasCorner bool
	// Available samples right of those above and below those on the left, in units of
	// eight, rounded up.
	Right uint8  `rtl:"2"`
	Below uint8  `rtl:"2"`
	X     uint16 `rtl:"PosBits"` // of its first sample in the picture, in units of four
	Y     uint16 `rtl:"PosBits"`
}

// lone reports whether nothing is available but samples above right: a slice begins there.
func (p *BlockPlace) lone() bool {
	return !p.HasLeft && !p.HasAbove && !p.HasCorner && p.Right != 0
}

// A keptHead is a hw.Head in the memory of items.
type keptHead struct {
	Place BlockPlace
	QP    uint8 `rtl:"6"`
	Skip  bool
}

// keptLevels is a hw.ItemLevels in the memory of items: one word where all levels have
// eight bits, else two, of which the first one has the upper bytes.
type keptLevels struct {
	Levels [4]uint8 `rtl:"8"`
	Group  uint8    `rtl:"2"`
	SubX   uint8    `rtl:"PlaceBits"`
	SubY   uint8    `rtl:"PlaceBits"`
	High   bool
}

// last reports whether the word ends its block.
func (l *keptLevels) last() bool { return l.Group|l.SubX|l.SubY == 0 && !l.High }

// A keptWord is a word of the memory of items: the reader knows which it is.
type keptWord struct {
	keptHead
	keptLevels
}

// A BlockJob is a transform block on its way to the windows.
type BlockJob struct {
	Thread uint8 `rtl:"ThreadBits"`
	Place  BlockPlace
}

// keep is what is kept of a head.
func keep(h *hw.Head, posMask uint16) keptHead {
	n := h.Neighbours()
	k := keptHead{QP: h.QP, Skip: h.Skip, Place: BlockPlace{
		Log2: h.Log2, Mode: h.Mode, Strong: h.Strong, Coded: h.Coded, HasLeft: n.Left, HasAbove: n.Above, HasCorner: n.Corner,
		Right: uint8(n.AboveRight+7) / 8 & 3, Below: uint8(n.BelowLeft+7) / 8 & 3,
		X: (h.CTUX<<(h.Log2CTB+2) | uint16(h.X)) & posMask, Y: (h.CTUY<<(h.Log2CTB+2) | uint16(h.Y)) & posMask,
	}}
	return k
}

const (
	keptBlocks = 2  // complete ones from which on a thread takes no more
	likeBlocks = 31 // the most of one size that follow each other while there are others
)

// An itemThread is one thread of a SchedUnit.
type itemThread struct {
	head, tail, count int      // of words in the memory
	blocks            int      // complete ones that have not been read to their end, 0..3
	sizes             [4]uint8 // Log2 of the blocks that have not begun
	from, to          uint8    // of sizes: of the next block, and of the next head that comes
	open              bool     // levels of a block are to come
	busy              bool     // a block is read or on its way
}

// A SchedUnit holds the items of all threads and sends their blocks on, one after the
// other: heads to the windows, levels to the inverse path. A block can begin when it is
// complete, or its thread has no room for more of it, and the block before is
// reconstructed. Of threads whose block can begin, one with a block of the size of the
// last one goes first, since the inverse path is fastest with blocks of one size; among
// these it is round robin.
type SchedUnit struct {
	in     *sim.Stream[ThreadItem]
	blocks *sim.Stream[BlockJob]
	levels *sim.Stream[LevelWord]
	done   *sim.Stream[uint8] // a block is reconstructed; always taken

	words      int // of memory, by thread
	threadBits int
	posMask    uint16
	threads    []itemThread
	mem        *sim.RAM1R1W[keptWord]

	// The item on its way into the memory.
	entering bool
	item     ThreadItem
	second   bool // its upper bytes have been written

	// The next block.
	candValid bool
	cand      int
	log2      uint8 // of its size, less 2
	run       int   // blocks of this size that have followed the first one

	// The word that was read, and the block that it is of.
	valid, isHead bool
	waits         bool // for the next word of the block
	thread        int
	about         keptHead
	high          bool // upper bytes of the levels that come
	upper         [4]uint8

	levValid bool
	lev      LevelWord
}

// NewSchedUnit returns a unit after reset.
func NewSchedUnit(spec PixelsSpec, in *sim.Stream[ThreadItem], blocks *sim.Stream[BlockJob], levels *sim.Stream[LevelWord], done *sim.Stream[uint8]) *SchedUnit {
	return &SchedUnit{in: in, blocks: blocks, levels: levels, done: done, words: spec.Words, threadBits: spec.ThreadBits(), posMask: 1<<spec.PosBits() - 1,
		threads: make([]itemThread, spec.Threads), mem: sim.NewRAM1R1W[keptWord](spec.Words << spec.ThreadBits())}
}

// room reports whether a thread takes an item: two words for it and two for the one
// before.
func (u *SchedUnit) room(t *itemThread) bool { return t.count <= u.words-4 && t.blocks < keptBlocks }

// wide reports whether a level of the item on its way has more than eight bits.
func (u *SchedUnit) wide() bool {
	if u.item.Kind != hw.ItemLevels {
		return false
	}
	for i := range 4 {
		if l := u.item.Level(i); l != int16(int8(l)) {
			return true
		}
	}
	return false
}

// stays reports whether the item on its way needs another cycle.
func (u *SchedUnit) stays() bool { return u.entering && !u.second && u.wide() }

// Takes reports whether an item of a thread could move in this cycle.
func (u *SchedUnit) Takes(thread uint8) bool {
	return !u.stays() && u.room(&u.threads[thread])
}

func (u *SchedUnit) Eval() {
	u.in.Ready = u.Takes(u.in.Data.Thread)
	u.blocks.Valid = u.valid && u.isHead
	u.blocks.Data = BlockJob{Thread: uint8(u.thread), Place: u.mem.Q().Place}
	u.levels.Valid, u.levels.Data = u.levValid, u.lev
}

func (u *SchedUnit) Clock() {
	want := u.want()
	taken, ends := u.clockWord()
	if taken && ends {
		u.threads[u.thread].blocks--
	}
	starts := u.clockRead(taken, ends)
	if u.done.Valid {
		u.threads[u.done.Data].busy = false
	}
	if starts || !u.candValid {
		if u.candValid {
			want.Remove(u.cand)
		}
		u.pick(want)
	}
	if u.entering {
		u.entering = u.stays()
		u.clockItem()
	}
	if u.in.Moves() {
		u.entering, u.item = true, u.in.Data
	}
	u.mem.Clock()
}

// want returns the threads whose next block can begin.
func (u *SchedUnit) want() (s sim.Set) {
	for i := range u.threads {
		t := &u.threads[i]
		s.Put(i, !t.busy && (t.blocks != 0 || !u.room(t)))
	}
	return s
}

// pick chooses the next block.
func (u *SchedUnit) pick(want sim.Set) {
	var like sim.Set
	for m := want; m != 0; m = m.Rest() {
		t := &u.threads[m.First()]
		like.Put(m.First(), t.sizes[t.from] == u.log2)
	}
	u.candValid = want != 0
	if u.run++; like == 0 || u.run > likeBlocks {
		u.run = 0
	} else {
		want = like
	}
	if u.candValid {
		u.cand = want.NextAfter(u.cand)
		t := &u.threads[u.cand]
		u.log2 = t.sizes[t.from]
	}
}

// clockWord is the edge of the word that was read. It reports whether it goes on, and
// whether it ends its block.
func (u *SchedUnit) clockWord() (taken, ends bool) {
	w := u.mem.Q()
	free := !u.levValid || u.levels.Ready
	if free {
		u.levValid = u.valid && !u.isHead && !w.High
	}
	switch {
	case !u.valid:
		return false, false
	case u.isHead:
		if u.blocks.Ready {
			u.about, u.high = w.keptHead, false
		}
		return u.blocks.Ready, !w.Place.Coded
	case w.High:
		u.high, u.upper = true, w.Levels
		return true, false
	case !free:
		return false, w.last()
	}
	p := &u.about.Place
	u.lev = LevelWord{Log2: p.Log2, Skip: u.about.Skip, Scan: uint8(block.ScanIndex(int(p.Log2)+2, int(p.Mode))), QP: u.about.QP, ByColumns: hw.ByColumns(p.Mode),
		X: w.SubX, Y: w.SubY, Group: w.Group, Last: w.last()}
	for i, l := range w.Levels {
		u.lev.Levels[i] = int16(int8(l))
		if u.high {
			u.lev.Levels[i] = int16(u.upper[i])<<8 | int16(l)
		}
	}
	u.high = false
	return true, w.last()
}

// clockRead is the edge at which the next word is read. It reports whether that begins a
// block, which is then the candidate.
func (u *SchedUnit) clockRead(taken, ends bool) (starts bool) {
	if u.valid && !taken {
		return false
	}
	under := u.waits || u.valid && !ends
	if starts = !under && u.candValid; starts {
		u.thread = u.cand
	}
	t := &u.threads[u.thread]
	u.valid = starts || under && t.count != 0
	u.isHead = starts
	u.waits = under && !u.valid
	if !u.valid {
		return false
	}
	if starts {
		t.busy = true
		t.from = (t.from + 1) & 3
	}
	u.mem.Read(u.place(t.head, u.thread))
	t.head = u.next(t.head)
	t.count--
	return starts
}

// clockItem is the edge of the item on its way.
func (u *SchedUnit) clockItem() {
	t := &u.threads[u.item.Thread]
	var w keptWord
	ends := false
	switch u.item.Kind {
	case hw.ItemTU:
		h := hw.UnpackHead(u.item.Data)
		w.keptHead = keep(&h, u.posMask)
		t.open, ends = h.Coded, !h.Coded
		t.sizes[t.to] = h.Log2
		t.to = (t.to + 1) & 3
	case hw.ItemLevels:
		w.keptLevels = keptLevels{Group: u.item.Group, SubX: u.item.SubX, SubY: u.item.SubY, High: u.entering}
		for i := range w.Levels {
			l := uint16(u.item.Level(i))
			if u.entering {
				l >>= 8
			}
			w.Levels[i] = uint8(l)
		}
		u.second = u.entering
		ends = w.last()
		t.open = !ends
	case hw.ItemCTU:
		return
	case hw.ItemEnd: // a block that breaks off has levels of zero
		if !t.open {
			return
		}
		t.open, ends = false, true
	}
	u.mem.Write(u.place(t.tail, int(u.item.Thread)), w)
	t.tail = u.next(t.tail)
	t.count++
	if ends {
		t.blocks++
	}
}

// place is the address of a word.
func (u *SchedUnit) place(at, thread int) int { return at<<u.threadBits | thread }

// next is the place behind a word of a thread.
func (u *SchedUnit) next(at int) int {
	if at == u.words-1 {
		return 0
	}
	return at + 1
}
