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
	hash, err := RTLHash("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Side{Encoder, Decoder} {
		found := false
		for _, line := range Provenance(s) {
			if was, ok := strings.CutPrefix(line, "rtl "); ok {
				found = true
				if was != hash {
					t.Errorf("energy/%s.csv is of Verilog %s, not of %s: run make energy", s, was, hash)
				}
			}
		}
		if !found {
			t.Errorf("energy/%s.csv does not say what Verilog it is of", s)
		}
	}
}

// TestHash: comments and white space do not count, anything else does.
func TestHash(t *testing.T) {
	write := func(text string) string {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "rtl/common"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "rtl/common/a.v"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		h, err := RTLHash(dir)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	a := write("module a; // one\n  wire b;\nendmodule\n")
	if b := write("module a;\n/* two\n */ wire b; endmodule"); a != b {
		t.Error("a comment changes the hash")
	}
	if b := write("module a; wire c; endmodule"); a == b {
		t.Error("another wire does not change the hash")
	}
}

// TestHeldOut: on planes that it is not fitted on, the model is within 5 % of the gates.
func TestHeldOut(t *testing.T) {
	for _, s := range []Side{Encoder, Decoder} {
		m, err := For(s)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: mean %.2f %%, worst %.2f %% of %d", s, 100*m.Error, 100*m.Worst, m.Held)
		if m.Error > 0.05 {
			t.Errorf("%s: the mean error is %.1f %%", s, 100*m.Error)
		}
	}
}

// TestFitFindsTerms: of made-up measurements that are linear in the counters the fit finds the terms, and none is negative.
func TestFitFindsTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var list []Measurement
	for i := range 12 {
		m := Measurement{Side: Encoder, Gate: Gated, Held: i%3 == 0, Cycles: 1e5, Samples: 1e5 * rng.Float64(), Bits: 4e5 * rng.Float64()}
		m.Units = []Unit{{Name: "t264_enc_lane", Instances: MeasuredLanes, Clock: 800 * m.Cycles, Logic: 50*m.Samples + 300*m.Bits}, {Name: "t264_quant", Instances: 1, Clock: 90 * m.Cycles, State: 70 * m.Samples}}
		m.Memories = []Memory{{Width: 64, Depth: 64, Reads: m.Samples / 8, Writes: m.Samples / 8}}
		list = append(list, m)
	}
	m, err := Fit(list, Encoder)
	if err != nil {
		t.Fatal(err)
	}
	if m.Worst > 1e-9 {
		t.Errorf("worst error %g", m.Worst)
	}
	r := m.Energy(Counters{Lanes: 2 * MeasuredLanes, Cycles: 1000, Samples: 500, Bits: 2000})
	want := map[string]float64{"t264_enc_lane": (2*800*1000 + 50*500 + 300*2000) / 1e3, "t264_quant": (90*1000 + 70*500) / 1e3}
	for _, p := range r.Units {
		if math.Abs(p.Total()-want[p.Unit]) > 1e-6 {
			t.Errorf("%s: %g pJ, want %g", p.Unit, p.Total(), want[p.Unit])
		}
	}
	// 16 bits of memory are accessed for a sample.
	leakage := 1000 * 64 * 64 / 4 * 8 * MemoryLeakage
	if got, want := r.Memory, (500*16*MemoryBit+leakage)/1e3; math.Abs(got-want) > 1e-6 {
		t.Errorf("memories: %g pJ, want %g", got, want)
	}
	slow := m.Energy(Counters{Lanes: 2 * MeasuredLanes, Cycles: 1000, Clock: 0.5e9, Samples: 500, Bits: 2000})
	if got, want := slow.Memory-r.Memory, leakage/1e3; math.Abs(got-want) > 1e-6 {
		t.Errorf("at half the clock memories leak %g pJ more, want %g", got, want)
	}
	if low, high := r.Range(); !(low < r.Total() && r.Total() < high) {
		t.Errorf("total %g is not inside %g to %g", r.Total(), low, high)
	}
	if math.Abs(r.Wires-Allowance*r.Cells) > 1e-9 || Allowance < 0.3 {
		t.Errorf("allowance %g of %g", r.Wires, r.Cells)
	}
	if _, err := Fit(list[:2], Encoder); err == nil {
		t.Error("two measurements are enough")
	}
}
