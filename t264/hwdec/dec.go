// Package hwdec is the hardware decoder of t264: its clocked units, the forms of
// them that run ahead, and the host beside them.
package hwdec

import (
	"fmt"
	"math/bits"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/t264/hw"
)

// RTL: rtl/t264/t264_dec.v

// A Spec holds the parameters of a decoder, spelled as in Verilog. Widths follow
// from them.
type Spec struct {
	Lanes      int  // threads with their arithmetic decoders, 2..64
	FrameMBs   int  // widest and highest frame in macroblocks, 2..1024
	Slots      int  // slots of four words in the output queue, 16..63
	Bypass     int  // bypass bins a cycle of a lane, 1..4
	Transform8 bool // 8x8 blocks exist
}

// DefaultSpec is a decoder of 16 lanes for frames of at most 1024 by 1024.
func DefaultSpec() Spec {
	return Spec{Lanes: 16, FrameMBs: 64, Slots: 16, Bypass: 1, Transform8: true}
}

func (s Spec) pixels() PixelsSpec {
	return PixelsSpec{Threads: s.Lanes, FrameMBs: s.FrameMBs, Slots: s.Slots, Transform8: s.Transform8}
}

// Validate reports the first parameter out of range.
func (s Spec) Validate() error {
	if s.Lanes < 2 || s.Lanes > 64 {
		return fmt.Errorf("t264: Lanes is %d, not in 2..64", s.Lanes)
	}
	if err := validateBypass(s.Bypass); err != nil {
		return err
	}
	return s.pixels().Validate()
}

// LaneBits is the width of a lane.
func (s Spec) LaneBits() int { return bits.Len(uint(s.Lanes - 1)) }

// MBBits is the width of a column or row of macroblocks.
func (s Spec) MBBits() int { return s.pixels().MBBits() }

// A Unit is a decoder: slices of independent frames in, one in each lane at a
// time, samples out, four values a cycle at most.
//
// A slice starts in a lane with a word of Config; its data, the bytes behind the
// slice header, go into Words before or after that. In the RTL the lanes share
// the data ports of both, so that one Config and one of Words is valid in a
// cycle. A slice of bad data ends early; Error has its code until the next one of
// the lane starts.
type Unit struct {
	Config []sim.Stream[SliceConfig]
	Words  []sim.Stream[cabachw.Word]
	Out    *sim.Stream[PixelWord] // Thread is the lane

	spec    Spec
	lanes   []*LaneUnit
	set     []sim.Stream[hw.ContextValue]
	ask     []sim.Stream[AboveRequest]
	reply   []sim.Stream[uint32]
	items   []sim.Stream[hw.Item]
	item    sim.Stream[ThreadItem]
	pixels  *PixelsUnit
	sel     int
	context *hw.ContextUnit
	above   *AboveUnit
	ahead   *unitAhead // nil: all lanes are stepped
}

// NewUnit returns a decoder after reset.
func NewUnit(spec Spec, out *sim.Stream[PixelWord]) *Unit {
	if err := spec.Validate(); err != nil {
		panic(err)
	}
	n := spec.Lanes
	u := &Unit{
		Config: make([]sim.Stream[SliceConfig], n), Words: make([]sim.Stream[cabachw.Word], n), Out: out, spec: spec,
		set: make([]sim.Stream[hw.ContextValue], n), ask: make([]sim.Stream[AboveRequest], n), reply: make([]sim.Stream[uint32], n),
		items: make([]sim.Stream[hw.Item], n),
	}
	set, ask, reply := make([]*sim.Stream[hw.ContextValue], n), make([]*sim.Stream[AboveRequest], n), make([]*sim.Stream[uint32], n)
	lane := LaneSpec{FrameMBs: spec.FrameMBs, Bypass: spec.Bypass}
	for i := range n {
		u.lanes = append(u.lanes, NewLaneUnit(lane, &u.Words[i], &u.Config[i], &u.set[i], &u.ask[i], &u.reply[i], &u.items[i]))
		set[i], ask[i], reply[i] = &u.set[i], &u.ask[i], &u.reply[i]
	}
	u.context = hw.NewContextUnit(hw.ContextSpec{Lanes: n, Decoder: true}, set)
	u.above = NewAboveUnit(lane, ask, reply)
	u.pixels = NewPixelsUnit(spec.pixels(), &u.item, out)
	u.ahead = newUnitAhead(u)
	return u
}

// Error returns the code of the last slice of a lane, if it ended early, until
// the next one starts.
func (u *Unit) Error(lane int) uint8 {
	if u.ahead != nil {
		return u.ahead.errorCode(lane)
	}
	return u.lanes[lane].Parse.Error()
}

// SetStepped makes every lane go through every cycle, so that the streams within
// can be watched. Otherwise a lane decodes at once what lies between two events;
// the ports are the same. It is called before the first cycle.
func (u *Unit) SetStepped() {
	if u.ahead != nil && u.ahead.cycle != 0 {
		panic("t264: SetStepped of a decoder under way")
	}
	u.ahead = nil
}

// wordsReady returns which lanes take a word in this cycle.
func (u *Unit) wordsReady() (ready uint64) {
	if u.ahead != nil {
		return uint64(u.ahead.wordsReady)
	}
	for i := range u.Words {
		if u.Words[i].Ready {
			ready |= 1 << i
		}
	}
	return ready
}

// Pixels returns the pixel path, for its counts.
func (u *Unit) Pixels() *PixelsUnit { return u.pixels }

func (u *Unit) Eval() {
	if u.ahead != nil {
		u.ahead.Eval()
		return
	}
	for _, l := range u.lanes {
		l.Eval()
	}
	for i, l := range u.lanes {
		ask, qp := l.Parse.Init()
		if u.context.Init[i] = ask; !ask {
			qp = 0
		}
		u.context.QP[i] = qp
	}
	u.context.Eval()
	u.above.Eval()
	for i := range u.items {
		u.items[i].Ready = false
	}
	in := &u.items[u.sel]
	u.item.Valid, u.item.Data.Thread = in.Valid, uint8(u.sel)
	if in.Valid {
		u.item.Data.Item = in.Data
	}
	u.pixels.Eval()
	in.Ready = u.item.Ready
}

func (u *Unit) Clock() {
	if u.ahead != nil {
		u.ahead.Clock()
		return
	}
	u.context.Clock()
	u.above.Clock()
	if u.pixels.Open() || !u.item.Valid {
		var items sim.Set
		for i := range u.items {
			items.Put(i, u.items[i].Valid)
		}
		u.sel = items.NextAfter(u.sel)
	}
	u.pixels.Clock()
	for _, l := range u.lanes {
		l.Clock()
	}
}
