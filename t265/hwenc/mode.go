package hwenc

import (
	"encoding/binary"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hw"
)

// RTL: rtl/t265/t265_mode.v rtl/t265/t265_mode_sums.v rtl/t265/t265_mode_cost.v rtl/t265/t265_hadamard8.v rtl/t265/t265_turn.v

// A Chosen is a CTU whose mode is decided. What was not available in its row, and in
// the column on its left, is substituted.
type Chosen struct {
	RefJob
	Side [16]uint8 `rtl:"8"` // source samples on the left, from the top
	DC   uint8     `rtl:"8"` // the mean of row and column
	Mode uint8     `rtl:"2"`
}

// A ModeUnit decides the intra mode of a CTU while its source samples go by (package
// t265, mode). It keeps the last column of samples of each thread for the next CTU.
type ModeUnit struct {
	Ref  *sim.Stream[RefJob]
	Src  *sim.Stream[hw.SourceBeat]
	Room *bool // for a beat, which leaves in the cycle in which it comes
	Out  sim.Stream[Chosen]

	columns *sim.RAM1R1W[uint64] // by thread and half, the upper half first
	prepare uint8                // step of the border of the CTU whose samples come next
	left    [16]uint8            // its column on the left
	samples [2][32]uint64        // of the CTU that comes, and of the one before
	cur     Chosen               // the one of which tile turned is

	turnMemory
	ends uint8 // bit i: last was i+1 cycles before

	enable bool
}

// A turnMemory turns the tiles of CTUs, without their samples: while one goes in, the one
// before comes out.
type turnMemory struct {
	at     uint8 // beats that have come
	step   uint8 // of 8
	fills  bool  // a tile goes in
	full   bool  // a tile comes out
	turned uint8 // which one
	begin  bool  // its first word could not come out before this cycle
	last   bool  // the last coefficients of a CTU have come out
}

// open reports whether a beat may come in this cycle.
func (m *turnMemory) open() bool { return m.step == 0 || m.fills }

// clock is the edge of a cycle in which a beat comes, or not; enable lets a tile move on
// without one.
func (m *turnMemory) clock(come, enable bool) {
	if enable {
		m.last, m.begin = false, false
	}
	fills := m.fills
	if m.step == 0 {
		fills = come
	}
	if fills && come || !fills && m.full && enable {
		m.last = m.full && m.step == 7 && m.turned == 3
		if m.step == 7 {
			m.full = fills
			m.turned, m.begin = m.at>>3, fills
		}
		m.step = (m.step + 1) & 7
		m.fills = fills && m.step != 0
	}
	if come {
		m.at = (m.at + 1) & 31
	}
}

// prepared is the last step of the border: one to read the upper half of the column,
// two to take the halves, four to add up the samples.
const prepared = 7

// modeStages is the number of cycles from the last coefficients to the decision.
const modeStages = 4

// NewModeUnit returns the unit after reset, without its room.
func NewModeUnit(spec Spec, ref *sim.Stream[RefJob], src *sim.Stream[hw.SourceBeat]) *ModeUnit {
	return &ModeUnit{Ref: ref, Src: src, columns: sim.NewRAM1R1W[uint64](2 * spec.Threads)}
}

func (u *ModeUnit) Eval() {
	u.enable = !u.last || !u.Out.Valid || u.Out.Ready
	u.Ref.Ready = u.begin && u.turned == 0 && u.enable
	u.Src.Ready = *u.Room && u.enable && (u.prepare == prepared || u.at >= 8) && u.open()
}

func (u *ModeUnit) Clock() {
	take := u.Src.Moves()
	ends := u.ends
	u.ends = u.ends << 1
	if u.Out.Moves() {
		u.Out.Valid = false
	}
	if ends>>(modeStages-1)&1 != 0 {
		u.Out.Valid = true
	}
	load := u.Ref.Moves()
	u.border(load)
	if u.enable && u.last {
		u.ends |= 1
		u.decide()
	}
	if load {
		u.start()
	}
	if take {
		u.samples[0][u.at] = uint64(u.Src.Data)
		if u.at&0xf == 0xf {
			u.columns.Write(2*int(u.cur.Thread)+int(u.at>>4), lastColumn(u.samples[0][u.at-7:]))
		}
		if u.at == 31 {
			u.samples[1] = u.samples[0]
		}
	}
	u.turnMemory.clock(take, u.enable)
	u.columns.Clock()
}

// lastColumn gathers the last samples of eight beats.
func lastColumn(beats []uint64) (column uint64) {
	for i, b := range beats[:8] {
		column |= b >> 56 << (8 * i)
	}
	return column
}

// border prepares the border of the next CTU.
func (u *ModeUnit) border(load bool) {
	ref, t := &u.Ref.Data, 2*int(u.Ref.Data.Thread)
	switch u.prepare {
	case 0:
		if !u.Ref.Valid || u.at != 0 && u.cur.Thread == ref.Thread {
			return
		}
		u.columns.Read(t)
	case 1:
		u.columns.Read(t + 1)
		u.half(0)
	case 2:
		u.half(8)
	case prepared:
		if load {
			u.prepare = 0
		}
		return
	}
	u.prepare++
}

// half takes 8 samples of the column on the left.
func (u *ModeUnit) half(at int) {
	ref := &u.Ref.Data
	binary.LittleEndian.PutUint64(u.left[at:], u.columns.Q())
	if ref.Left {
		return
	}
	v := uint8(128)
	if ref.Above {
		v = ref.Row[0]
	}
	for i := range 8 {
		u.left[at+i] = v
	}
}

// start takes the CTU whose first tile is there.
func (u *ModeUnit) start() {
	u.cur = Chosen{RefJob: u.Ref.Data, Side: u.left}
	c := &u.cur
	sum := 16
	for i := range 16 {
		if !c.Above {
			c.Row[i] = c.Side[0]
		}
		sum += int(c.Row[i]) + int(c.Side[i])
	}
	c.DC = uint8(sum >> 5)
}

// decide puts the CTU out; it becomes valid later.
func (u *ModeUnit) decide() {
	var src [256]uint8
	beats := &u.samples[1]
	for i, b := range beats {
		tile := i >> 3
		binary.LittleEndian.PutUint64(src[(i&7+tile>>1*8)*16+tile&1*8:], b)
	}
	border := block.OpenBorder{}
	copy(border.Above[:], u.cur.Row[:16])
	copy(border.Left[:], u.cur.Side[:])
	u.Out.Data = u.cur
	u.Out.Data.Mode = uint8(block.OpenMode(src[:], 16, 4, int(u.cur.QP), &border))
}
