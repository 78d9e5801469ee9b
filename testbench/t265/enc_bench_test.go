//go:build unix

package t265

import (
	"testing"
	"time"

	"vcsim/internal/cputime"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// BenchmarkEnc times the clocked encoder with its host against the Verilated one
// (-O3, no trace, no coverage, one thread) on the same stimulus, both by the time
// of the processor: frames of 256x256 at 3 bits a value.
func BenchmarkEnc(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	spec := hwenc.DefaultSpec()
	spec.FrameCTUs = 16
	var frames []hwenc.Frame
	for i := range planes() {
		frames = append(frames, threeBits(&planes()[i]))
	}
	for i := 0; len(frames) < 2*spec.Threads; i++ {
		frames = append(frames, frames[i])
	}
	begin := func() *hwenc.Host {
		host, err := hwenc.NewHost(spec)
		if err == nil {
			err = host.Begin(frames)
		}
		if err != nil {
			b.Fatal(err)
		}
		return host
	}
	const n = 1 << 17
	set := encSet(spec, func(testbench.Stall, uint64) testbench.Model { return &encHostModel{host: begin(), spec: spec} })
	verilated, err := encUnit.Time(set, testbench.Stall{}, 1, n, 1)
	if err != nil {
		b.Fatal(err)
	}
	host := begin()
	var cycles, values, bytes float64 // of all hosts
	count := func() {
		a := &host.Activity
		cycles, values, bytes = cycles+float64(a.Cycles), values+float64(a.Values), bytes+float64(a.Bytes)
	}
	b.ReportAllocs()
	b.ResetTimer()
	start, skipped := cputime.Used(b), time.Duration(0)
	for b.Loop() {
		if host.Activity.Cycles == n {
			count()
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
	count()
	b.ReportMetric(values/cycles, "values/cycle")
	b.ReportMetric(8*bytes/values, "bits/value")
}
