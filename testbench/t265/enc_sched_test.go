package t265

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// schedModel drives a scheduler with frames and stands for the units behind it.
type schedModel struct {
	cfg  sim.Stream[hw.FrameConfig]
	req  sim.Stream[hw.CTURequest]
	job  sim.Stream[hwenc.Job]
	unit *hwenc.SchedUnit
	spec hwenc.Spec
	rng  *rand.Rand
	idle *testbench.Gate
	back [2]*testbench.Gate
	held bool    // the back end stalls now and then
	jobs []int   // threads whose CTU has no plan, in order
	wait sim.Set // those with a plan that waits
	loop sim.Set // those with a CTU in the loop
}

func newSchedModel(spec hwenc.Spec, stall testbench.Stall, seed uint64) *schedModel {
	m := &schedModel{spec: spec, rng: rand.New(rand.NewPCG(seed, 7)), idle: testbench.NewGate(3*seed, stall.Idle), held: stall.Back,
		back: [2]*testbench.Gate{testbench.NewGate(3*seed+1, stall.Back), testbench.NewGate(3*seed+2, stall.Back)}}
	m.unit = hwenc.NewSchedUnit(spec, &m.cfg, &m.req, &m.job)
	m.unit.Room = sim.FirstOf(spec.Threads)
	return m
}

// frame makes a configuration: small frames mostly, some of them narrow.
func (m *schedModel) frame() hw.FrameConfig {
	c := hw.FrameConfig{Thread: uint8(m.rng.IntN(m.spec.Threads)), QP: uint8(m.rng.IntN(51)), Fine: m.rng.IntN(2) == 0,
		Width: uint16(1 + m.rng.IntN(min(5, m.spec.FrameCTUs))), Height: uint16(1 + m.rng.IntN(4))}
	switch m.rng.IntN(8) {
	case 0:
		c.Width = uint16(m.spec.FrameCTUs)
	case 1:
		c.Height = uint16(1 + m.rng.IntN(1023))
		c.Width = 1
	}
	if c.Fine {
		c.High = uint32(m.rng.IntN(int(c.Width)*int(c.Height) + 1))
		if m.rng.IntN(8) == 0 {
			c.High = uint32(m.rng.IntN(1 << 20))
		}
	}
	return c
}

func (m *schedModel) Cycle(in, out []uint64) {
	u := m.unit
	if !m.cfg.Valid {
		m.cfg.Data = m.frame()
		m.cfg.Valid = m.idle.Open()
	}
	if m.held && m.rng.IntN(6) == 0 {
		u.Room ^= 1 << m.rng.IntN(m.spec.Threads)
	}
	m.req.Ready, m.job.Ready = m.back[0].Open(), m.back[1].Open()
	u.Planned = -1
	if len(m.jobs) > 0 && m.rng.IntN(4) == 0 {
		u.Planned = m.jobs[0]
	}
	u.Free = sim.FirstOf(m.spec.Threads) &^ m.wait
	u.Idle = u.Free &^ m.loop
	u.Eval()
	c, r := &m.cfg.Data, &m.req.Data
	var cfg, req, job packed
	cfg.add(uint64(c.Thread), m.spec.ThreadBits()).add(uint64(c.QP), 6).add(uint64(c.High), 20).flag(c.Fine).add(uint64(c.Width), 10).add(uint64(c.Height), 10)
	req.add(uint64(r.Thread), m.spec.ThreadBits()).add(uint64(r.X), 10).add(uint64(r.Y), 10).flag(r.Last)
	job.job(m.spec, &m.job.Data)
	planned := m.rng.IntN(m.spec.Threads)
	if u.Planned >= 0 {
		planned = u.Planned
	}
	in[0], in[1], in[2], in[3], in[4], in[5] = bit(m.cfg.Valid), cfg.w[0], uint64(u.Room), uint64(u.Free), uint64(u.Idle), bit(u.Planned >= 0)
	in[6], in[7], in[8] = uint64(planned), bit(m.req.Ready), bit(m.job.Ready)
	out[0], out[1], out[2], out[3], out[4] = bit(m.cfg.Ready), bit(m.req.Valid), req.w[0], bit(m.job.Valid), job.w[0]
	u.Clock()
	if m.loop != 0 && m.rng.IntN(5) == 0 {
		if t := m.rng.IntN(m.spec.Threads); m.loop.Has(t) {
			m.loop.Remove(t)
		}
	}
	enter := m.wait &^ m.loop
	m.wait, m.loop = m.wait&^enter, m.loop|enter
	if u.Planned >= 0 {
		m.jobs = append(m.jobs[:0], m.jobs[1:]...)
		m.wait.Add(u.Planned)
	}
	if m.job.Moves() {
		m.jobs = append(m.jobs, int(m.job.Data.Thread))
	}
	if m.cfg.Moves() {
		m.cfg.Valid = false
	}
}

// loopSpecs are the parameter sets of the scheduler, the line memory and the tree.
var loopSpecs = []hwenc.Spec{
	{Threads: 8, Lanes: 8, MaxTU: 16, MinTU: 4, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 16},
	{Threads: 3, Lanes: 1, MaxTU: 8, MinTU: 4, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 5},
	{Threads: 1, Lanes: 1, MaxTU: 16, MinTU: 4, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 2},
	{Threads: 24, Lanes: 24, MaxTU: 16, MinTU: 8, CTU: 16, Bypass: 4, Groups: 8, FrameCTUs: 256},
}

// loopParams are those of the units without transforms.
func loopParams(spec hwenc.Spec) testbench.Params {
	return testbench.Params{{Name: "Threads", Value: spec.Threads}, {Name: "FrameCTUs", Value: spec.FrameCTUs}}
}

func schedSets() (u testbench.Unit, sets []testbench.Set) {
	u = testbench.Unit{
		Top: "t265_enc_sched", Source: "rtl/t265/t265_enc_sched.v", Binding: "testbench/t265/bind/t265_enc_sched.cpp",
		In: []testbench.Port{{Name: "cfg_valid_i", Bits: 1}, {Name: "cfg_data_i"}, {Name: "room_i"}, {Name: "free_i"}, {Name: "idle_i"}, {Name: "plan_valid_i", Bits: 1},
			{Name: "plan_thread_i"}, {Name: "req_ready_i", Bits: 1}, {Name: "job_ready_i", Bits: 1}},
		Out: []testbench.Port{{Name: "cfg_ready_o", Bits: 1}, {Name: "req_valid_o", Bits: 1}, {Name: "req_data_o", Guard: "req_valid_o"},
			{Name: "job_valid_o", Bits: 1}, {Name: "job_data_o", Guard: "job_valid_o"}},
	}
	for _, spec := range loopSpecs {
		sets = append(sets, schedSet(spec))
	}
	return u, sets
}

// schedSet is the set of a spec.
func schedSet(spec hwenc.Spec) testbench.Set {
	tb, xb := spec.ThreadBits(), spec.XBits()
	return testbench.Set{
		Params: loopParams(spec),
		Width: map[string]int{"cfg_data_i": tb + 47, "room_i": spec.Threads, "free_i": spec.Threads, "idle_i": spec.Threads, "plan_thread_i": tb, "req_data_o": tb + 21,
			"job_data_o": tb + xb + 13},
		Model: func(stall testbench.Stall, seed uint64) testbench.Model { return newSchedModel(spec, stall, seed) },
	}
}

func TestEncSched(t *testing.T) {
	u, sets := schedSets()
	testbench.Cosim(t, u, sets, cosimCycles)
}
