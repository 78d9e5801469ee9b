//go:build unix

package hwenc

import (
	"testing"

	"vcsim/internal/cputime"
)

// BenchmarkPixels times a cycle of the pixel path without the entropy coding, by the time
// of the processor.
func BenchmarkPixels(b *testing.B) {
	for _, name := range []string{"ahead", "stepped"} {
		b.Run(name, func(b *testing.B) {
			h := newBusyPixels(b, DefaultSpec())
			if name == "ahead" {
				h.unit.SetAhead()
			}
			b.ReportAllocs()
			b.ResetTimer()
			start := cputime.Used(b)
			for b.Loop() {
				h.cycle()
			}
			b.ReportMetric(float64(cputime.Used(b)-start)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(Values*h.beats)/float64(b.N), "values/cycle")
		})
	}
}
