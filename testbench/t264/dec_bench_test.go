package t264

import (
	"testing"

	"vcsim/t264"
	"vcsim/testbench"
)

// benchmark times a Go unit with its stimulus, and the Verilated one on that
// stimulus, recorded.
func benchmark(b *testing.B, u testbench.Unit, set testbench.Set) {
	testbench.NeedTools(b, "verilator", "g++", "ar")
	verilated, err := u.Time(set, testbench.Stall{}, 1, 1<<15, 3)
	if err != nil {
		b.Fatal(err)
	}
	m := set.Model(testbench.Stall{}, 1)
	in, out := make([]uint64, len(u.In)), make([]uint64, len(u.Out))
	b.ReportAllocs()
	for b.Loop() {
		m.Cycle(in, out)
	}
	b.ReportMetric(verilated, "verilated-ns/op")
	b.ReportMetric(verilated*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "times")
}

func BenchmarkPixels(b *testing.B) {
	u, sets := pixelSets()
	benchmark(b, u, sets[1])
}

func BenchmarkDec(b *testing.B) {
	u, _ := decSets(b)
	benchmark(b, u, decSet(b, t264.DefaultDecUnitSpec()))
}
