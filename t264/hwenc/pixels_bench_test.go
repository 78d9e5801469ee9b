package hwenc

import (
	"testing"

	"vcsim/sim"
	"vcsim/t264/hw"
)

// A tokenSink takes all tokens of a pixel path in the cycle in which they come.
type tokenSink struct {
	ac   sim.Stream[hw.ACToken]
	mb   sim.Stream[hw.MBToken]
	unit *PixelsUnit
}

func (s *tokenSink) Eval() {
	s.ac.Ready, s.mb.Ready = true, true
	s.unit.Eval()
}

func (s *tokenSink) Clock() { s.unit.Clock() }

// BenchmarkPixels times a cycle of the pixel path and its host, without the
// entropy coding.
func BenchmarkPixels(b *testing.B) {
	h := busyHost(b, 24, 16*23)
	s := new(tokenSink)
	s.unit = NewPixelsUnit(h.spec, &h.config, &h.req, &h.src, &s.ac, &s.mb)
	s.unit.SetAhead()
	s.unit.Room = 1<<h.spec.Threads - 1
	h.Kernel = sim.Kernel{}
	h.Kernel.Add(s, (*hostUnit)(h))
	h.Kernel.Watch((*hostUnit)(h))
	frames := h.frames
	begin := func() {
		h.free.n = 0
		for t := range h.threads {
			h.threads[t].coding.n = 0
			h.free.push(uint8(t))
		}
		if err := h.Begin(frames); err != nil {
			b.Fatal(err)
		}
	}
	h.config.Valid, h.src.Valid, h.req.Valid, h.out.Valid, h.asked.n, h.at = false, false, false, false, 0, 0
	begin()
	b.ReportAllocs()
	before := h.Activity
	for b.Loop() {
		if h.free.n == h.spec.Threads {
			begin()
		}
		h.Step()
	}
	a := &h.Activity
	b.ReportMetric(float64(a.Values-before.Values)/float64(a.Cycles-before.Cycles), "values/cycle")
}
