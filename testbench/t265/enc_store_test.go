package t265

import (
	"math/bits"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// storeModel drives the store with a pixel path, and takes words as the registers in front
// of lanes do.
type storeModel struct {
	codePath
	unit     *hwenc.StoreUnit
	back     *testbench.Gate
	full     sim.Set // by lane: a word waits
	begin    int     // cycle from which on lanes take words; blocks of several wait for it then
	word     hwenc.Word
	turnBits int
}

func newStoreModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *storeModel {
	m := &storeModel{codePath: newCodePath(spec, stall, seed), back: testbench.NewGate(2*seed+1, stall.Back), turnBits: turnBits(spec)}
	m.blank, m.begin = true, m.junk.IntN(128)
	m.unit = hwenc.NewStoreUnit(spec, &m.heads, &m.levels)
	return m
}

func (m *storeModel) Cycle(in, out []uint64) {
	u := m.unit
	m.drive(u)
	u.Eval()
	clear(in)
	clear(out)
	ready := m.ports(u, in)
	for l := range u.Words {
		w := &u.Words[l]
		w.Ready = (!m.full.Has(l) || m.back.Open()) && m.cycle >= m.begin
		in[ready] |= bit(w.Ready) << l
		out[1] |= bit(w.Valid) << l
		out[6] |= uint64(u.Turn(l)) << (m.turnBits * l)
		if w.Valid {
			m.word = w.Data
		}
		if w.Ready {
			m.full.Put(l, w.Valid)
		}
	}
	out[0] = uint64(u.Room)
	for l := range u.Words { // of one bank
		at, v := 56*l, uint64(m.word)
		out[2+at/64] |= v << (at % 64)
		if at%64 > 8 {
			out[3+at/64] |= v >> (64 - at%64)
		}
	}
	u.Clock()
}

// turnBits is the width of the number of a thread of a lane.
func turnBits(spec hwenc.Spec) int { return max(1, bits.Len(uint(spec.Threads/spec.Lanes-1))) }

func storeSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_store", Source: "rtl/t265/t265_enc_store.v", Binding: "testbench/t265/bind/t265_enc_store.cpp", Lines: true, CoverCycles: 1 << 13,
		In:  append(pathPorts(), testbench.Port{Name: "word_ready_i", Bits: 4}),
		Out: []testbench.Port{{Name: "room_o"}, {Name: "word_valid_o", Bits: 4}},
	}
	for _, p := range testbench.Wide("word_data_o", 4*56, "word_valid_o") {
		p.Loose = true
		u.Out = append(u.Out, p)
	}
	u.Out = append(u.Out, testbench.Port{Name: "turn_o"})
	for _, p := range [][2]int{{4, 16}, {12, 8}, {8, 16}} {
		spec := hwenc.DefaultSpec()
		spec.Threads, spec.Lanes, spec.MaxTU = p[0], 4, p[1]
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Threads", Value: spec.Threads}, {Name: "Lanes", Value: spec.Lanes}, {Name: "MaxTU", Value: spec.MaxTU}},
			Width: map[string]int{"take_thread_i": spec.ThreadBits(), "room_o": spec.Threads, "head_data_i": spec.ThreadBits() + 18,
				"turn_o": spec.Lanes * turnBits(spec)},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newStoreModel(spec, stall, seed) },
		})
	}
	return u, sets
}

// TestEncStore: lanes of four to a bank, with one thread, two and three; TestEncCode has others.
func TestEncStore(t *testing.T) {
	u, sets := storeSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
