package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/block"
	"vcsim/t265/hwdec"
	"vcsim/testbench"
)

// randomLevels makes the words of coded blocks: all sizes, scans and QPs, levels of all
// sizes, those of large sums among them, and few or all of the words that a block can have.
type randomLevels struct {
	rng  *rand.Rand
	spec hwdec.InverseSpec
	list []hwdec.LevelWord // of the block under way
	run  int               // blocks before the size changes
	log2 int
}

func (r *randomLevels) next() (w hwdec.LevelWord) {
	if len(r.list) == 0 {
		r.block()
	}
	w = r.list[0]
	r.list = r.list[1:]
	return w
}

func (r *randomLevels) block() {
	rng := r.rng
	if r.run == 0 {
		r.run = 1 + rng.IntN(12)
		for r.log2 = rng.IntN(3); 4<<r.log2 < r.spec.MinTU || 4<<r.log2 > r.spec.MaxTU; {
			r.log2 = rng.IntN(3)
		}
	}
	r.run--
	head := hwdec.LevelWord{Log2: uint8(r.log2), Scan: uint8(rng.IntN(3)), QP: uint8(rng.IntN(52)), ByColumns: rng.IntN(2) == 0}
	head.Skip = r.log2 == 0 && rng.IntN(2) == 0
	share := [...]float64{0, 0.1, 0.6, 1}[rng.IntN(4)] // of groups
	size, kind := rng.IntN(17), rng.IntN(6)
	sign := [2]uint32{rng.Uint32(), rng.Uint32()}
	n := 1 << r.log2
	for i := n*n*4 - 1; i >= 0; i-- {
		if i > 0 && rng.Float64() >= share {
			continue
		}
		w := head
		w.X, w.Y, w.Group, w.Last = uint8(i>>2%n), uint8(i>>2/n), uint8(i&3), i == 0
		for k := range w.Levels {
			v := rng.IntN(1<<size) - 1<<size/2
			switch kind {
			case 0: // extremes at random
				v = [...]int{-32768, 32767, 0, 1, -1}[rng.IntN(5)]
			case 1: // along the signs of a vector of each dimension, so that sums are large
				scan := &block.Scans[0][w.Scan]
				x, y := 4*w.X+scan.PosX[4*w.Group+uint8(k)], 4*w.Y+scan.PosY[4*w.Group+uint8(k)]
				if v = 32767; sign[0]>>x&1 != sign[1]>>y&1 {
					v = -32768
				}
			}
			w.Levels[k] = int16(v)
		}
		r.list = append(r.list, w)
	}
}

// inverseModel drives the inverse path of the decoder.
type inverseModel struct {
	in         sim.Stream[hwdec.LevelWord]
	out        sim.Stream[hwdec.ResidualWord]
	unit       *hwdec.InverseUnit
	levels     randomLevels
	idle, open *testbench.Gate
}

func newInverseModel(spec hwdec.InverseSpec, stall testbench.Stall, seed uint64) *inverseModel {
	m := &inverseModel{idle: testbench.NewGate(2*seed, stall.Idle), open: testbench.NewGate(2*seed+1, stall.Back)}
	m.levels = randomLevels{rng: rand.New(rand.NewPCG(seed, 7)), spec: spec}
	m.unit = hwdec.NewInverseUnit(spec, &m.in, &m.out)
	return m
}

func (m *inverseModel) Cycle(in, out []uint64) {
	if !m.in.Valid && m.idle.Open() {
		m.in.Valid, m.in.Data = true, m.levels.next()
	}
	m.out.Ready = m.open.Open()
	m.unit.Eval()
	w := &m.in.Data
	var levels uint64
	for i, l := range w.Levels {
		levels |= uint64(uint16(l)) << (16 * i)
	}
	copy(in, []uint64{bit(m.in.Valid), uint64(w.Log2), bit(w.Skip), uint64(w.Scan), uint64(w.QP), bit(w.ByColumns), uint64(w.X), uint64(w.Y),
		uint64(w.Group), bit(w.Last), levels, bit(m.out.Ready)})
	var word uint64
	for i, v := range m.out.Data {
		word |= uint64(v) & 511 << (9 * i)
	}
	copy(out, []uint64{bit(m.in.Ready), bit(m.out.Valid), word})
	m.unit.Clock()
	if m.in.Moves() {
		m.in.Valid = false
	}
}

func decInverseSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_dec_inverse", Source: "rtl/t265/t265_dec_inverse.v", Binding: "testbench/t265/bind/t265_dec_inverse.cpp", Lines: true,
		In: []testbench.Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_log2_i", Bits: 2}, {Name: "in_skip_i", Bits: 1}, {Name: "in_scan_i", Bits: 2}, {Name: "in_qp_i", Bits: 6},
			{Name: "in_columns_i", Bits: 1}, {Name: "in_x_i", Bits: 2}, {Name: "in_y_i", Bits: 2}, {Name: "in_group_i", Bits: 2}, {Name: "in_last_i", Bits: 1},
			{Name: "in_levels_i", Bits: 64}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Bits: 36, Guard: "out_valid_o"}},
	}
	for _, spec := range []hwdec.InverseSpec{{MaxTU: 16, MinTU: 4}, {MaxTU: 8, MinTU: 4}, {MaxTU: 16, MinTU: 8}} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "MaxTU", Value: spec.MaxTU}, {Name: "MinTU", Value: spec.MinTU}},
			Width:  map[string]int{"in_x_i": spec.PlaceBits(), "in_y_i": spec.PlaceBits()},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return newInverseModel(spec, stall, seed)
			},
		})
	}
	return u, sets
}

func TestDecInverse(t *testing.T) {
	u, sets := decInverseSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
