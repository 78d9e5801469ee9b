package common

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"vcsim/internal/cabachw"
	"vcsim/sim"
	"vcsim/testbench"
)

// packModel drives the packing with words of settled bits.
type packModel struct {
	in   sim.Stream[cabachw.Bits]
	out  sim.Stream[cabachw.Byte]
	unit *cabachw.PackUnit
	idle *testbench.Gate
	back *testbench.Gate
	rng  *rand.Rand
	left int     // words of the codeword
	ones float64 // share of words that are all ones: runs of bytes of 255
}

func newPackModel(runBits int, stall testbench.Stall, seed uint64) *packModel {
	m := &packModel{idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back), rng: rand.New(rand.NewPCG(seed, 1))}
	m.unit = cabachw.NewPackUnit(runBits, &m.in, &m.out)
	return m
}

// next returns the word that follows. The carry of one in 16 may be one that no
// arithmetic codeword has, such as into nothing.
func (m *packModel) next() cabachw.Bits {
	if m.left == 0 {
		m.left = 1 + m.rng.IntN(200)
		m.ones = [...]float64{0, 0.5, 0.95, 1}[m.rng.IntN(4)]
	}
	m.left--
	w := cabachw.Bits{N: uint8(1 + m.rng.IntN(7)), Last: m.left == 0}
	w.Bits = uint8(m.rng.IntN(1 << w.N))
	if m.rng.Float64() < m.ones {
		w.Bits = 1<<w.N - 1
	}
	if m.rng.IntN(16) == 0 {
		w.Bits |= 1 << w.N // the carry
	}
	return w
}

func (m *packModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		m.in.Valid, m.in.Data = true, m.next()
	}
	m.out.Ready = m.back.Open()
	m.unit.Eval()
	w := m.in.Data
	if !m.in.Valid { // whatever
		w = cabachw.Bits{Bits: uint8(m.rng.IntN(256)), N: uint8(m.rng.IntN(8)), Last: m.rng.IntN(2) == 0}
	}
	in[0], in[1], in[2], in[3], in[4] = bit(m.in.Valid), uint64(w.Bits), uint64(w.N), bit(w.Last), bit(m.out.Ready)
	out[0], out[1], out[2], out[3] = bit(m.in.Ready), bit(m.out.Valid), uint64(m.out.Data.Data), bit(m.out.Data.Last)
	out[4] = bit(m.unit.Overflow())
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func packSets() (testbench.Unit, []testbench.Set) {
	u := testbench.Unit{
		Top: "vc_cabac_pack", Source: "rtl/common/vc_cabac_pack.v", Binding: "testbench/common/bind/vc_cabac_pack.cpp",
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_bits_i", Bits: 8}, {Name: "in_n_i", Bits: 3}, {Name: "in_last_i", Bits: 1},
			{Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Bits: 8, Guard: "out_valid_o"},
			{Name: "out_last_o", Bits: 1, Guard: "out_valid_o"}, {Name: "overflow_o", Bits: 1}},
	}
	var sets []testbench.Set
	for _, runBits := range []int{16, 1, 5} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "RunBits", Value: runBits}},
			Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newPackModel(runBits, stall, seed) },
		})
	}
	return u, sets
}

func TestCABACPack(t *testing.T) { cosim(t, packSets) }

// ctxSets drives the context memory with random operations: bins of every skew,
// new values, and reads alone. The memory has no reset.
func ctxSets() (testbench.Unit, []testbench.Set) {
	u := testbench.Unit{
		Top: "vc_cabac_ctx", Source: "rtl/common/vc_cabac_ctx.v", Binding: "testbench/common/bind/vc_cabac_ctx.cpp", FromZero: true,
		In:  []testbench.Port{{Name: "code_i", Bits: 1}, {Name: "init_i", Bits: 1}, {Name: "ctx_i"}, {Name: "bin_i", Bits: 1}, {Name: "value_i", Bits: 7}},
		Out: []testbench.Port{{Name: "state_o", Bits: 6}, {Name: "lps_o", Bits: 1}},
	}
	var sets []testbench.Set
	for _, contexts := range []int{100, 2, 256} {
		width := bits.Len(uint(contexts - 1))
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Contexts", Value: contexts}},
			Width:  map[string]int{"ctx_i": width},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				rng := rand.New(rand.NewPCG(seed, 4))
				work, set := testbench.NewGate(2*seed, stall.Idle), testbench.NewGate(2*seed+1, true)
				unit := cabachw.NewContextUnit(contexts)
				return modelFunc(func(in, out []uint64) {
					ctx, bin, value := uint8(rng.IntN(contexts)), rng.IntN(2), uint8(rng.IntN(126))
					code := work.Open()
					init := code && set.Open() && rng.IntN(16) == 0
					c := unit.Read(ctx)
					if stall.Back && rng.IntN(8) != 0 {
						bin = int(c & 1) // up to the last state
					}
					in[0], in[1], in[2], in[3], in[4] = bit(code && !init), bit(init), uint64(ctx), uint64(bin), uint64(value)
					out[0], out[1] = uint64(c>>1), uint64(int(c&1)^bin)
					switch {
					case init:
						unit.Init(ctx, value)
					case code:
						unit.Code(ctx, bin)
					}
				})
			},
		})
	}
	return u, sets
}

func TestCABACContext(t *testing.T) { cosim(t, ctxSets) }
