package hwenc

import (
	"math/rand/v2"
	"testing"
)

// TestUnitDoesNotAllocate: nor does a cycle in steady state.
func TestUnitDoesNotAllocate(t *testing.T) {
	h := busyHost(t, 8, 16*20)
	if n := testing.AllocsPerRun(20000, h.Step); n > 0.001 {
		t.Errorf("%v allocations a cycle", n)
	}
}

// busyHost returns a host in the middle of frames of noise.
func busyHost(t testing.TB, lanes, qp16 int) *Host {
	spec := DefaultSpec()
	spec.Threads, spec.Lanes = lanes, lanes
	h, err := NewHost(spec)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	pix := make([]byte, 1024*1024)
	for i := range pix {
		pix[i] = clip8(int(128 + 28*rng.NormFloat64()))
	}
	var frames []Frame
	for range lanes {
		frames = append(frames, Frame{Pix: pix, Stride: 1024, Width: 1024, Height: 1024, QP16: qp16})
	}
	if err := h.Begin(frames); err != nil {
		t.Fatal(err)
	}
	for range 100000 {
		h.Step()
	}
	return h
}

// BenchmarkUnit times a cycle of an encoder of 18 lanes at 3 bits a value.
func BenchmarkUnit(b *testing.B) {
	h := busyHost(b, 18, 16*27)
	b.ReportAllocs()
	before := h.Activity
	n := 0
	for b.Loop() {
		if n++; n == 2000000 {
			b.StopTimer()
			h = busyHost(b, 18, 16*27)
			n = 0
			b.StartTimer()
		}
		h.Step()
	}
	a := &h.Activity
	if values := float64(a.Values - before.Values); n > 0 && a.Cycles > before.Cycles {
		b.ReportMetric(values/float64(a.Cycles-before.Cycles), "values/cycle")
		b.ReportMetric(8*float64(a.Bytes-before.Bytes)/values, "bits/value")
	}
}
