package hwenc

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"vcsim/internal/codectest"
	"vcsim/internal/peertest"
	"vcsim/t264"
	"vcsim/t264/block"
)

// TestUnit: streams of the hardware encoder equal those of Encoder, and
// ffmpeg decodes them to its reconstruction.
func TestUnit(t *testing.T) {
	planes := testPlanes(t)
	rng := rand.New(rand.NewPCG(5, 6))
	for i, spec := range []Spec{DefaultSpec(), {Threads: 6, Lanes: 2, Values: 4, Bypass: 4, FrameMBs: 8}, {Threads: 1, Lanes: 1, Values: 8, Bypass: 2, FrameMBs: 8}} {
		w, h := 16+rng.IntN(100), 16+rng.IntN(60)
		if i == 0 {
			w, h = 128, 64
		}
		e, err := t264.NewEncoder(t264.Params{Width: w, Height: h})
		if err != nil {
			t.Fatal(err)
		}
		host, err := NewHost(spec)
		if err != nil {
			t.Fatal(err)
		}
		var frames []Frame
		want := e.AppendHeader(nil)
		got := bytes.Clone(want)
		var recon []byte
		for k := range 2*spec.Threads + 1 {
			p := &planes[k%len(planes)]
			f := Frame{Pix: p.Cut(rng.IntN(p.Width), rng.IntN(p.Height), w, h), Stride: w, Width: w, Height: h, QP16: rng.IntN(16*51 + 1)}
			frames = append(frames, f)
			if want, err = e.AppendFrameFine(want, f.Pix, w, f.QP16); err != nil {
				t.Fatal(err)
			}
			recon = append(recon, e.Recon()...)
		}
		data, err := host.Encode(frames)
		if err != nil {
			t.Fatal(err)
		}
		for k, d := range data {
			got = t264.AppendSliceNAL(got, d, frames[k].QP16>>4, k)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%+v: a stream of %d bytes, want %d", spec, len(got), len(want))
		}
		peertest.Check(t, "hardware encoder", peertest.H264, w, got, recon)
	}
}

// TestHostErrors: frames that do not fit are refused.
func TestHostErrors(t *testing.T) {
	h, err := NewHost(Spec{Threads: 1, Lanes: 1, Values: 4, Bypass: 1, FrameMBs: 2})
	if err != nil {
		t.Fatal(err)
	}
	pix := make([]byte, 64*64)
	for i, f := range []Frame{
		{pix, 64, 33, 16, 0}, {pix, 64, 0, 16, 0}, {pix, 64, 16, 0, 0}, {pix, 64, 32, 16, 817}, {pix, 64, 32, 16, -1}, {pix, 16, 32, 16, 0}, {pix, 64, 32, 65, 0},
	} {
		if _, err := h.Encode([]Frame{f}); err == nil {
			t.Errorf("frame %d was taken", i)
		}
	}
	if _, err := NewHost(Spec{}); err == nil {
		t.Error("the zero Spec was taken")
	}
}

// TestUnitDoesNotAllocate: nor does a cycle in steady state.
func TestUnitDoesNotAllocate(t *testing.T) {
	h := busyHost(t, 8, 16*20)
	if n := testing.AllocsPerRun(20000, h.Step); n > 0.001 {
		t.Errorf("%v allocations a cycle", n)
	}
}

// busyHost returns a host in the middle of frames of noise.
func busyHost(t testing.TB, lanes, qp16 int) *Host {
	h, err := NewHost(Spec{Threads: lanes, Lanes: lanes, Values: 8, Bypass: 4, FrameMBs: 64})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	pix := make([]byte, 1024*1024)
	for i := range pix {
		pix[i] = block.Clip8(int32(128 + 28*rng.NormFloat64()))
	}
	var frames []Frame
	for range lanes {
		frames = append(frames, Frame{Pix: pix, Stride: 1024, Width: 1024, Height: 1024, QP16: qp16})
	}
	if err := h.Begin(frames); err != nil {
		t.Fatal(err)
	}
	for range 200000 {
		h.Step()
	}
	return h
}

// BenchmarkUnit times a cycle of an encoder of 24 lanes at 3 bits a value.
func BenchmarkUnit(b *testing.B) {
	h := busyHost(b, 24, 16*23)
	b.ReportAllocs()
	before := h.Activity
	n := 0
	for b.Loop() {
		if n++; n == 3000000 {
			b.StopTimer()
			h = busyHost(b, 24, 16*23)
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

// TestBinarise: what each operation says is what residualEncoder codes: the
// bytes agree in TestUnit; here, the number of operations of levels.
func TestBinarise(t *testing.T) {
	for _, tt := range []struct {
		level  int16
		bypass uint8
		ops    int
	}{
		{1, 4, 1}, {-1, 4, 1}, {2, 4, 2}, {14, 4, 14}, {-14, 4, 14}, // the sign goes with the last bin
		{15, 4, 15}, {16, 4, 15}, {-17, 4, 15}, {18, 4, 16}, {15, 1, 16}, {29, 4, 16}, {30, 4, 18}, {6529, 4, 22}, {6529, 7, 18},
	} {
		ops, _, _ := appendLevelOps(nil, &[16]int16{5: tt.level}, 1<<5, 15, 0, 0, tt.bypass)
		if len(ops) != tt.ops {
			t.Errorf("level %d, %d bypass bins a cycle: %d operations, want %d: %+v", tt.level, tt.bypass, len(ops), tt.ops, ops)
		}
	}
}

// TestAppendSlice: slice data is what follows the headers.
func TestAppendSlice(t *testing.T) {
	pix := codectest.Plane("noise", 48, 32, 1)
	for _, qp := range []int{0, 20, 51} {
		data, err := AppendSlice(nil, t264.Params{Width: 48, Height: 32}, pix, 48, 16*qp, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, _ := t264.NewEncoder(t264.Params{Width: 48, Height: 32})
		want, err := e.AppendFrame(nil, pix, 48, qp)
		if err != nil {
			t.Fatal(err)
		}
		if got := t264.AppendSliceNAL(nil, data, qp, 0); !bytes.Equal(got, want) {
			t.Errorf("QP %d: %d bytes, want %d", qp, len(got), len(want))
		}
	}
	for _, p := range []t264.Params{{Slices: 2}, {Tier: t264.RDO}, {Lossless: true}, {Off: t264.ToolI16}} {
		p.Width, p.Height = 48, 32
		if _, err := AppendSlice(nil, p, pix, 48, 0, nil); err == nil {
			t.Errorf("%+v was taken", p)
		}
	}
}
