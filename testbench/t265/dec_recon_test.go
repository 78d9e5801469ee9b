package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
	"vcsim/t265/hwdec"
	"vcsim/testbench"
)

// randomPlace is a block at a place of its size.
func randomPlace(rng *rand.Rand, spec hwdec.PixelsSpec) (p hwdec.BlockPlace) {
	flip := func() bool { return rng.IntN(2) == 0 }
	for p.Log2 = uint8(rng.IntN(3)); 4<<p.Log2 > spec.MaxTU; p.Log2-- {
	}
	mask := uint16(1<<spec.PosBits() - 1<<p.Log2)
	p.Mode, p.Strong, p.Coded = uint8(rng.IntN(35)), flip(), flip()
	p.HasLeft, p.HasAbove, p.HasCorner, p.Right, p.Below = flip(), flip(), flip(), uint8(rng.IntN(3)), uint8(rng.IntN(3))
	p.X, p.Y = uint16(rng.Uint32())&mask, uint16(rng.Uint32())&mask
	return p
}

// windowsModel drives the windows with blocks and writes that have nothing to do with
// each other.
type windowsModel struct {
	spec  hwdec.PixelsSpec
	jobs  sim.Stream[hwdec.BlockJob]
	refs  sim.Stream[hw.RefBeat]
	sums  sim.Stream[hwdec.SumJob]
	write hwdec.WindowWrite
	unit  *hwdec.WindowsUnit
	rng   *rand.Rand
	gates [4]*testbench.Gate // blocks, writes, references, sums
}

func newWindowsModel(spec hwdec.PixelsSpec, stall testbench.Stall, seed uint64) *windowsModel {
	m := &windowsModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 5))}
	for i, s := range []bool{stall.Idle, true, stall.Back, stall.Back} {
		m.gates[i] = testbench.NewGate(4*seed+uint64(i), s)
	}
	m.unit = hwdec.NewWindowsUnit(spec, &m.jobs, &m.refs, &m.sums, &m.write)
	return m
}

func (m *windowsModel) Cycle(in, out []uint64) {
	rng := m.rng
	if !m.jobs.Valid && m.gates[0].Open() {
		m.jobs.Valid = true
		m.jobs.Data = hwdec.BlockJob{Thread: uint8(rng.IntN(m.spec.Threads)), Place: randomPlace(rng, m.spec)}
	}
	w := &m.write
	at := randomPlace(rng, m.spec)
	*w = hwdec.WindowWrite{Thread: uint8(rng.IntN(m.spec.Threads)), X: at.X, Y: at.Y}
	if m.gates[1].Open() {
		w.Above, w.Left = rng.IntN(2) == 0, rng.IntN(2) == 0
	}
	for i := range 4 {
		w.Row[i], w.Column.Samples[i] = uint8(rng.Uint32()), uint8(rng.Uint32())
	}
	w.Column.Corner = uint8(rng.Uint32())
	m.refs.Ready = m.gates[2].Open()
	// The queue behind has room until a block goes there.
	m.sums.Ready = m.sums.Ready || m.gates[3].Open()
	m.unit.Eval()
	copy(in, []uint64{bit(m.jobs.Valid), new(packed).block(m.spec, &m.jobs.Data).w[0], bit(m.refs.Ready), bit(m.sums.Ready), bit(w.Above), bit(w.Left), uint64(w.Thread), uint64(w.X), uint64(w.Y),
		new(packed).samples(w.Row[:]).w[0], new(packed).left(&w.Column).w[0]})
	ref := new(packed).refBeat(&m.refs.Data)
	copy(out, []uint64{bit(m.jobs.Ready), bit(m.refs.Valid), ref.w[0], ref.w[1], bit(m.sums.Valid), new(packed).sum(m.spec, &m.sums.Data).w[0]})
	m.unit.Clock()
	if m.jobs.Moves() {
		m.jobs.Valid = false
	}
	if m.sums.Valid {
		m.sums.Ready = false
	}
}

func decWindowsSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_dec_windows", Source: "rtl/t265/t265_dec_windows.v", Binding: "testbench/t265/bind/t265_dec_windows.cpp", FromZero: true, Lines: true,
		In: []testbench.Port{{Name: "job_valid_i", Bits: 1}, {Name: "job_i"}, {Name: "ref_ready_i", Bits: 1}, {Name: "sum_ready_i", Bits: 1}, {Name: "above_we_i", Bits: 1}, {Name: "left_we_i", Bits: 1},
			{Name: "thread_i"}, {Name: "x_i"}, {Name: "y_i"}, {Name: "above_i", Bits: 32}, {Name: "left_i", Bits: 40}},
	}
	u.Out = append([]testbench.Port{{Name: "job_ready_o", Bits: 1}, {Name: "ref_valid_o", Bits: 1}}, testbench.Wide("ref_o", hw.RefBeatBits, "ref_valid_o")...)
	u.Out = append(u.Out, testbench.Port{Name: "sum_valid_o", Bits: 1}, testbench.Port{Name: "sum_o", Guard: "sum_valid_o", Loose: true})
	for _, spec := range decPixelSpecs {
		sets = append(sets, decPixelSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newWindowsModel(spec, stall, seed) },
			"Threads", "FrameCTUs", "MaxCTU"))
	}
	return u, sets
}

func TestDecWindows(t *testing.T) {
	u, sets := decWindowsSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}

// decReconModel drives the reconstruction. Residuals and predictions are at the ends of
// their ranges, and all between.
type decReconModel struct {
	spec     hwdec.PixelsSpec
	sums     sim.Stream[hwdec.SumJob]
	pred     sim.Stream[hwdec.PredictWord]
	residual sim.Stream[hwdec.ResidualWord]
	out      sim.Stream[hwdec.PixelWord]
	done     sim.Stream[uint8]
	unit     *hwdec.ReconUnit
	rng      *rand.Rand
	gates    [4]*testbench.Gate
}

func newDecReconModel(spec hwdec.PixelsSpec, stall testbench.Stall, seed uint64) *decReconModel {
	m := &decReconModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 6))}
	for i, s := range []bool{stall.Idle, stall.Idle, stall.Idle, stall.Back} {
		m.gates[i] = testbench.NewGate(4*seed+uint64(i), s)
	}
	m.unit = hwdec.NewReconUnit(&m.sums, &m.pred, &m.residual, &m.out, &m.done)
	return m
}

func (m *decReconModel) Cycle(in, out []uint64) {
	rng := m.rng
	if !m.sums.Valid && m.gates[0].Open() {
		p := randomPlace(rng, m.spec)
		m.sums.Valid = true
		m.sums.Data = hwdec.SumJob{Thread: uint8(rng.IntN(m.spec.Threads)), Log2: p.Log2, ByColumns: hw.ByColumns(p.Mode), Coded: p.Coded, Corner: uint8(rng.Uint32()), X: p.X, Y: p.Y}
	}
	if !m.pred.Valid && m.gates[1].Open() {
		m.pred.Valid = true
		for i := range m.pred.Data {
			m.pred.Data[i] = [...]uint8{0, 255, uint8(rng.Uint32()), uint8(rng.Uint32())}[rng.IntN(4)]
		}
	}
	if !m.residual.Valid && m.gates[2].Open() {
		m.residual.Valid = true
		for i := range m.residual.Data {
			m.residual.Data[i] = [...]int16{-256, 255, int16(rng.IntN(512) - 256), int16(rng.IntN(16) - 8)}[rng.IntN(4)]
		}
	}
	m.out.Ready = m.gates[3].Open()
	m.unit.Eval()
	var residual packed
	for _, v := range m.residual.Data {
		residual.add(uint64(v), 9)
	}
	copy(in, []uint64{bit(m.sums.Valid), new(packed).sum(m.spec, &m.sums.Data).w[0], bit(m.pred.Valid), new(packed).samples(m.pred.Data[:]).w[0], bit(m.residual.Valid), residual.w[0], bit(m.out.Ready)})
	o, w := &m.out.Data, &m.unit.Write
	copy(out, []uint64{bit(m.sums.Ready), bit(m.pred.Ready), bit(m.residual.Ready), bit(m.out.Valid), uint64(o.Thread), bit(o.ByColumns), uint64(o.X), uint64(o.Y), uint64(o.Data),
		bit(m.done.Valid), bit(w.Above), bit(w.Left), uint64(w.X), uint64(w.Y), new(packed).samples(w.Row[:]).w[0], new(packed).left(&w.Column).w[0]})
	m.unit.Clock()
	if m.sums.Moves() {
		m.sums.Valid = false
	}
	if m.pred.Moves() {
		m.pred.Valid = false
	}
	if m.residual.Moves() {
		m.residual.Valid = false
	}
}

func decReconSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_dec_recon", Source: "rtl/t265/t265_dec_recon.v", Binding: "testbench/t265/bind/t265_dec_recon.cpp", Lines: true,
		In: []testbench.Port{{Name: "sum_valid_i", Bits: 1}, {Name: "sum_i"}, {Name: "pred_valid_i", Bits: 1}, {Name: "pred_i", Bits: 32}, {Name: "res_valid_i", Bits: 1}, {Name: "res_i", Bits: 36}, {Name: "out_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "sum_ready_o", Bits: 1}, {Name: "pred_ready_o", Bits: 1}, {Name: "res_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_thread_o", Guard: "out_valid_o"},
			{Name: "out_columns_o", Bits: 1, Guard: "out_valid_o"}, {Name: "out_x_o", Guard: "out_valid_o"}, {Name: "out_y_o", Guard: "out_valid_o"}, {Name: "out_data_o", Bits: 32, Guard: "out_valid_o"},
			{Name: "done_o", Bits: 1}, {Name: "above_we_o", Bits: 1}, {Name: "left_we_o", Bits: 1}, {Name: "x_o", Guard: "out_valid_o"}, {Name: "y_o", Guard: "out_valid_o"},
			{Name: "above_o", Bits: 32, Guard: "above_we_o", Loose: true}, {Name: "left_o", Bits: 40, Guard: "left_we_o", Loose: true}},
	}
	for _, spec := range decPixelSpecs {
		sets = append(sets, decPixelSet(spec, func(stall testbench.Stall, seed uint64) testbench.Model { return newDecReconModel(spec, stall, seed) },
			"Threads", "FrameCTUs"))
	}
	return u, sets
}

func TestDecRecon(t *testing.T) {
	u, sets := decReconSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
