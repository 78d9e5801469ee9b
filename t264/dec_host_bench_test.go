package t264

import "testing"

// hostFrames returns the slices of pictures of the hw tier at about 3 bits a
// value.
func hostFrames(b *testing.B, n, size int) (frames [][]SliceData) {
	streams, _ := gaussFrames(b, HW, n, size, 28)
	for _, s := range streams {
		slices, err := Slices(s)
		if err != nil {
			b.Fatal(err)
		}
		frames = append(frames, slices)
	}
	return frames
}

// BenchmarkDecoderHost times a cycle of a decoder of 16 lanes with its host, all
// lanes at work.
func BenchmarkDecoderHost(b *testing.B) {
	spec := DefaultDecUnitSpec()
	frames := hostFrames(b, spec.Lanes, 256)
	var h *DecoderHost
	b.ReportAllocs()
	values := uint64(0)
	for b.Loop() {
		if h == nil || h.drained {
			b.StopTimer()
			if h != nil {
				values += h.Activity.Values
			}
			var err error
			if h, err = NewDecoderHost(spec); err == nil {
				err = h.Begin(frames)
			}
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		h.Step()
	}
	b.ReportMetric(float64(values+h.Activity.Values)/float64(b.N), "values/cycle")
}
