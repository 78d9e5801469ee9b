//go:build unix

package t265

import (
	"testing"
	"time"

	"vcsim/internal/cputime"
	"vcsim/t265"
	"vcsim/t265/hwenc"
	"vcsim/testbench"
)

// An encHostModel is an encoder with its host.
type encHostModel struct {
	host *hwenc.Host
	spec hwenc.Spec
}

func (m *encHostModel) Cycle(in, out []uint64) {
	m.host.Kernel.Settle()
	cfg, req, src, words := m.host.Ports()
	encPorts(m.spec, cfg, req, src, words, m.host.Unit.Overflow(), in, out)
	m.host.Step()
}

// threeBits returns the frame of 256x256 samples of a plane, which repeats, at the
// QP in 1/16 that gives about 3 bits a value.
func threeBits(p *plane) hwenc.Frame {
	const size = 256
	cut := frame{from: p}
	f := hwenc.Frame{Pix: make([]byte, size*size), Stride: size, Width: size, Height: size, Fine: true}
	for i := range f.Pix {
		f.Pix[i] = cut.sample(i%size, i/size)
	}
	for low, high := 0, 51*16; low <= high; {
		f.QP16 = (low + high) / 2
		slices, err := hwenc.CodePicture(t265.Params{Width: size, Height: size, CTU: 16, MaxTU: 16, FineQP: true}, f.Pix, size, f.QP16)
		if err != nil {
			panic(err)
		}
		if len(slices[0].Data)*8 > 3*size*size {
			low = f.QP16 + 1
		} else {
			high = f.QP16 - 1
		}
	}
	return f
}

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
	set := encSet(spec, func(testbench.Stall, uint64) testbench.Model { return &encHostModel{begin(), spec} })
	verilated, err := encUnit.Time(set, testbench.Stall{}, 1, n, 1)
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
		b.ReportMetric(8*float64(a.Bytes)/float64(a.Values), "bits/value")
	}
}
