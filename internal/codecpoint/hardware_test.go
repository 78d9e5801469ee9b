package codecpoint

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/area"
)

func train(link float64) Demand {
	return Demand{Bits: [MaxClasses]float64{2.6, 3.5, 10.1, 16}, Planes: [MaxClasses]string{"gradients", "activations", "gradients", "weights"}, LinkBPS: link}
}

// TestHardware: the point of our own differs from the paper's, each of its numbers has an origin, and what is the paper's says so.
func TestHardware(t *testing.T) {
	own, err := New("t264", &Options{Table: table, Spec: DefaultSpec("t264"), Demand: train(10e9)})
	if err != nil {
		t.Fatal(err)
	}
	paper, err := New("t264-paper", &Options{Table: table})
	if err != nil {
		t.Fatal(err)
	}
	if own.EncodeBPS == paper.EncodeBPS || own.EncodeMM2 == paper.EncodeMM2 || own.Instances == paper.Instances || paper.Instances != TableInstances {
		t.Errorf("ours %+v, the paper's %+v", own, paper)
	}
	for _, v := range []struct {
		what  string
		value float64
	}{
		{"encoder rate", own.EncodeBPS / 1e9}, {"decoder rate", own.DecodeBPS / 1e9 / float64(own.Decoders)},
		{"encoder area", own.EncodeMM2}, {"decoder area", own.DecodeMM2 / float64(own.Decoders)},
		{"encoder energy", own.EncodePJPerBit}, {"decoder energy", own.DecodePJPerBit},
	} {
		i := slices.IndexFunc(own.Figures, func(f Figure) bool { return f.What == v.what })
		if i < 0 || math.Abs(own.Figures[i].Value/v.value-1) > 1e-12 {
			t.Errorf("%s of %g has no origin", v.what, v.value)
		}
	}
	silent := !strings.Contains(own.Source, "paper")
	for _, f := range own.Figures {
		if f.File == "" || f.Command == "" || f.Unit == "" {
			t.Errorf("%s: no file, command or unit: %+v", f.What, f)
		}
		if _, err := os.Stat(filepath.Join("../..", f.File)); err != nil {
			t.Errorf("%s: %v", f.What, err)
		}
		if f.PaperFigure() && (silent || !strings.Contains(f.Note, "paper")) {
			t.Errorf("%s is the paper's, and neither the row nor the note says so: %s; %s", f.What, own.Source, f.Note)
		}
		for _, half := range []Half{table["t264"].Encoder, table["t264"].Decoder} {
			for _, printed := range []float64{half.AreaMM2, half.AreaMM2 / TableInstances, half.EnergyPrinted, half.EnergyPrinted / valueBits} {
				if math.Abs(f.Value/printed-1) < 1e-9 && !f.PaperFigure() {
					t.Errorf("%s is %g, a figure of the paper under the name of %s", f.What, f.Value, f.File)
				}
			}
		}
	}
}

// TestInstances: the fewest that carry the link, by class.
func TestInstances(t *testing.T) {
	for _, link := range []float64{1e9, 10e9, 100e9, 800e9} {
		p, err := New("t264", &Options{Table: table, Spec: DefaultSpec("t264"), Demand: train(link)})
		if err != nil {
			t.Fatal(err)
		}
		enough := func(n float64) bool {
			for class, bits := range train(link).Bits {
				if payload := link * 16 / bits; bits < 16 && n*p.EncodeClass[class] < payload*(1-1e-9) {
					return false
				}
			}
			return true
		}
		if n := float64(p.Instances); !enough(n) || n > 1 && enough(n-1) || !p.Chosen {
			t.Errorf("%g bit/s: %d instances are too few or too many", link, p.Instances)
		}
		for class, bits := range train(link).Bits {
			if bits < 16 && float64(p.Instances)*p.DecodeClass[class] < link*16/bits*(1-1e-9) {
				t.Errorf("%g bit/s: the decoders of class %d do not keep up", link, class)
			}
		}
	}
	p, err := New("t264", &Options{Table: table, Spec: DefaultSpec("t264"), Demand: train(10e9), Instances: 5})
	if err != nil || p.Instances != 5 || p.Chosen {
		t.Errorf("5 instances asked for: %d, %v", p.Instances, err)
	}
}

func TestSpecFaults(t *testing.T) {
	for _, tt := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.Lanes = 0 }, "lanes: 0"}, {func(s *Spec) { s.Lanes = 49 }, "lanes: 49"}, {func(s *Spec) { s.DecoderLanes = 1 }, "decoder lanes: 1"},
		{func(s *Spec) { s.Values = 6 }, "values a cycle: 6"}, {func(s *Spec) { s.FrameMBs = 1 }, "widest frame"}, {func(s *Spec) { s.Clock = math.NaN() }, "clock"},
		{func(s *Spec) { s.Clock = 5e9 }, "timing of t264_"},
	} {
		s := DefaultSpec("t264")
		tt.change(&s)
		if _, err := New("t264", &Options{Table: table, Spec: s}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", s, err, tt.want)
		}
	}
	if _, err := New("t265", &Options{Table: table}); err == nil || !strings.Contains(err.Error(), "codec t265: its decoder does not exist in hardware yet") {
		t.Errorf("t265: %v", err)
	}
	for _, tt := range []struct {
		s    Spec
		want string
	}{
		{Spec{Codec: "t266", Lanes: 18, Values: 8, FrameMBs: 64}, `codec "t266": there is hardware of t264, t265`}, {Spec{Codec: "t265", Lanes: 18, DecoderLanes: 4, Values: 8, FrameMBs: 64}, "decoder lanes: 4, but the decoder of T.265 does not exist"},
		{Spec{Codec: "t265", Lanes: 49, Values: 8, FrameMBs: 64}, "lanes: 49, want 1 to 48"}, {Spec{Codec: "t265", Values: 8, FrameMBs: 64}, "lanes: 0"}, {Spec{Codec: "t265", Lanes: 18, Values: 4, FrameMBs: 64}, "values a cycle: 4, want 8"},
		{Spec{Codec: "t265", Lanes: 18, Values: 8, FrameMBs: 64, Clock: 5e9}, "timing of t265_enc allows"},
	} {
		if _, err := NewHardware(tt.s); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.s, err, tt.want)
		}
	}
}

// TestClock: a clock that is asked for sets the rate; without one the rate has the allowance for layout.
func TestClock(t *testing.T) {
	s := DefaultSpec("t264")
	h, err := NewHardware(s)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := h.Encoder.Clock, h.Encoder.Estimate.GHz*1e9*area.LayoutClock; got != want {
		t.Errorf("%g Hz, want %g", got, want)
	}
	s.Clock = 0.5e9
	slow, err := NewHardware(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range slow.Sides() {
		if side.Clock != .5e9 {
			t.Errorf("%s at %g Hz", side.Unit, side.Clock)
		}
	}
	a, _ := h.Encoder.Rate("weights", 3)
	b, _ := slow.Encoder.Rate("weights", 3)
	if math.Abs(a/b-h.Encoder.Clock/.5e9) > 1e-9 {
		t.Errorf("rates %g and %g do not follow the clock", a, b)
	}
	at1GHz, err := slow.Encoder.MM2Per100Gbps(3, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	if other, _ := h.Encoder.MM2Per100Gbps(3, 1e9); math.Abs(other/at1GHz-1) > 1e-12 {
		t.Errorf("mm2 at 1 GHz hang on the clock: %g and %g", other, at1GHz)
	}
}

// A path is a machine with a pixel path that the table of rates has.
type path struct {
	*machine
	values int
}

// paths lists all of them.
func paths() (list []path) {
	for _, m := range machines {
		for _, v := range m.values {
			list = append(list, path{m, v})
		}
	}
	return list
}

// TestRates: more bits take longer, more lanes never do, and what lies between rows lies between their values.
func TestRates(t *testing.T) {
	for _, unit := range paths() {
		for _, class := range Classes {
			last := math.Inf(1)
			for bits := 0.25; bits < 12; bits += .25 {
				v, err := valuesPerCycle(unit.machine, unit.values, 8, class, bits)
				if err != nil || v <= 0 || v > last*1.02 {
					t.Fatalf("%s %s: %g values a cycle at %g bits after %g, %v", unit.module(), class, v, bits, last, err)
				}
				last = min(last, v)
			}
			last = 0
			for lanes := 1; lanes <= 48; lanes++ {
				v, err := valuesPerCycle(unit.machine, unit.values, lanes, class, 3)
				if err != nil || v < last*.99 || v > float64(unit.values) {
					t.Fatalf("%s %s: %g values a cycle with %d lanes after %g, %v", unit.module(), class, v, lanes, last, err)
				}
				last = max(last, v)
			}
		}
	}
	if _, err := valuesPerCycle(find("t264", encoderUnit), 16, 8, "weights", 3); err == nil {
		t.Error("a pixel path that no row has a rate of")
	}
}

// TestRatesFresh runs a part of the table again, where the planes are there.
func TestRatesFresh(t *testing.T) {
	planes := "../../../shared/planes"
	if _, err := os.Stat(planes); err != nil {
		t.Skip("no planes: ", err)
	}
	out := filepath.Join(t.TempDir(), "rates.csv")
	if text, err := exec.Command("go", "run", "./rates", "-part", planes, out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	part, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(part)) {
		if !strings.Contains(ratesCSV, line) {
			t.Errorf("%s is stale: it has no line %q; %s", RatesFile, strings.TrimSpace(line), RatesCommand)
		}
		n++
	}
	if n < 2+len(machines) {
		t.Errorf("%d lines were compared", n)
	}
}
