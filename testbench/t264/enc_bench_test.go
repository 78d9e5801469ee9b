//go:build unix

package t264

import (
	"testing"
	"time"

	"vcsim/internal/cputime"
	"vcsim/t264/hw"
	"vcsim/t264/hwenc"
	"vcsim/testbench"
)

// BenchmarkEnc times the clocked encoder with its host against the Verilated one
// (-O3, no trace, no coverage, one thread) on the same stimulus, both by the time
// of the processor: frames of 256x256 at 3 bits a value.
func BenchmarkEnc(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	spec := hwenc.Spec{Threads: 24, Lanes: 24, Values: 8, Bypass: 4, FrameMBs: 16}
	from := pictures()
	begin := func() *hwenc.Host {
		host, err := hwenc.NewHost(spec)
		if err != nil {
			b.Fatal(err)
		}
		var frames []hwenc.Frame
		for i := range 2 * spec.Threads {
			p := &from[i%len(from)]
			f := frame{from: p, cfg: hw.FrameConfig{Width: 16, Height: 16}}
			frames = append(frames, hwenc.Frame{Pix: f.samples(), Stride: 256, Width: 256, Height: 256, QP16: threeBits(p)})
		}
		if err := host.Begin(frames); err != nil {
			b.Fatal(err)
		}
		return host
	}
	const n = 1 << 17
	u, _ := encSets()
	set := encSet(spec, func(testbench.Stall, uint64) testbench.Model { return &encHostModel{host: begin(), spec: spec} })
	verilated, err := u.Time(set, testbench.Stall{}, 1, n, 1)
	if err != nil {
		b.Fatal(err)
	}
	host := begin()
	b.ReportAllocs()
	b.ResetTimer()
	start, skipped := cputime.Used(b), time.Duration(0)
	for b.Loop() {
		if host.Activity.Cycles == n {
			before := cputime.Used(b)
			host = begin()
			skipped += cputime.Used(b) - before
		}
		host.Step()
	}
	cpu := float64(cputime.Used(b)-start-skipped) / float64(b.N)
	b.ReportMetric(cpu, "cpu-ns/op")
	b.ReportMetric(verilated, "verilated-cpu-ns/op")
	b.ReportMetric(verilated/cpu, "times")
	if a := &host.Activity; a.Cycles > 0 {
		b.ReportMetric(float64(a.Values)/float64(a.Cycles), "values/cycle")
	}
}
