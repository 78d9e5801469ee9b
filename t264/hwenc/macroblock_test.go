package hwenc

import (
	"math/rand/v2"
	"testing"
	"vcsim/t264/block"
)

// BenchmarkMacroblock times the arithmetic of a macroblock at 3 bits a value, and its
// stages.
func BenchmarkMacroblock(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var m macroblock
	m.qp, m.left, m.above = 23, true, true
	for i := range m.src {
		m.src[i] = block.Clip8(int32(128 + 28*rng.NormFloat64()))
	}
	for i := range 16 {
		m.aboveRef.samples[i], m.leftRef.samples[i] = m.src[i], m.src[100+i]
	}
	m.code()
	for _, stage := range []struct {
		name string
		f    func()
	}{
		{"all", m.code}, {"decide", m.decide},
		{"transform", func() {
			for i := range 16 {
				m.transform(i)
			}
		}},
		{"quantise", func() {
			for i := range 16 {
				m.quantise(i)
			}
		}},
		{"dc", m.quantiseDC},
		{"border", func() {
			for i := range 7 {
				m.residual(i)
			}
			for i := range 8 {
				m.finish(i)
			}
		}},
	} {
		b.Run(stage.name, func(b *testing.B) {
			for b.Loop() {
				stage.f()
			}
		})
	}
}
