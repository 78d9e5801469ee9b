package hwenc

import (
	"testing"

	"vcsim/sim"
	"vcsim/t265/hw"
)

// A busyPixels is a pixel path that never waits for its host: one frame a thread, of the
// test planes, again and again.
type busyPixels struct {
	portPixels
	frames []Frame
	want   sim.Set // threads that want a frame
	last   int
	asked  ring[hw.CTURequest]
	at     int // beats of the first request that were sent
	beats  int
}

func newBusyPixels(t testing.TB, spec Spec) *busyPixels {
	planes := testPlanes(t)
	b := &busyPixels{portPixels: *newPortPixels(spec), want: sim.FirstOf(spec.Threads), asked: ring[hw.CTURequest]{at: make([]hw.CTURequest, spec.Threads)}}
	b.unit = NewPixelsUnit(spec, &b.cfg, &b.req, &b.src, &b.heads, &b.levels)
	b.unit.Room, b.req.Ready = b.want, true
	for i := range spec.Threads {
		p := &planes[i%len(planes)]
		b.frames = append(b.frames, Frame{Pix: p.Cut(i*64, 0, 256, 256), Stride: 256, Width: 256, Height: 256})
	}
	return b
}

func (b *busyPixels) cycle() {
	if !b.cfg.Valid && b.want != 0 {
		b.last = b.want.NextAfter(b.last)
		b.want.Remove(b.last)
		b.cfg.Valid, b.cfg.Data = true, hw.FrameConfig{Thread: uint8(b.last), Width: 16, Height: 16, QP: 25}
	}
	if !b.src.Valid && b.asked.n > 0 {
		r := b.asked.first()
		b.src.Valid, b.src.Data = true, b.frames[r.Thread].row8(int(r.X)*16+b.at>>3&1*8, int(r.Y)*16+b.at>>4*8+b.at&7)
	}
	b.unit.Eval()
	b.unit.Clock()
	if b.cfg.Moves() {
		b.cfg.Valid = false
	}
	if b.req.Moves() {
		b.asked.push(b.req.Data)
		if b.req.Data.Last {
			b.want.Add(int(b.req.Data.Thread))
		}
	}
	if b.src.Moves() {
		b.src.Valid = false
		b.beats++
		if b.at++; b.at == sourceBeats {
			b.at = 0
			b.asked.pop()
		}
	}
}

// BenchmarkPixels times a cycle of the pixel path without the entropy coding.
func BenchmarkPixels(b *testing.B) {
	for _, name := range []string{"ahead", "stepped"} {
		b.Run(name, func(b *testing.B) {
			h := newBusyPixels(b, DefaultSpec())
			if name == "ahead" {
				h.unit.SetAhead()
			}
			b.ReportAllocs()
			for b.Loop() {
				h.cycle()
			}
			b.ReportMetric(float64(Values*h.beats)/float64(b.N), "values/cycle")
		})
	}
}
