//go:build unix

package common

import (
	"testing"

	"vcsim/internal/cabac"
	"vcsim/internal/cabachw"
	"vcsim/internal/cputime"
	"vcsim/testbench"
)

// BenchmarkCABACEncoder times the Go unit with its stimulus recorded, against
// the Verilated one on that stimulus, both by the time of the processor, which
// other programs do not change.
func BenchmarkCABACEncoder(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	u, sets := laneSets()
	const n = 1 << 16
	verilated, err := u.Time(sets[0], testbench.Stall{}, 1, n, 10)
	if err != nil {
		b.Fatal(err)
	}
	m := newLaneModel(cabachw.DefaultEncoderSpec(), testbench.Stall{}, 1)
	ops := make([]cabac.Op, n)
	for i := range ops {
		ops[i] = m.next()
	}
	m.out.Ready, m.in.Valid = true, true
	i := 0
	b.ReportAllocs()
	b.ResetTimer()
	start := cputime.Used(b)
	for b.Loop() {
		m.in.Data = ops[i]
		m.unit.Eval()
		m.unit.Clock()
		if m.in.Ready {
			if i++; i == n {
				i = 0
			}
		}
	}
	cpu := float64(cputime.Used(b)-start) / float64(b.N)
	b.ReportMetric(cpu, "cpu-ns/op")
	b.ReportMetric(verilated, "verilated-cpu-ns/op")
	b.ReportMetric(verilated/cpu, "times")
}
