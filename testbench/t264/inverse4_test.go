package t264

import (
	"math/rand/v2"
	"testing"

	"vcsim/testbench"
)

// inverseModel drives the inverse transform of four values of 16 bits, which
// wraps, by equations 8-338 to 8-345.
type inverseModel struct{ rng *rand.Rand }

func (m *inverseModel) Cycle(in, out []uint64) {
	in[0] = m.rng.Uint64()
	a, b, c, d := int16(in[0]), int16(in[0]>>16), int16(in[0]>>32), int16(in[0]>>48)
	e, f, g, h := a+c, a-c, b>>1-d, b+d>>1
	out[0] = 0
	for i, v := range []int16{e + h, f + g, f - g, e - h} {
		out[0] |= uint64(uint16(v)) << (16 * i)
	}
}

func inverseSets() (testbench.Unit, []testbench.Set) {
	return testbench.Unit{
			Top: "t264_inverse4", Source: "rtl/t264/t264_inverse4.v", Binding: "testbench/t264/bind/t264_inverse4.cpp",
			In: []testbench.Port{{Name: "in_i", Bits: 64}}, Out: []testbench.Port{{Name: "out_o", Bits: 64}},
		}, []testbench.Set{{Model: func(_ testbench.Stall, seed uint64) testbench.Model {
			return &inverseModel{rand.New(rand.NewPCG(seed, 1))}
		}}}
}

// TestInverse4 compares the module alone: no levels of an encoder take it to the
// ends of its range.
func TestInverse4(t *testing.T) {
	u, sets := inverseSets()
	testbench.Cosim(t, u, append(sets, sets[0], sets[0]), 1<<16)
}
