package cluster

import (
	"math"
	"testing"
)

// TestZeROPlusPlus: on a slow network the backward pass gathers inside the node, so that of ZeRO 3's three passes over 16-bit values one
// is left at 8 bits and one at 4; each node's copy of the weights takes its place in memory; without ZeRO 3 there is no copy.
func TestZeROPlusPlus(t *testing.T) {
	s := testSystem(t)
	j := s.Job
	j.Net.Tiers = append(j.Net.Tiers[:0:0], j.Net.Tiers...)
	if len(j.Net.Tiers) != 1 {
		t.Fatalf("the job has %d tiers", len(j.Net.Tiers))
	}
	node := j.Net.Tiers[0]
	node.Name, node.Shared, node.Codec, node.GPUs, node.BytesPerSecond, node.Family = "node", false, false, 4, 1e15, 0
	outer := j.Net.Tiers[0]
	outer.BytesPerSecond = 1e6 // nothing else counts
	j.Net.Tiers[0] = node
	j.Net.Tiers = append(j.Net.Tiers, outer)
	plain, err := NewSystem(j)
	if err != nil {
		t.Fatal(err)
	}
	z, err := plain.WithCodec(Codec{Name: "z", Bits: Bits{Param: 8, Grad: 4}, NodeCopy: true})
	if err != nil {
		t.Fatal(err)
	}
	l := Layout{DP: 16, PP: 1, TP: 1, Microbatch: 1, Interleave: 1, ZeRO: 3}
	a, err := plain.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	b, err := z.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Time / b.Time; math.Abs(got-4) > 0.3 { // 3M over M/2 + M/4
		t.Errorf("speedup %v, want 4", got)
	}
	if got := b.Memory.Parameters - a.Memory.Parameters; math.Abs(got/(2*plain.Model.Params()/4)-1) > 0.05 {
		t.Errorf("the copy takes %v bytes, want a quarter of %v", got, 2*plain.Model.Params())
	}
	l.ZeRO = 2
	a, err = plain.Step(l)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = z.Step(l); err != nil {
		t.Fatal(err)
	}
	if a.Memory != b.Memory {
		t.Errorf("ZeRO 2: %+v with and %+v without", b.Memory, a.Memory)
	}
}

// TestKernel: the bytes that a kernel moves bound its rate.
func TestKernel(t *testing.T) {
	g, e := &GPU{MemGBPerS: 900}, &Efficiency{MemoryFraction: 0.8}
	c := Kernel("k", Bits{Grad: 4, Param: 8}, 2, g, e)
	const bytesPerS = 720e9
	if want := bytesPerS / (2*2 + 1) * 16; math.Abs(float64(c.EncodeBPS)/want-1) > 1e-12 {
		t.Errorf("encodes %v bit/s, want %v", c.EncodeBPS, want)
	}
	if want := bytesPerS / (2 + 1) * 16; math.Abs(float64(c.DecodeBPS)/want-1) > 1e-12 || !c.Serial || c.Name != "k" {
		t.Errorf("decodes %v bit/s, want %v", c.DecodeBPS, want)
	}
	z := ZeROPlusPlus(g, e)
	if !z.NodeCopy || z.Bits[Param] != 8.125 || z.Bits[Grad] != 4.125 || z.Bits[Act] != 0 || z.Validate() != nil {
		t.Errorf("ZeRO++ is %+v, %v", z, z.Validate())
	}
}
