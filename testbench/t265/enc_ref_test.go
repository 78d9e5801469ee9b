package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// refModel drives the line memory with jobs and rows.
type refModel struct {
	job  sim.Stream[hwenc.Job]
	line sim.Stream[hwenc.Line]
	out  sim.Stream[hwenc.RefJob]
	unit *hwenc.RefUnit
	spec hwenc.Spec
	rng  *rand.Rand
	idle *testbench.Gate
	back *testbench.Gate
	fill int     // rows that have a value, before the first job
	seen sim.Set // threads that have had a job
}

func newRefModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *refModel {
	m := &refModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 8)), idle: testbench.NewGate(2*seed, stall.Idle), back: testbench.NewGate(2*seed+1, stall.Back)}
	m.unit = hwenc.NewRefUnit(spec, &m.job, &m.line, &m.out)
	return m
}

func (m *refModel) Cycle(in, out []uint64) {
	u, tb, xb := m.unit, m.spec.ThreadBits(), m.spec.XBits()
	if !m.job.Valid {
		v := m.rng.Uint32()
		m.job.Data = hwenc.Job{Thread: uint8(m.rng.IntN(m.spec.Threads)), X: uint16(m.rng.IntN(m.spec.FrameCTUs)), QP: uint8(v & 63), High: v>>6&1 != 0,
			Fine: v>>7&1 != 0, First: v>>8&1 != 0, Last: v>>9&1 != 0, Left: v>>10&1 != 0, Above: v>>11&1 != 0, Right: v>>12&1 != 0}
		m.job.Valid = m.fill > m.spec.Threads<<xb && m.idle.Open()
		if !m.seen.Has(int(m.job.Data.Thread)) { // nothing is on its left
			m.job.Data.Left = false
		}
	}
	u.Entered, u.EnteredX = -1, uint16(m.rng.IntN(m.spec.FrameCTUs))
	entered := m.rng.IntN(m.spec.Threads)
	if m.rng.IntN(3) == 0 {
		u.Entered = entered
	}
	l := &m.line.Data
	m.line.Valid, l.Thread = m.rng.IntN(2) == 0, uint8(m.rng.IntN(m.spec.Threads))
	if m.fill <= m.spec.Threads<<xb {
		m.line.Valid, l.Thread = m.fill > 0, uint8((m.fill-1)>>xb)
		entered = min(m.fill>>xb, m.spec.Threads-1)
		u.Entered, u.EnteredX = entered, uint16(m.fill&(1<<xb-1))
		m.fill++
	}
	for i := range l.Samples {
		l.Samples[i] = uint8(m.rng.Uint32())
	}
	m.out.Ready = m.back.Open()
	u.Eval()
	var job, line, ref packed
	job.job(m.spec, &m.job.Data)
	line.add(uint64(l.Thread), tb).samples(l.Samples[:])
	ref.refJob(m.spec, &m.out.Data)
	in[0], in[1], in[2], in[3], in[4], in[5] = bit(m.job.Valid), job.w[0], bit(u.Entered >= 0), uint64(entered), uint64(u.EnteredX), bit(m.line.Valid)
	n := 6 + line.put(in[6:])
	in[n] = bit(m.out.Ready)
	ref.n = max(ref.n, tb+xb+165)
	out[0], out[1] = bit(m.job.Ready), bit(m.out.Valid)
	ref.put(out[2:])
	u.Clock()
	if m.job.Moves() {
		m.seen.Add(int(m.job.Data.Thread))
		m.job.Valid = false
	}
}

func refSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_ref", Source: "rtl/t265/t265_enc_ref.v", Binding: "testbench/t265/bind/t265_enc_ref.cpp",
		In: []testbench.Port{{Name: "job_valid_i", Bits: 1}, {Name: "job_data_i"}, {Name: "entered_valid_i", Bits: 1}, {Name: "entered_thread_i"},
			{Name: "entered_x_i"}, {Name: "line_valid_i", Bits: 1}},
		Out: []testbench.Port{{Name: "job_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}},
	}
	u.In = append(u.In, testbench.Wide("line_data_i", 130, "")...)
	u.In = append(u.In, testbench.Port{Name: "out_ready_i", Bits: 1})
	for _, p := range testbench.Wide("out_data_o", 180, "out_valid_o") {
		p.Loose = true
		u.Out = append(u.Out, p)
	}
	for _, spec := range loopSpecs {
		sets = append(sets, refSet(spec))
	}
	return u, sets
}

// refSet is the set of a spec.
func refSet(spec hwenc.Spec) testbench.Set {
	tb, xb := spec.ThreadBits(), spec.XBits()
	return testbench.Set{
		Params: loopParams(spec),
		Width:  map[string]int{"job_data_i": tb + xb + 13, "entered_thread_i": tb, "entered_x_i": xb},
		Model:  func(stall testbench.Stall, seed uint64) testbench.Model { return newRefModel(spec, stall, seed) },
	}
}

func TestEncRef(t *testing.T) {
	u, sets := refSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
