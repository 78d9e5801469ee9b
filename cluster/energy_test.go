package cluster

import "testing"

// Without a layout, and with one whose only traffic is the ring of the
// gradients, the energy is the same.
func TestVolumeEnergy(t *testing.T) {
	p := Power{ComputePJPerFLOP: 2, NICPJPerBit: 300, SwitchPJPerBit: 20}
	for _, dp := range []int{2, 8, 64} {
		for _, ratio := range []float64{1, 5} {
			j := testJob()
			j.Eff.RingOnly = true
			j.Codec = Codec{Bits: UniformBits(ratio), EncodePJPerBit: 6, DecodePJPerBit: 4}
			s, err := NewSystem(j)
			if err != nil {
				t.Fatal(err)
			}
			st, err := s.Step(Layout{DP: dp, PP: 1, TP: 1, Microbatch: 1, Interleave: 1})
			if err != nil {
				t.Fatal(err)
			}
			codec := 10.0
			if ratio == 1 {
				codec = 0 // goes around it
			}
			// A volume counts both codec sides for every bit that is sent; the
			// step's all-gather encodes a shard once, whoever passes it on.
			n := float64(dp)
			enc, dec := (n-1)/n+1/n, 2*(n-1)/n
			codec *= (0.6*enc + 0.4*dec) / dec
			v := DataParallelVolume(&j.Model, dp, float64(j.GlobalBatch*j.Seq), j.Seq)
			got, want := p.Energy(v, ratio, codec), s.Energy(&st, &p)
			for _, c := range []struct {
				what      string
				got, want float64
			}{{"GPU", got.GPU, want.GPU}, {"NIC", got.NIC, want.NIC}, {"switch", got.Switch, want.Switch}, {"codec", got.Codec, want.Codec}} {
				if !near(c.got, c.want, 1e-5) { // the step leaves the last norm out
					t.Errorf("dp %d, ratio %v: %s takes %v J, the step %v J", dp, ratio, c.what, c.got, c.want)
				}
			}
		}
	}
}

// H100 at 42 % utilisation, 64 replicas, 4 M tokens: communication
// takes a fifth of the energy at 5120 pJ/bit, whatever the size of the model.
func TestVolumeShare(t *testing.T) {
	h100 := GPU{PeakTFLOPS: 989, TDPW: 700}
	p := Power{ComputePJPerFLOP: h100.TDPW / (h100.PeakTFLOPS * 0.42), NICPJPerBit: 5120}
	e := p.Energy(DataParallelVolume(&llama7b, 64, 4e6, 1), 1, 0)
	if share := e.Comm() / e.Total(); share < 0.20 || share > 0.22 {
		t.Errorf("communication takes %.3f of the energy, want 0.20 to 0.22", share)
	}
	with := p.Energy(DataParallelVolume(&llama7b, 64, 4e6, 1), 5, 97.8+63.5)
	if gain := e.Comm() / with.Comm(); !near(gain, 4.3196, 1e-4) {
		t.Errorf("communication energy gain %v, want 4.3196", gain)
	}
	if gain := e.Total() / with.Total(); !near(gain, 1.19, 0.01) {
		t.Errorf("energy gain %v, want about 1.19", gain)
	}
}
