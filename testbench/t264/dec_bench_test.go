//go:build unix

package t264

import (
	"testing"
	"time"

	"vcsim/internal/cputime"
	"vcsim/t264"
	"vcsim/t264/hw"
	"vcsim/t264/hwdec"
	"vcsim/testbench"
)

func BenchmarkPixels(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	u, sets := pixelSets()
	verilated, err := u.Time(sets[1], testbench.Stall{}, 1, 1<<15, 3)
	if err != nil {
		b.Fatal(err)
	}
	m := sets[1].Model(testbench.Stall{}, 1)
	in, out := make([]uint64, len(u.In)), make([]uint64, len(u.Out))
	b.ReportAllocs()
	for b.Loop() {
		m.Cycle(in, out)
	}
	b.ReportMetric(verilated, "verilated-ns/op")
	b.ReportMetric(verilated*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "times")
}

// BenchmarkDec times the clocked decoder with its host against the Verilated one
// (-O3, no trace, no coverage, one thread) on the same stimulus, both by the time
// of the processor: frames of 256x256 at 3 bits a value, all lanes with a slice.
func BenchmarkDec(b *testing.B) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	spec := hwdec.DefaultSpec()
	from := pictures()
	var frames [][]hwdec.Slice
	for i := range 2 * spec.Lanes {
		p := &from[i%len(from)]
		f := frame{from: p, cfg: hw.FrameConfig{Width: 16, Height: 16}}
		e, err := t264.NewEncoder(t264.Params{Width: 256, Height: 256})
		if err != nil {
			b.Fatal(err)
		}
		stream, err := e.AppendFrameFine(e.AppendHeader(nil), f.samples(), 256, threeBits(p))
		if err != nil {
			b.Fatal(err)
		}
		slices, err := hwdec.Slices(stream)
		if err != nil {
			b.Fatal(err)
		}
		frames = append(frames, slices)
	}
	begin := func() *hwdec.Host {
		host, err := hwdec.NewHost(spec)
		if err == nil {
			err = host.Begin(frames)
		}
		if err != nil {
			b.Fatal(err)
		}
		return host
	}
	const n = 1 << 17
	u, _ := decSets(b)
	set := decSet(b, spec)
	set.Model = func(testbench.Stall, uint64) testbench.Model { return &decHostModel{host: begin()} }
	verilated, err := u.Time(set, testbench.Stall{}, 1, n, 1)
	if err != nil {
		b.Fatal(err)
	}
	host := begin()
	b.ReportAllocs()
	b.ResetTimer()
	start, skipped, values := cputime.Used(b), time.Duration(0), uint64(0)
	for b.Loop() {
		if host.Activity.Cycles == n {
			b.StopTimer()
			before := cputime.Used(b)
			values += host.Activity.Values
			host = begin()
			skipped += cputime.Used(b) - before
			b.StartTimer()
		}
		host.Step()
	}
	cpu := float64(cputime.Used(b)-start-skipped) / float64(b.N)
	if _, drained := host.Drained(); drained {
		b.Error("a lane had no frame")
	}
	b.ReportMetric(cpu, "cpu-ns/op")
	b.ReportMetric(verilated, "verilated-cpu-ns/op")
	b.ReportMetric(verilated/cpu, "times")
	b.ReportMetric(float64(values+host.Activity.Values)/float64(b.N), "values/cycle")
}
