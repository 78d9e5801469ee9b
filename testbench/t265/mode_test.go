package t265

import (
	"testing"

	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// modeModel is the mode decision alone, whose room and whose decisions wait now and then.
type modeModel struct {
	decideStimulus
	unit       *hwenc.ModeUnit
	room       bool
	rooms, out *testbench.Gate
	long       bool // decisions wait for that of the next CTU now and then
	hold       int  // cycles in which one waits
}

func newModeModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *modeModel {
	m := &modeModel{decideStimulus: newDecideStimulus(spec, stall.Idle, stall.Idle, seed), rooms: testbench.NewGate(3*seed, stall.Back), out: testbench.NewGate(3*seed+1, stall.Back), long: stall.Back}
	m.unit = hwenc.NewModeUnit(spec, &m.ref, &m.src)
	m.unit.Room = &m.room
	return m
}

func (m *modeModel) Cycle(in, out []uint64) {
	u := m.unit
	m.drive()
	m.room, u.Out.Ready = m.rooms.Open(), m.out.Open()
	if m.hold == 0 && m.long && u.Out.Valid && m.junk.IntN(4) == 0 {
		m.hold = 32 + m.junk.IntN(96)
	}
	if m.hold > 0 {
		m.hold--
		u.Out.Ready = false
	}
	u.Eval()
	n := m.put(in)
	in[n], in[n+1] = bit(m.room), bit(u.Out.Ready)
	var chosen packed
	chosen.chosen(m.spec, &u.Out.Data)
	out[0], out[1], out[2] = bit(m.ref.Ready), bit(m.src.Ready), bit(u.Out.Valid)
	chosen.put(out[3:])
	u.Clock()
	m.taken()
}

func modeSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_mode", Source: "rtl/t265/t265_mode.v", Binding: "testbench/t265/bind/t265_mode.cpp",
		In: append([]testbench.Port{{Name: "ref_valid_i", Bits: 1}}, testbench.Wide("ref_data_i", 178, "")...),
		Out: append([]testbench.Port{{Name: "ref_ready_o", Bits: 1}, {Name: "src_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}},
			loose(testbench.Wide("out_data_o", 316, "out_valid_o"))...),
	}
	u.In = append(u.In, testbench.Port{Name: "src_valid_i", Bits: 1}, testbench.Port{Name: "src_data_i", Bits: 64}, testbench.Port{Name: "room_i", Bits: 1},
		testbench.Port{Name: "out_ready_i", Bits: 1})
	for _, spec := range loopSpecs {
		sets = append(sets, testbench.Set{Params: loopParams(spec),
			Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newModeModel(spec, stall, seed) }})
	}
	return u, sets
}

func TestMode(t *testing.T) {
	u, sets := modeSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
