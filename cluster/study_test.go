package cluster

import (
	"math"
	"testing"

	"vcsim/cluster/collective"
)

func t265(ratio float64) Codec {
	return Codec{Name: "t265", Bits: UniformBits(ratio), EncodeBPS: 100e9 / 13, DecodeBPS: 100e9 / 13, Instances: 13,
		ChunkBytes: 16 << 10, EncodePJPerBit: 22.06, DecodePJPerBit: 9.03, EncodeMM2: 0.1846, DecodeMM2: 0.0385}
}

func nvenc(ratio float64) Codec {
	return Codec{Name: "nvenc", Bits: UniformBits(ratio), EncodeBPS: 14.4e9, DecodeBPS: 17.6e9, ChunkBytes: 16 << 10}
}

// The paper's Figure 10 with one ratio for all traffic, a pipelined codec, a
// fixed layout and no warm-up: between 1 and the ratio, monotone in the link's
// slowness, the ratio itself on a very slow link, the ideal below rate/ratio,
// and nothing beyond the faster of encoder and decoder.
func TestFigure10Invariants(t *testing.T) {
	layouts := []Layout{
		{DP: 4, PP: 8, TP: 1, Microbatch: 1, Interleave: 1, Recompute: RecomputeFull},
		{DP: 4, PP: 2, TP: 1, Microbatch: 1, Interleave: 1},
		{DP: 8, PP: 1, TP: 2, Microbatch: 1, Interleave: 1, ZeRO: 3, Recompute: RecomputeFull},
		{DP: 8, PP: 4, TP: 2, Microbatch: 1, Interleave: 4, ZeRO: 1, SequenceParallel: true},
	}
	for _, overlap := range []float64{0, 0.7} {
		for _, l := range layouts {
			for _, r := range []float64{2, 5, 8} {
				figure10(t, l, r, overlap)
			}
		}
	}
}

func figure10(t *testing.T, l Layout, ratio, overlap float64) {
	t.Helper()
	codecs := []Codec{{Name: "ideal", Bits: UniformBits(ratio)}, t265(ratio), nvenc(ratio)}
	last := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	for _, bw := range []float64{1e6, 1e7, 1e8, 1e9, 2.5e9, 5e9, 1e10, 14.4e9, 2e10, 5e10, 1e11, 2e11, 1e12} {
		j := testJob()
		j.Net = collective.FlatNetwork(collective.BytesPerSecond(bw / 8))
		j.Eff.DPOverlap, j.Eff.ParamOverlap, j.Eff.TPOverlap = overlap, overlap, overlap
		plain, err := NewSystem(j)
		if err != nil {
			t.Fatal(err)
		}
		base, err := plain.Step(l)
		if err != nil {
			t.Fatal(err)
		}
		var up [3]float64
		for i, c := range codecs {
			s, err := plain.WithCodec(c)
			if err != nil {
				t.Fatal(err)
			}
			st, err := s.Step(l)
			if err != nil {
				t.Fatal(err)
			}
			up[i] = base.Time / st.Time
			if up[i] < 1-1e-12 || up[i] > ratio {
				t.Errorf("%s, overlap %v, %s at %g bit/s: speedup %v, want 1 to %v", l, overlap, c.Name, bw, up[i], ratio)
			}
			if up[i] > last[i]*(1+1e-9) {
				t.Errorf("%s, overlap %v, %s: speedup rises from %v to %v as the link gets faster (%g bit/s)", l, overlap, c.Name, last[i], up[i], bw)
			}
			if bw == 1e6 && up[i] < 0.99*ratio {
				t.Errorf("%s, overlap %v, %s at 1 Mbit/s: speedup %v, want %v", l, overlap, c.Name, up[i], ratio)
			}
			// An all-gather encodes once and decodes what arrives, and protocols
			// leave 8 % of the link: the faster side counts, and a little more.
			if e, d := c.Rates(); bw > 1.1*math.Max(e, d) && up[i] != 1 {
				t.Errorf("%s, overlap %v, %s at %g bit/s, beyond the codec's rate: speedup %v, want 1", l, overlap, c.Name, bw, up[i])
			}
			last[i] = up[i]
		}
		if bw <= 100e9/ratio && !near(up[1], up[0], 1e-3) {
			t.Errorf("%s, overlap %v at %g bit/s: T.265 gives %v, ideal %v", l, overlap, bw, up[1], up[0])
		}
	}
}

// A codec that is never bypassed slows a fast link down.
func TestNeverBypassed(t *testing.T) {
	j := testJob()
	j.Net = collective.FlatNetwork(400e9 / 8)
	c := nvenc(5)
	c.Bypass = BypassNever
	st, err := Compare(j, &Space{GPUs: 32, DP: 4, PP: 8, Microbatch: 1, Interleave: 1}, []Codec{c}, &Power{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if up := st.Outcomes[0].SpeedupSame; up >= 1 {
		t.Errorf("speedup %v of a 14.4 Gbit/s codec forced onto a 400 Gbit/s link, want below 1", up)
	}
}

// Section VI of the paper: 5120 / (5120/5 + 97.8 + 63.5) = 4.32 in the shared
// unit of its Table II, whatever that unit is.
func TestPaperEnergy(t *testing.T) {
	for _, scale := range []float64{1, 1.0 / 16} {
		c := t265(5)
		c.EncodePJPerBit, c.DecodePJPerBit = 97.8*scale, 63.5*scale
		st, err := Compare(testJob(), &Space{GPUs: 32, DP: 1, PP: 32}, []Codec{c}, &Power{ComputePJPerFLOP: 1, NICPJPerBit: 5120 * scale}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := st.Outcomes[0].CommEnergyGain; math.Abs(got-4.3196) > 5e-4 {
			t.Errorf("scale %v: communication energy gain %.4f, want 4.3196", scale, got)
		}
		if got := st.Outcomes[0].EnergyGain; got <= 1 || got >= 4.32 {
			t.Errorf("scale %v: cluster energy gain %v, want between 1 and the communication's", scale, got)
		}
	}
}

func TestWarmup(t *testing.T) {
	run := func(warm float64) Outcome {
		c := Codec{Name: "1bit", Bits: UniformBits(16), Warmup: warm, Gather: true}
		st, err := Compare(testJob(), &Space{GPUs: 32, DP: 32, PP: 1, TP: 1, Microbatch: 1}, []Codec{c}, &Power{NICPJPerBit: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return st.Outcomes[0]
	}
	none, some, all := run(0), run(0.15), run(1)
	if all.SpeedupSame != 1 {
		t.Errorf("all steps in warm-up: speedup %v, want 1", all.SpeedupSame)
	}
	if want := 1 / (0.15 + 0.85/none.SpeedupSame); !near(some.SpeedupSame, want, 1e-9) {
		t.Errorf("15 %% warm-up: speedup %v, want %v", some.SpeedupSame, want)
	}
}

// The codec's own best layout is never worse than the common one.
func TestOwnLayoutIsAtLeastAsGood(t *testing.T) {
	for _, bw := range []float64{1e8, 1e9, 1e10, 1e11} {
		j := testJob()
		j.Net = collective.FlatNetwork(collective.BytesPerSecond(bw / 8))
		st, err := Compare(j, &Space{GPUs: 32}, []Codec{t265(5), nvenc(5)}, &Power{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range st.Outcomes {
			if o.Speedup < o.SpeedupSame {
				t.Errorf("%s at %g bit/s: %v at its own layout, %v at the common one", o.Codec.Name, bw, o.Speedup, o.SpeedupSame)
			}
		}
	}
}
