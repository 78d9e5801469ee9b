package hwdec

import (
	"fmt"
	"math/bits"

	"vcsim/sim"
	"vcsim/t264/block"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_dec_pixels.v rtl/t264/t264_dec_sched.v rtl/t264/t264_dec_residual.v rtl/t264/t264_dec_predict.v rtl/t264/t264_dec_ref.v rtl/t264/t264_dec_out.v rtl/t264/t264_dequant.v rtl/t264/t264_idct4.v rtl/t264/t264_idct8.v rtl/t264/t264_plane.v rtl/t264/t264_intra.v rtl/t264/t264_recon.v

// A PixelsSpec holds the parameters of the decoder's pixel path, spelled as in
// Verilog.
type PixelsSpec struct {
	Threads    int  // independent frames, 2..64
	FrameMBs   int  // widest and highest frame in macroblocks, 2..1024
	Slots      int  // slots of four words in the output queue, 16..63
	Transform8 bool // 8x8 blocks exist
}

// DefaultPixelsSpec is a path for 16 frames of at most 1024 by 1024.
func DefaultPixelsSpec() PixelsSpec {
	return PixelsSpec{Threads: 16, FrameMBs: 64, Slots: 16, Transform8: true}
}

// Validate reports the first parameter out of range.
func (s PixelsSpec) Validate() error {
	for _, p := range []struct {
		name         string
		v, low, high int
	}{{"Threads", s.Threads, 2, 64}, {"FrameMBs", s.FrameMBs, 2, 1024}, {"Slots", s.Slots, 16, 63}} {
		if p.v < p.low || p.v > p.high {
			return fmt.Errorf("t264: %s is %d, not in %d..%d", p.name, p.v, p.low, p.high)
		}
	}
	return nil
}

// ThreadBits is the width of a thread.
func (s PixelsSpec) ThreadBits() int { return bits.Len(uint(s.Threads - 1)) }

// MBBits is the width of a column or row of macroblocks.
func (s PixelsSpec) MBBits() int { return bits.Len(uint(s.FrameMBs - 1)) }

// A ThreadItem is an item with its thread.
type ThreadItem struct {
	Thread uint8
	hw.Item
}

// A PixelWord is four samples of a column, in the order of the Verilog ports.
type PixelWord struct {
	Thread   uint8  `rtl:"ThreadBits"`
	MBX, MBY uint16 `rtl:"MBBits"` // place of the macroblock
	X        uint8  `rtl:"4"`      // column in it, 0..15
	Y        uint8  `rtl:"2"`      // the samples are of rows 4*Y..4*Y+3
	Data     uint32 `rtl:"32"`     // the upper one in bits 7..0
}

// A PixelsUnit is the pixel path of the decoder: items of all threads in, those
// of a thread in their order, samples out, four values a cycle. Once in four
// cycles (a slot) it issues the next block of a thread whose block before is
// reconstructed, round robin. From there on every block takes a fixed number of
// slots: the model computes it when it is issued and hands out its samples in
// time.
type PixelsUnit struct {
	In  *sim.Stream[ThreadItem]
	Out *sim.Stream[PixelWord]

	spec    PixelsSpec
	mbMask  uint16 // the bits of a column or row of macroblocks
	threads []pixelThread
	phase   int
	slot    int // modulo 16

	// Scheduler.
	candValid, pickValid bool
	cand, pick           int
	waiting              uint64  // threads whose next block is there, and none in flight
	taken                uint    // slots of prediction that have a block, bit i: i+3 from now
	credit               int     // free slots of the output queue
	ends                 [16]int // by slot: thread whose block is done then, -1 for none

	// Levels of the block issued last.
	lev struct {
		valid, quad, wide, coded bool
		word, thread             int
	}

	// Samples under way, by slot in which they begin to leave, and those that
	// leave now.
	plan    [16]pixelSlot
	leaving *pixelSlot

	queue             []PixelWord
	head, tail, count int
	valid             bool
	data              PixelWord

	issued, idle uint64
}

// A pixelSlot is what leaves in one slot.
type pixelSlot struct {
	valid bool
	word  [4]PixelWord
}

// NewPixelsUnit returns a path after reset.
func NewPixelsUnit(spec PixelsSpec, in *sim.Stream[ThreadItem], out *sim.Stream[PixelWord]) *PixelsUnit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	u := &PixelsUnit{In: in, Out: out, spec: spec, mbMask: 1<<spec.MBBits() - 1, threads: make([]pixelThread, spec.Threads), queue: make([]PixelWord, 4*spec.Slots), credit: spec.Slots}
	for i := range u.threads {
		u.threads[i].starts = true
		u.threads[i].above = make([]uint8, 16<<spec.MBBits()+16)
	}
	for i := range u.ends {
		u.ends[i] = -1
	}
	return u
}

// Slots returns the number of slots that a block was issued in, and of those
// without one.
func (u *PixelsUnit) Slots() (issued, idle uint64) { return u.issued, u.idle }

// Open reports whether the path takes items like that of In in this cycle, if it
// has room for them: levels always, others in three cycles of four.
func (u *PixelsUnit) Open() bool { return u.open(u.In.Data.Kind) }

func (u *PixelsUnit) open(kind uint8) bool { return u.phase != 0 || kind&2 != 0 }

func (u *PixelsUnit) Eval() {
	u.Out.Valid, u.Out.Data = u.valid, u.data
	u.In.Ready = u.Takes(&u.In.Data)
}

// Takes reports whether an item could move in this cycle: the path takes items
// like it, and has room for it. A bad end waits until the thread has nothing left
// to do.
func (u *PixelsUnit) Takes(t *ThreadItem) bool {
	if !u.open(t.Kind) {
		return false
	}
	th := &u.threads[t.Thread]
	switch t.Kind {
	case hw.ItemMB:
		return th.held < 2
	case hw.ItemModes:
		return true
	case hw.ItemEnd:
		return t.Data&15 == hw.EndComplete || !th.some() && !th.busy && !(u.candValid && u.cand == int(t.Thread))
	}
	return th.room()
}

func (u *PixelsUnit) Clock() {
	returned := u.clockQueue()
	switch u.phase {
	case 0:
		u.clockLevels()
		if t := u.ends[u.slot]; t >= 0 {
			u.ends[u.slot] = -1
			u.threads[t].busy = false
			u.look(t)
		}
	case 2:
		u.choose()
	}
	moves := u.In.Moves()
	if u.phase == 3 {
		u.issue() // before the item: both may change the thread
	}
	if moves {
		t := int(u.In.Data.Thread)
		u.threads[t].take(&u.In.Data.Item)
		u.look(t)
	}
	u.credit += returned
	if u.phase++; u.phase == 4 {
		u.phase = 0
		u.slot = (u.slot + 1) & 15
	}
}

// clockQueue moves samples into the output queue in phases 2, 3, 0 and 1, and
// out of it. It returns the number of slots that have left.
func (u *PixelsUnit) clockQueue() (returned int) {
	read := (!u.valid || u.Out.Ready) && u.count != 0
	if !u.valid || u.Out.Ready {
		u.valid = read
	}
	if read {
		u.data = u.queue[u.head]
		if u.head&3 == 3 {
			returned = 1
		}
		if u.head++; u.head == len(u.queue) {
			u.head = 0
		}
		u.count--
	}
	if u.phase == 2 {
		u.leaving = nil
		if p := &u.plan[u.slot]; p.valid {
			u.leaving = p
		}
	}
	if p := u.leaving; p != nil {
		u.queue[u.tail] = p.word[(u.phase+2)&3]
		if u.tail++; u.tail == len(u.queue) {
			u.tail = 0
		}
		u.count++
		if u.phase == 1 {
			p.valid, u.leaving = false, nil
		}
	}
	return returned
}

// clockLevels frees the place of the levels that are read in this slot.
func (u *PixelsUnit) clockLevels() {
	l := &u.lev
	if l.valid && l.coded && !l.quad {
		n := 1
		if l.wide {
			n = 4
		}
		th := &u.threads[l.thread]
		th.head = (th.head + n) & 7
		th.count -= n
	}
}

// look notes whether a thread waits for its next block to be issued.
func (u *PixelsUnit) look(t int) {
	u.waiting &^= 1 << t
	if th := &u.threads[t]; !th.busy && th.some() {
		u.waiting |= 1 << t
	}
}

// choose finds the thread after the candidate.
func (u *PixelsUnit) choose() {
	m := u.waiting
	if u.candValid {
		m &^= 1 << u.cand
	}
	if u.pickValid = m != 0; !u.pickValid {
		return
	}
	if behind := m & (^uint64(1) << u.cand); behind != 0 {
		m = behind
	}
	u.pick = bits.TrailingZeros64(m)
}

// issue is the end of a slot: the candidate enters, if its prediction finds a
// slot and its samples a place.
func (u *PixelsUnit) issue() {
	l := &u.lev
	issue, wide := false, false
	var th *pixelThread
	if u.candValid && !l.quad {
		th = &u.threads[u.cand]
		wide = th.mb[th.entry].Kind == block.MB8x8
		if wide {
			issue = u.taken>>6&1 == 0 && u.credit > 3
		} else {
			issue = u.taken&1 == 0 && u.credit != 0
		}
	}
	u.taken >>= 1
	last := l.word == 2 // the fourth word of an 8x8 block is next
	l.valid = issue || l.quad
	if l.quad {
		l.word++
		l.quad = !last
	} else {
		l.word = 0
	}
	if !issue {
		u.idle++
	} else {
		u.issued++
		slots := 1
		if wide {
			u.taken |= 15 << 5
			l.quad, slots = true, 4
		}
		l.wide, l.thread = wide, u.cand
		l.coded = u.run(th, slots)
	}
	if issue || !u.candValid {
		u.candValid = u.pickValid
		if u.pickValid {
			u.cand = u.pick
		}
	}
}

// run computes the next block of a thread and plans when its samples leave. It
// reports whether the block has levels in the store.
func (u *PixelsUnit) run(th *pixelThread, slots int) (coded bool) {
	mb := &th.mb[th.entry]
	end := (u.slot + 2) & 15 // a slot of the next block may follow
	out := (u.slot + 3) & 15
	if slots == 4 {
		end, out = (u.slot+11)&15, (u.slot+9)&15
	}
	u.ends[end] = u.cand
	th.busy = true
	u.waiting &^= 1 << u.cand
	if mb.Kind == block.MB16x16 && th.step == 0 {
		th.runDC(mb)
		th.advance(mb, 1)
		return true
	}
	u.credit -= slots
	b := th.step
	if mb.Kind == block.MB16x16 {
		b--
	}
	coded = mb.CBP>>(b>>2)&1 != 0
	w := PixelWord{Thread: uint8(u.cand), MBX: mb.X & u.mbMask, MBY: mb.Y & u.mbMask}
	if slots == 4 {
		th.run8(mb, b, coded)
		for i := range 4 {
			p := &u.plan[(out+i)&15]
			p.valid = true
			for j := range 4 {
				w.X, w.Y = block.X[b]+uint8(2*i+j>>1), block.Y[b]>>2+uint8(j&1)
				w.Data = th.column(8, 2*i+j>>1, 4*(j&1))
				p.word[j] = w
			}
		}
		th.advance(mb, 4)
		return coded
	}
	th.run4(mb, b, coded)
	p := &u.plan[out]
	p.valid = true
	w.Y = block.Y[b] >> 2
	for j := range 4 {
		w.X, w.Data = block.X[b]+uint8(j), th.column(4, j, 0)
		p.word[j] = w
	}
	th.advance(mb, 1)
	return coded
}
