//go:build unix

package hwdec

import (
	"testing"

	"vcsim/internal/cputime"
	"vcsim/t264"
)

// hostFrames returns the slices of pictures of the hw tier at about 3 bits a
// value.
func hostFrames(b *testing.B, n, size int) (frames [][]Slice) {
	streams, _ := gaussFrames(b, t264.HW, n, size, 28)
	for _, s := range streams {
		slices, err := Slices(s)
		if err != nil {
			b.Fatal(err)
		}
		frames = append(frames, slices)
	}
	return frames
}

// BenchmarkHost times a cycle of a decoder of 16 lanes with its host, all
// lanes at work.
func BenchmarkHost(b *testing.B) {
	spec := DefaultSpec()
	frames := hostFrames(b, spec.Lanes, 256)
	var h *Host
	b.ReportAllocs()
	values, start := uint64(0), cputime.Used(b)
	for b.Loop() {
		if h == nil || h.drained {
			b.StopTimer()
			before := cputime.Used(b)
			if h != nil {
				values += h.Activity.Values
			}
			var err error
			if h, err = NewHost(spec); err == nil {
				err = h.Begin(frames)
			}
			if err != nil {
				b.Fatal(err)
			}
			start += cputime.Used(b) - before
			b.StartTimer()
		}
		h.Step()
	}
	b.ReportMetric(float64(cputime.Used(b)-start)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(values+h.Activity.Values)/float64(b.N), "values/cycle")
}

// BenchmarkDecodeHostFrames times the software decoder on the pictures of
// BenchmarkHost.
func BenchmarkDecodeHostFrames(b *testing.B) {
	streams, _ := gaussFrames(b, t264.HW, 2, 256, 28)
	start := cputime.Used(b)
	n := 0
	for b.Loop() {
		d, err := t264.NewDecoder(streams[n&1])
		if err == nil {
			_, err = d.Next()
		}
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(cputime.Used(b)-start)/float64(n)/(256*256), "cpu-ns/value")
}
