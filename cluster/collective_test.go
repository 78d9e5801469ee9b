package cluster

import (
	"math"
	"testing"
)

// netSystem has links without latency or loss.
func netSystem(t *testing.T, n Network, c Codec) *System {
	t.Helper()
	j := testJob()
	j.Net, j.Codec = n, c
	j.Eff.IntraFraction, j.Eff.IntraUS, j.Eff.InterFraction, j.Eff.InterUS, j.Eff.HalfKB = 1, 0, 1, 0, 0
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRingFlat(t *testing.T) {
	const v, rate = 1e9, 12.5e9
	s := netSystem(t, FlatNetwork(rate), Codec{})
	for _, n := range []int{2, 3, 8, 64} {
		f := float64(n)
		got, tr := s.ring(v, group{n, 1}, 2, &s.channels[Grad])
		if want := 2 * (f - 1) / f * v / rate; !near(got, want, 1e-12) {
			t.Errorf("%d ranks: all-reduce takes %v s, want 2(n-1)/n V/B = %v", n, got, want)
		}
		if want := 2 * (f - 1) / f * v; !near(tr.payload, want, 1e-12) || tr.wire != tr.payload || tr.coded != 0 {
			t.Errorf("%d ranks: traffic %+v, want %v bytes uncompressed", n, tr, want)
		}
	}
	if got, tr := s.ring(v, group{1, 1}, 2, &s.channels[Grad]); got != 0 || tr != (traffic{}) {
		t.Errorf("one rank: %v s, %+v; want nothing", got, tr)
	}
}

func TestRingTiers(t *testing.T) {
	const v, intra, inter = 1e9, 600e9, 25e9
	s := netSystem(t, NodeNetwork(8, intra, inter), Codec{})
	// 4 nodes of 8: every hop carries 31/32 V; between nodes 8 links share it.
	got, tr := s.ring(v, group{32, 1}, 2, &s.channels[Grad])
	want := 2 * 31.0 / 32 * v / math.Min(intra, 8*inter)
	if !near(got, want, 1e-12) {
		t.Errorf("32 ranks: %v s, want %v", got, want)
	}
	if want := 2 * 31.0 / 32 * v / 8; !near(tr.payload, want, 1e-12) {
		t.Errorf("32 ranks: %v bytes a GPU between nodes, want %v", tr.payload, want)
	}
	// A group of stride 8 has one member a node: one link each.
	got, _ = s.ring(v, group{4, 8}, 2, &s.channels[Grad])
	if want := 2 * 3.0 / 4 * v / inter; !near(got, want, 1e-12) {
		t.Errorf("stride 8: %v s, want %v", got, want)
	}
	// Two nodes: a tree sends v each way, less than the ring.
	got, tr = s.allReduce(v, group{16, 1}, &s.channels[Grad])
	if want := v / (8 * inter); !near(got, want, 1e-9) || !near(tr.payload, v/8, 1e-12) {
		t.Errorf("two nodes: %v s and %v bytes a GPU, want %v and %v", got, tr.payload, want, v/8)
	}
	s.Eff.RingOnly = true
	got, _ = s.allReduce(v, group{16, 1}, &s.channels[Grad])
	if want := 2 * 15.0 / 16 * v / (8 * inter); !near(got, want, 1e-9) {
		t.Errorf("two nodes, ring only: %v s, want %v", got, want)
	}
	s.Eff.RingOnly = false
	// Inside a node nothing reaches the fabric.
	if _, tr := s.ring(v, group{8, 1}, 2, &s.channels[Grad]); tr != (traffic{}) {
		t.Errorf("inside a node: traffic %+v, want none", tr)
	}
}

func TestLatency(t *testing.T) {
	j := testJob()
	j.Eff.InterUS, j.Eff.HalfKB = 10, 0
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	small, _ := s.ring(1, group{64, 1}, 2, &s.channels[Grad])
	if want := 2 * 63 * 10e-6; !near(small, want, 1e-3) {
		t.Errorf("ring of 64 with an empty message: %v s, want 126 hops of 10 us", small)
	}
	tree, _ := s.allReduce(1, group{64, 1}, &s.channels[Grad])
	if want := 2 * 6 * 10e-6; !near(tree, want, 1e-3) {
		t.Errorf("all-reduce of an empty message: %v s, want a tree of 2 x 6 hops", tree)
	}
	ring, _ := s.ring(1e9, group{64, 1}, 2, &s.channels[Grad])
	if all, _ := s.allReduce(1e9, group{64, 1}, &s.channels[Grad]); all > ring {
		t.Errorf("all-reduce %v s, slower than its ring %v s", all, ring)
	}
}

func TestGather(t *testing.T) {
	const v, rate = 1e9, 1e9
	c := Codec{Bits: UniformBits(16), Gather: true}
	s := netSystem(t, FlatNetwork(rate), c)
	got, tr := s.gather(v, group{8, 1}, &s.channels[Grad])
	if want := 2 * 7.0 / 8 * v / 16 / rate; !near(got, want, 1e-12) {
		t.Errorf("gather: %v s, want %v", got, want)
	}
	if want := 2 * 7.0 / 8 * v / 16; !near(tr.wire, want, 1e-12) {
		t.Errorf("gather: %v bytes on the wire, want %v", tr.wire, want)
	}
}

func TestMessageEfficiency(t *testing.T) {
	j := testJob()
	j.Eff.HalfKB, j.Eff.InterUS, j.Eff.InterFraction = 100, 0, 1
	s, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := s.send(100e3, group{2, 1}, &s.channels[Act])
	if want := 2 * 100e3 / (10e9 / 8); !near(got, want, 1e-9) {
		t.Errorf("a message of the half size takes %v s, want twice its wire time %v", got, want)
	}
}

func TestChannelRate(t *testing.T) {
	const link = 1e9 // bytes/s
	for _, c := range []struct {
		name  string
		codec Codec
		want  float64
		coded bool
	}{
		{"none", Codec{}, link, false},
		{"ideal", Codec{Bits: UniformBits(5)}, 5 * link, true},
		{"codec-bound", Codec{Bits: UniformBits(5), EncodeBPS: 16e9, DecodeBPS: 24e9}, 2 * link, true},
		{"instances add up", Codec{Bits: UniformBits(5), EncodeBPS: 16e9, DecodeBPS: 24e9, Instances: 2}, 4 * link, true},
		{"as slow as the link", Codec{Bits: UniformBits(5), EncodeBPS: 8e9, DecodeBPS: 80e9}, link, false},
		{"slower, auto", Codec{Bits: UniformBits(5), EncodeBPS: 4e9, DecodeBPS: 80e9}, link, false},
		{"slower, never bypassed", Codec{Bits: UniformBits(5), EncodeBPS: 4e9, DecodeBPS: 80e9, Bypass: BypassNever}, link / 2, true},
		{"always bypassed", Codec{Bits: UniformBits(5), Bypass: BypassAlways}, link, false},
		{"serial", Codec{Bits: UniformBits(4), EncodeBPS: 32e9, DecodeBPS: 32e9, Serial: true}, 1 / (0.25 + 0.25 + 0.25) * link, true},
	} {
		ch := c.codec.channel(Grad)
		got, coded := ch.rate(link)
		if !near(got, c.want, 1e-12) || coded != c.coded {
			t.Errorf("%s: rate %v, coded %v; want %v, %v", c.name, got, coded, c.want, c.coded)
		}
	}
}

// The neutral points of the paper's codecs, derived in closed form.
func TestCrossover(t *testing.T) {
	t265 := Codec{EncodeBPS: 100e9 / 13, DecodeBPS: 100e9 / 13, Instances: 13}
	nvenc := Codec{EncodeBPS: 14.4e9, DecodeBPS: 17.6e9}
	serial := t265
	serial.Serial = true
	slow := nvenc
	slow.Serial = true
	for _, c := range []struct {
		name        string
		codec       Codec
		cross, knee float64
	}{
		{"t265", t265, 100e9, 20e9}, {"nvenc", nvenc, 14.4e9, 2.88e9},
		{"t265 serial", serial, 40e9, 0}, {"nvenc serial", slow, 6.336e9, 0},
		{"ideal", Codec{}, math.Inf(1), math.Inf(1)},
	} {
		cross, knee := c.codec.Crossover(5)
		if cross != c.cross && !near(cross, c.cross, 1e-9) || knee != c.knee && !near(knee, c.knee, 1e-9) {
			t.Errorf("%s: crossover %v, knee %v; want %v, %v", c.name, cross, knee, c.cross, c.knee)
		}
	}
}
