package common

import (
	"math/rand/v2"
	"testing"

	"vcsim/sim"
	"vcsim/testbench"
)

// ramStimulus writes every word first, then accesses at random; a pattern that
// pauses leaves cycles without an access.
type ramStimulus struct {
	rng    *rand.Rand
	r, w   *testbench.Gate
	filled int
	depth  int
	mask   uint64
}

func newRAMStimulus(width, depth int, stall testbench.Stall, seed uint64) *ramStimulus {
	return &ramStimulus{
		rng: rand.New(rand.NewPCG(seed, 2)), r: testbench.NewGate(2*seed, stall.Back), w: testbench.NewGate(2*seed+1, stall.Idle),
		depth: depth, mask: 1<<width - 1,
	}
}

func (s *ramStimulus) next() (write, read bool, waddr, raddr int, data uint64) {
	data = s.rng.Uint64() & s.mask
	if s.filled < s.depth {
		s.filled++
		return true, false, s.filled - 1, s.filled - 1, data
	}
	return s.w.Open(), s.r.Open(), s.rng.IntN(s.depth), s.rng.IntN(s.depth), data
}

type modelFunc func(in, out []uint64)

func (f modelFunc) Cycle(in, out []uint64) { f(in, out) }

// ramSets makes the sets of a memory whose addresses are the named ports.
func ramSets(addresses []string, model func(s *ramStimulus) modelFunc) []testbench.Set {
	var sets []testbench.Set
	for _, p := range []struct{ width, depth, bits int }{{8, 4, 2}, {7, 100, 7}, {33, 64, 6}, {1, 1, 1}} {
		width := map[string]int{"wdata_i": p.width, "rdata_o": p.width, "rdata0_o": p.width, "rdata1_o": p.width}
		for _, a := range addresses {
			width[a] = p.bits
		}
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Width", Value: p.width}, {Name: "Depth", Value: p.depth}},
			Width:  width,
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				return model(newRAMStimulus(p.width, p.depth, stall, seed))
			},
		})
	}
	return sets
}

func ramUnit(top string, in ...testbench.Port) testbench.Unit {
	return testbench.Unit{
		Top: top, Source: "rtl/common/" + top + ".v", Binding: "testbench/common/bind/" + top + ".cpp",
		In: in, Out: []testbench.Port{{Name: "rdata_o"}}, FromZero: true,
	}
}

func ramFFSets() (testbench.Unit, []testbench.Set) {
	u := ramUnit("vc_ram_ff", testbench.Port{Name: "we_i", Bits: 1}, testbench.Port{Name: "waddr_i"}, testbench.Port{Name: "wdata_i"}, testbench.Port{Name: "raddr_i"})
	return u, ramSets([]string{"waddr_i", "raddr_i"}, func(s *ramStimulus) modelFunc {
		ram := sim.NewRAMFF[uint64](s.depth)
		return func(in, out []uint64) {
			write, _, waddr, raddr, data := s.next()
			in[0], in[1], in[2], in[3] = bit(write), uint64(waddr), data, uint64(raddr)
			if write {
				ram.Write(waddr, data)
			}
			out[0] = ram.Read(raddr)
			ram.Clock()
		}
	})
}

// ramLatchSets has memories with one read port and with two, whose addresses and words are side by side.
func ramLatchSets() (testbench.Unit, []testbench.Set) {
	u := ramUnit("vc_ram_latch", testbench.Port{Name: "we_i", Bits: 1}, testbench.Port{Name: "waddr_i"}, testbench.Port{Name: "wdata_i"}, testbench.Port{Name: "raddr_i"})
	var sets []testbench.Set
	for _, p := range []struct{ width, depth, bits, reads int }{{8, 4, 2, 1}, {7, 97, 7, 1}, {33, 64, 6, 1}, {1, 1, 1, 1}, {7, 8, 3, 2}, {7, 53, 6, 2}, {32, 5, 3, 2}} {
		sets = append(sets, testbench.Set{
			Params: []testbench.Param{{Name: "Width", Value: p.width}, {Name: "Depth", Value: p.depth}, {Name: "Reads", Value: p.reads}},
			Width:  map[string]int{"waddr_i": p.bits, "wdata_i": p.width, "raddr_i": p.reads * p.bits, "rdata_o": p.reads * p.width},
			Model: func(stall testbench.Stall, seed uint64) testbench.Model {
				s := newRAMStimulus(p.width, p.depth, stall, seed)
				ram := sim.NewRAMFF[uint64](s.depth)
				return modelFunc(func(in, out []uint64) {
					write, _, waddr, raddr, data := s.next()
					in[0], in[1], in[2], in[3] = bit(write), uint64(waddr), data, uint64(raddr)
					if write {
						ram.Write(waddr, data)
					}
					out[0] = ram.Read(raddr)
					if p.reads == 2 {
						other := waddr
						if s.filled == s.depth && s.rng.IntN(2) == 0 {
							raddr, other = other, raddr
						}
						in[3] = uint64(other)<<p.bits | uint64(raddr)
						out[0] = ram.Read(other)<<p.width | ram.Read(raddr)
					}
					ram.Clock()
				})
			},
		})
	}
	return u, sets
}

func ram1RWSets() (testbench.Unit, []testbench.Set) {
	u := ramUnit("vc_ram_1rw", testbench.Port{Name: "en_i", Bits: 1}, testbench.Port{Name: "we_i", Bits: 1}, testbench.Port{Name: "addr_i"}, testbench.Port{Name: "wdata_i"})
	return u, ramSets([]string{"addr_i"}, func(s *ramStimulus) modelFunc {
		ram := sim.NewRAM1RW[uint64](s.depth)
		return func(in, out []uint64) {
			write, read, addr, _, data := s.next()
			if read && s.rng.IntN(2) == 0 {
				write = false
			}
			in[0], in[1], in[2], in[3] = bit(write || read), bit(write || !read && s.rng.IntN(2) == 0), uint64(addr), data
			if read {
				ram.Read(addr)
			}
			if write {
				ram.Write(addr, data)
			}
			out[0] = ram.Q()
			ram.Clock()
		}
	})
}

func ram1R1WSets() (testbench.Unit, []testbench.Set) {
	u := ramUnit("vc_ram_1r1w", testbench.Port{Name: "we_i", Bits: 1}, testbench.Port{Name: "waddr_i"}, testbench.Port{Name: "wdata_i"},
		testbench.Port{Name: "re_i", Bits: 1}, testbench.Port{Name: "raddr_i"})
	return u, ramSets([]string{"waddr_i", "raddr_i"}, func(s *ramStimulus) modelFunc {
		ram := sim.NewRAM1R1W[uint64](s.depth)
		return func(in, out []uint64) {
			write, read, waddr, raddr, data := s.next()
			if s.rng.IntN(4) == 0 {
				raddr = waddr
			}
			in[0], in[1], in[2], in[3], in[4] = bit(write), uint64(waddr), data, bit(read), uint64(raddr)
			if write {
				ram.Write(waddr, data)
			}
			if read {
				ram.Read(raddr)
			}
			out[0] = ram.Q()
			ram.Clock()
		}
	})
}

func TestRAMFF(t *testing.T)    { cosim(t, ramFFSets) }
func TestRAMLatch(t *testing.T) { cosim(t, ramLatchSets) }
func TestRAM1RW(t *testing.T)   { cosim(t, ram1RWSets) }
func TestRAM1R1W(t *testing.T)  { cosim(t, ram1R1WSets) }
