package energy

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStale: the rows are of the Verilog that is there.
func TestStale(t *testing.T) {
	for _, s := range Sides {
		hash, err := RTLHash("..", s)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, line := range Provenance(s) {
			if was, ok := strings.CutPrefix(line, "rtl "); ok {
				found = true
				if was != hash {
					t.Errorf("%s is of Verilog %s, not of %s: run %s", File(s), was, hash, Command)
				}
			}
		}
		if !found {
			t.Errorf("%s does not say what Verilog it is of", File(s))
		}
	}
}

// TestHash: the hash is of the top of a side and what is below it.
func TestHash(t *testing.T) {
	hash := func(top, below, beside string) string {
		dir := t.TempDir()
		for name, text := range map[string]string{"rtl/t264/t264_enc.v": top, "rtl/common/vc_a.v": below, "rtl/t264/t264_dec.v": beside} {
			name = filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		h, err := RTLHash(dir, T264Encoder)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	const top, below = "module t264_enc; // one\n  vc_a u_a ();\nendmodule\n", "module vc_a; wire b; endmodule"
	want := hash(top, below, "module t264_dec; endmodule")
	if got := hash("module t264_enc;\n/* two\n */ vc_a u_a (); endmodule", below, "module t264_dec; wire c; endmodule"); got != want {
		t.Error("a comment or another top changes the hash")
	}
	if got := hash(top, "module vc_a; wire c; endmodule", "module t264_dec; endmodule"); got == want {
		t.Error("another wire below the top does not change the hash")
	}
	if _, err := RTLHash(t.TempDir(), T264Encoder); err == nil {
		t.Error("without Verilog there is a hash")
	}
}

// TestHeldOut: on each plane that it is not fitted on, on wider frames and with all lanes, the model is within 5 % of the gates. By bits alone,
// which is how codec points ask, the mean is.
func TestHeldOut(t *testing.T) {
	for _, s := range Sides {
		m, err := For(s)
		if err != nil {
			t.Fatal(err)
		}
		planes, lanes, widths := map[string]bool{}, map[int]bool{}, map[int]bool{}
		for i := range m.Fits {
			f := &m.Fits[i]
			planes[f.Plane], lanes[f.Lanes], widths[f.Width] = true, true, true
			got, rough := 100*(f.Got/f.Want-1), 100*(f.Rough/f.Want-1)
			t.Logf("%s %2d lanes, %3d wide, %-10s QP %4.1f, %.2f bits: %5.2f pJ a value; model %+.1f %%, by bits alone %+.1f %%", s, f.Lanes, f.Width, f.Plane, float64(f.QP16)/16, f.Bits/f.Samples,
				f.Want/f.Samples, got, rough)
			if math.Abs(got) > 5 {
				t.Errorf("%s, %s at QP %g with %d lanes: %+.1f %% off", s, f.Plane, float64(f.QP16)/16, f.Lanes, got)
			}
		}
		t.Logf("%s: mean %.2f %%, worst %.2f %% of %d; by bits alone %.2f and %.2f %%", s, 100*m.Error, 100*m.Worst, len(m.Fits), 100*m.Rough, 100*m.RoughWorst)
		if m.Rough > 0.05 {
			t.Errorf("%s: by bits alone the mean error is %.1f %%", s, 100*m.Rough)
		}
		if len(planes) < 4 || len(lanes) < 2 || len(widths) < 2 {
			t.Errorf("%s: held back are planes %v, lanes %v, widths %v: run %s", s, planes, lanes, widths, Command)
		}
	}
}

// TestClockGates: the tables have the same runs with and without clock gates, and these save in every one.
func TestClockGates(t *testing.T) {
	for _, s := range Sides {
		list, err := ClockGates(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) < 4 {
			t.Errorf("%s: %d runs with and without clock gates", s, len(list))
		}
		for _, g := range list {
			t.Logf("%s %s at %.2f bits: %.2f pJ a value, without %.2f; of a lane's %.2f are clock", s, g.Plane, g.Bits, g.With, g.Without, g.LaneClock)
			if g.With >= g.Without || g.LaneClock <= 0 || g.LaneClock >= 1 {
				t.Errorf("%s: %+v", s, g)
			}
		}
	}
}

// made returns measurements that are linear in the counters, with other tops and planes.
func made(rng *rand.Rand) (list []Measurement) {
	for i := range 24 {
		lanes := MeasuredLanes << (i % 2)
		m := Measurement{Side: T264Encoder, Gate: Gated, Held: i%3 == 0, Lanes: lanes}
		n := func() float64 { return 1e5 * (0.1 + rng.Float64()) }
		m.Counters = Counters{Lanes: lanes, Cycles: 1e5 * (1 + float64(i/4)), Samples: n(), Bits: 4 * n(), MapBins: 2 * n(), LevelBins: n(), SignBins: n(), Coded: n(), Moving: n()}
		m.Units = []Unit{{Name: "t264_enc_lane", Instances: lanes, Clock: 200 * m.Cycles * float64(lanes), Logic: 50*m.MapBins + 30*m.LevelBins + 8*m.Bits},
			{Name: "t264_quant", Instances: 1, Clock: 90 * m.Cycles, State: 70*m.Samples + 20*m.Coded + 9*m.Moving}}
		m.Memories = []Memory{{Width: 64, Depth: 16 * lanes, Reads: m.Samples / 8, Writes: m.Samples / 8}}
		list = append(list, m)
	}
	return list
}

// TestFitFindsTerms: of made-up measurements that are linear in the counters the fit finds the terms.
func TestFitFindsTerms(t *testing.T) {
	list := made(rand.New(rand.NewPCG(1, 2)))
	m, err := Fit(list, T264Encoder)
	if err != nil {
		t.Fatal(err)
	}
	if m.Worst > 1e-9 || len(m.Fits) != 8 {
		t.Errorf("worst error %g of %d", m.Worst, len(m.Fits))
	}
	c := Counters{Lanes: 3 * MeasuredLanes, Cycles: 1000, Samples: 500, Bits: 2000, MapBins: 700, LevelBins: 300, SignBins: 100, Coded: 400, Moving: 450}
	r := m.Energy(c)
	want := map[string]float64{"t264_enc_lane": (3*MeasuredLanes*200*1000 + 50*700 + 30*300 + 8*2000) / 1e3, "t264_quant": (90*1000 + 70*500 + 20*400 + 9*450) / 1e3}
	count := map[string]int{"t264_enc_lane": 3 * MeasuredLanes, "t264_quant": 1}
	for _, p := range r.Units {
		if math.Abs(p.Total()-want[p.Unit]) > 1e-6 || p.Instances != count[p.Unit] {
			t.Errorf("%d x %s: %g pJ, want %d and %g", p.Instances, p.Unit, p.Total(), count[p.Unit], want[p.Unit])
		}
	}
	if r.Bins != 1100 {
		t.Errorf("%g bins", r.Bins)
	}
	// 16 bits of memory are accessed for a sample.
	leakage := 1000 * 64 * 16 * 3 * MeasuredLanes * MemoryLeakage
	if got, want := r.Memory, (500*16*MemoryBit+leakage)/1e3; math.Abs(got-want) > 1e-6 {
		t.Errorf("memories: %g pJ, want %g", got, want)
	}
	c.Clock = 0.5e9
	slow := m.Energy(c)
	if got, want := slow.Memory-r.Memory, leakage/1e3; math.Abs(got-want) > 1e-6 {
		t.Errorf("at half the clock memories leak %g pJ more, want %g", got, want)
	}
	if low, high := r.Range(); !(low < r.Total() && r.Total() < high) {
		t.Errorf("total %g is not inside %g to %g", r.Total(), low, high)
	}
	if math.Abs(r.Wires-Allowance*r.Cells) > 1e-9 || Allowance < 0.3 {
		t.Errorf("allowance %g of %g", r.Wires, r.Cells)
	}
	if _, err := Fit(list[:6], T264Encoder); err == nil {
		t.Error("four measurements are enough")
	}
	other := made(rand.New(rand.NewPCG(1, 2)))
	other[4].Units = other[4].Units[:1]
	if _, err := Fit(other, T264Encoder); err == nil || !strings.Contains(err.Error(), "other units") {
		t.Errorf("a measurement without a unit: %v", err)
	}
}

// TestBitsAlone: without counts the model takes bins and coded samples of the measured planes: none at no bits, more with each bit, and what a
// line between the planes says.
func TestBitsAlone(t *testing.T) {
	var fit []*Measurement
	for _, bits := range []float64{0.5, 1, 1.5, 2.5, 3, 4, 5, 6} {
		fit = append(fit, &Measurement{Counters: Counters{Samples: 10, Bits: 10 * bits, MapBins: 7 * bits, LevelBins: 4 * bits, SignBins: bits, Coded: bits, Large: 8}})
	}
	m := fitMix(fit)
	for _, bits := range []float64{0, 0.25, 1, 2, 3.3, 7} {
		c := m.fill(Counters{Samples: 100, Bits: 100 * bits})
		if want := 70 * bits; math.Abs(c.MapBins-want) > 1e-6 || math.Abs(c.LevelBins-40*bits) > 1e-6 || math.Abs(c.SignBins-10*bits) > 1e-6 || math.Abs(c.Coded-10*bits) > 1e-6 || c.Moving != 100 || math.Abs(c.Large-80) > 1e-6 {
			t.Errorf("%g bits: %+v", bits, c)
		}
	}
	for _, s := range Sides {
		model, err := For(s)
		if err != nil {
			t.Fatal(err)
		}
		before, bins := 0.0, 0.0
		for bits := 0.0; bits < 9; bits += 0.25 {
			r := model.Energy(Counters{Lanes: 8, Cycles: 1, Samples: 1, Bits: bits})
			if total := r.Total(); total < before || r.Bins < bins || bits > 0 && r.Worst != model.RoughWorst {
				t.Errorf("%s at %g bits: %g pJ after %g, %g bins after %g, %+v", s, bits, total, before, r.Bins, bins, r)
			} else {
				before, bins = total, r.Bins
			}
		}
	}
}
