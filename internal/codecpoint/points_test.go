package codecpoint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"vcsim/area"
	"vcsim/energy"
	"vcsim/t265/hw"
	"vcsim/t265/hwenc"
)

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

// TestAlongBits: a rate is that of the first row up to its bits, lies on the line between two rows, and falls with the bits beyond the last.
func TestAlongBits(t *testing.T) {
	list := []Rate{{Bits: 1, Values: 8}, {Bits: 3, Values: 7}, {Bits: 4, Values: 2}}
	for bits, want := range map[float64]float64{0.1: 8, 1: 8, 2: 7.5, 2.5: 7.25, 3: 7, 3.5: 4.5, 3.75: 3.25, 4: 2, 5: 1.6, 8: 1, 16: 0.5} {
		if got := alongBits(list, bits); !same(got, want) {
			t.Errorf("%g bits: %g values a cycle, want %g", bits, got, want)
		}
	}
	if got := alongBits(nil, 3); got != 0 {
		t.Errorf("no rows: %g", got)
	}
}

// TestAlongLanes: between two numbers of lanes of the table a rate lies on the line, below the first each lane does its share, above the
// last no more is done.
func TestAlongLanes(t *testing.T) {
	table, err := rateTable()
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range paths() {
		have := lanesOf(table, u.machine, u.values)
		if len(have) < 2 || !slices.IsSorted(have) {
			t.Fatalf("%s: rows of %d lanes", u.module(), have)
		}
		for _, class := range Classes {
			for _, bits := range []float64{0.3, 3.3, 20} {
				row := func(lanes int) float64 {
					list := table[seriesKey{u.codec, u.unit, u.values, lanes, class}]
					if len(list) == 0 {
						t.Fatalf("%s, %d lanes: no rows of %s", u.module(), lanes, class)
					}
					return alongBits(list, bits)
				}
				for lanes := 1; lanes <= 60; lanes++ {
					var want float64
					k, exact := slices.BinarySearch(have, lanes)
					switch {
					case exact:
						want = row(lanes)
					case k == 0:
						want = row(have[0]) / float64(have[0]) * float64(lanes)
					case k == len(have):
						want = row(have[k-1])
					default:
						low, high := have[k-1], have[k]
						want = row(low) + (row(high)-row(low))/float64(high-low)*float64(lanes-low)
					}
					if got, err := valuesPerCycle(u.machine, u.values, lanes, class, bits); err != nil || !(math.Abs(got-want) <= 1e-9) {
						t.Fatalf("%s, %d lanes, %s, %g bits: %g values a cycle, %v; want %g", u.module(), lanes, class, bits, got, err, want)
					}
				}
			}
		}
	}
}

// hardwareOf is the hardware of a Spec that has rows of everything.
func hardwareOf(t *testing.T, s Spec) *Hardware {
	t.Helper()
	h, err := NewHardware(s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestSides: rates, energies and areas of a side follow from values a cycle, clock and area, and the means are over classes of as many
// values each.
func TestSides(t *testing.T) {
	var sides []*Side
	for _, codec := range Own() {
		sides = append(sides, hardwareOf(t, DefaultSpec(codec)).Sides()...)
	}
	if len(sides) != len(machines) {
		t.Fatalf("%d sides of %d", len(sides), len(machines))
	}
	for _, s := range sides {
		cycles := 0.0 // of a value, in the mean
		const bits = 3.5
		for _, class := range Classes {
			v, err := s.perCycle(class, bits)
			if err != nil {
				t.Fatal(err)
			}
			cycles += 1 / v / 4
			if r, err := s.Rate(class, bits); err != nil || !same(r, 16*v*s.Clock) {
				t.Errorf("%s, %s: %g bit/s, %v; want %g", s.Module, class, r, err, 16*v*s.Clock)
			}
			m, err := energy.For(s.measured())
			if err != nil {
				t.Fatal(err)
			}
			r := m.Energy(energy.Counters{Lanes: s.Lanes, Cycles: 1 / v, Clock: s.Clock, Samples: 1, Bits: bits})
			wantLow, wantHigh := r.Range()
			pj, low, high, err := s.PJPerBit(class, bits)
			if err != nil || !same(pj, r.Total()/16) || !same(low, wantLow/16) || !same(high, wantHigh/16) || !(low <= pj && pj <= high) {
				t.Errorf("%s, %s: %g pJ a bit, %g to %g, %v; want %g, %g to %g", s.Module, class, pj, low, high, err, r.Total()/16, wantLow/16, wantHigh/16)
			}
		}
		mean, err := s.MeanRate(bits)
		if err != nil || math.Abs(mean/(16*s.Clock/cycles)-1) > 1e-9 {
			t.Errorf("%s: %g bit/s in the mean, %v; want %g", s.Module, mean, err, 16*s.Clock/cycles)
		}
		m, _ := energy.For(s.measured())
		want := m.Energy(energy.Counters{Lanes: s.Lanes, Cycles: cycles, Clock: s.Clock, Samples: 1, Bits: bits})
		if r, err := s.MeanEnergy(bits); err != nil || math.Abs(r.Total()/want.Total()-1) > 1e-9 {
			t.Errorf("%s: %g pJ a value, %v; want %g", s.Module, r.Total(), err, want.Total())
		}
		for clock, scale := range map[float64]float64{0: 1, s.Clock: 1, 2 * s.Clock: 0.5, 0.25 * s.Clock: 4, 0.5: 2 * s.Clock} {
			if mm2, err := s.MM2Per100Gbps(bits, clock); err != nil || math.Abs(mm2/(s.Estimate.MM2()*100e9/mean*scale)-1) > 1e-9 {
				t.Errorf("%s at %g Hz: %g mm2, %v", s.Module, clock, mm2, err)
			}
		}
		parts, err := s.Parts()
		lane := slices.IndexFunc(parts, func(p Part) bool { return p.Module == s.Module+"_lane" })
		if err != nil || lane < 0 || parts[lane].Count != s.Lanes || !same(parts[lane].Cells, s.Estimate.LaneUM2) {
			t.Fatalf("%s: %+v, %v", s.Module, parts, err)
		}
		var sum area.Size
		for _, p := range parts {
			sum = sum.Plus(p.Size, float64(p.Count))
		}
		if math.Abs(sum.Cells/s.Estimate.Cells-1) > 1e-9 || math.Abs(sum.SRAM1-s.Estimate.SRAM1) > 1e-6 || math.Abs(sum.SRAM2-s.Estimate.SRAM2) > 1e-6 {
			t.Errorf("%s: the parts make up %+v of %+v", s.Module, sum, s.Estimate.Size)
		}
		for _, bad := range []func() error{
			func() error { o := *s; o.Values = 5; _, err := o.Rate("weights", bits); return err },
			func() error { o := *s; o.Values = 5; _, err := o.MeanRate(bits); return err }, func() error { o := *s; o.Values = 5; _, err := o.MeanEnergy(bits); return err },
			func() error { o := *s; o.Values = 5; _, _, _, err := o.PJPerBit("weights", bits); return err }, func() error { o := *s; o.Values = 5; _, err := o.MM2Per100Gbps(bits, 0); return err },
		} {
			if bad() == nil {
				t.Errorf("%s: rates of a pixel path of five values a cycle", s.Module)
			}
		}
	}
	h := hardwareOf(t, DefaultSpec("t264"))
	// Latencies: 256 samples through the path and 67 cycles, of the decoder 251.
	if e, d := h.Encoder.Latency*h.Encoder.Clock, h.Decoder.Latency*h.Decoder.Clock; math.Abs(e-(256/8+67)) > 1e-6 || math.Abs(d-251) > 1e-6 {
		t.Errorf("latencies of %g and %g cycles", e, d)
	}
	limit := min(h.Encoder.Estimate.GHz, h.Decoder.Estimate.GHz) * 1e9
	coder := hardwareOf(t, DefaultSpec("t265")).Encoder
	if cycles := coder.Latency * coder.Clock; math.Abs(cycles-362) > 1e-6 {
		t.Errorf("a latency of %g cycles", cycles)
	}
	for clock, ok := range map[float64]bool{limit: true, limit * 1.0001: false, 1e6: true, 0.5: true} {
		s := DefaultSpec("t264")
		s.Clock = clock
		h, err := NewHardware(s)
		if (err == nil) != ok || ok && (h.Encoder.Clock != clock || h.Decoder.Clock != clock) || !ok && !strings.Contains(err.Error(), fmt.Sprintf("clock %.3g GHz: timing of t264_", clock/1e9)) {
			t.Errorf("%g Hz: %v", clock, err)
		}
	}
}

// TestPointOfHardware: the numbers of a point are those of its slowest class, instances and decoders as many as the link asks for.
func TestPointOfHardware(t *testing.T) {
	for _, spec := range []Spec{{}, {Codec: "t264", Lanes: 24, DecoderLanes: 2, Values: 8, FrameMBs: 64, Memory: true}, {Codec: "t264", Lanes: 4, DecoderLanes: 16, Values: 8, FrameMBs: 64}} {
		of := spec
		if spec == (Spec{}) {
			of = DefaultSpec("t264")
		}
		h := hardwareOf(t, of)
		for _, link := range []float64{0, 1e9, 100e9, 1600e9} {
			for _, instances := range []int{0, 3} {
				o := Options{Spec: spec, Instances: instances, Demand: Demand{LinkBPS: link, Bits: [MaxClasses]float64{3, 0, 16, 0.75}, Planes: [MaxClasses]string{"gradients", "", "x", "weights"}}}
				p, err := New("t264", &o)
				if err != nil {
					t.Fatal(err)
				}
				var e, d, pjE, pjD [2]float64
				for k, class := range []struct {
					planes string
					bits   float64
				}{{"gradients", 3}, {"weights", 0.75}} {
					e[k], _ = h.Encoder.Rate(class.planes, class.bits)
					d[k], _ = h.Decoder.Rate(class.planes, class.bits)
					pjE[k], _, _, _ = h.Encoder.PJPerBit(class.planes, class.bits)
					pjD[k], _, _, _ = h.Decoder.PJPerBit(class.planes, class.bits)
				}
				payload := [2]float64{link * 16 / 3, link * 16 / 0.75}
				n := float64(instances)
				if instances == 0 {
					n = max(1, math.Ceil(max(payload[0]/e[0], payload[1]/e[1])))
				}
				decoders := max(1, math.Ceil(max(e[0]/d[0], e[1]/d[1])))
				if instances == 0 && link > 0 {
					decoders = min(decoders, max(1, math.Ceil(max(payload[0]/d[0], payload[1]/d[1])/n)))
				}
				what := fmt.Sprintf("%+v, link %g, %d instances", spec, link, instances)
				if float64(p.Instances) != n || p.Chosen != (instances == 0 && link > 0) || float64(p.Decoders) != decoders {
					t.Errorf("%s: %d instances, chosen %v, %d decoders; want %g and %g", what, p.Instances, p.Chosen, p.Decoders, n, decoders)
				}
				for _, v := range []struct {
					name      string
					got, want float64
				}{
					{"rate of class 0", p.EncodeClass[0], e[0]}, {"of class 3", p.EncodeClass[3], e[1]}, {"of class 1", p.EncodeClass[1], 0}, {"of class 2", p.EncodeClass[2], 0},
					{"decoders' of class 0", p.DecodeClass[0], d[0] * decoders}, {"of class 3", p.DecodeClass[3], d[1] * decoders}, {"of class 1", p.DecodeClass[1], 0},
					{"rate", p.EncodeBPS, min(e[0], e[1])}, {"decoders' rate", p.DecodeBPS, min(d[0], d[1]) * decoders}, {"chunk", p.ChunkBytes, 16384},
					{"energy", p.EncodePJPerBit, max(pjE[0], pjE[1])}, {"decoders' energy", p.DecodePJPerBit, max(pjD[0], pjD[1])},
					{"area", p.EncodeMM2, h.Encoder.Estimate.MM2()}, {"decoders' area", p.DecodeMM2, h.Decoder.Estimate.MM2() * decoders}, {"latency", p.Latency, h.Encoder.Latency + h.Decoder.Latency},
					{"memory", p.MemoryPJPerBit[0], map[bool]float64{true: 18}[of.Memory]}, {"memory at most", p.MemoryPJPerBit[1], map[bool]float64{true: 24}[of.Memory]},
				} {
					if !same(v.got, v.want) {
						t.Errorf("%s: %s is %g, want %g", what, v.name, v.got, v.want)
					}
				}
				memory := slices.ContainsFunc(p.Figures, func(f Figure) bool { return f.What == "memory to memory" })
				if memory != of.Memory || !p.HasArea || !strings.Contains(p.Source, fmt.Sprintf("own RTL: %d x (encoder %d lanes %.2f GHz, %d x decoder %d lanes %.2f GHz)", p.Instances, of.Lanes, h.Encoder.Clock/1e9, p.Decoders, of.DecoderLanes, h.Decoder.Clock/1e9)) {
					t.Errorf("%s: %s, memory %v", what, p.Source, memory)
				}
				for _, f := range p.Figures {
					if want := map[string]float64{"encoder clock": h.Encoder.Clock / 1e9, "decoder clock": h.Decoder.Clock / 1e9, "encoder latency": h.Encoder.Latency * 1e9, "decoder latency": h.Decoder.Latency * 1e9,
						"encoder rate": min(e[0], e[1]) / 1e9, "decoder rate": min(d[0], d[1]) / 1e9, "memory to memory": 18}[f.What]; want != 0 && !same(f.Value, want) {
						t.Errorf("%s: %s is %g, want %g", what, f.What, f.Value, want)
					}
				}
			}
		}
	}
	// A link that so many instances carry exactly has no more of them, nor of decoders.
	exact := hardwareOf(t, DefaultSpec("t264"))
	e, _ := exact.Encoder.Rate("weights", 4)
	for n := 1; n < 30; n++ {
		p, err := New("t264", &Options{Demand: Demand{LinkBPS: float64(n) * e / 4, Bits: [MaxClasses]float64{4}, Planes: [MaxClasses]string{"weights"}}})
		if err != nil || p.Instances != n {
			t.Errorf("a link of %d instances: %d of them, %v", n, p.Instances, err)
		}
	}
	// Where nothing is compressed the rates are the means at 16 bits, the energies those of the class that takes most.
	h := hardwareOf(t, DefaultSpec("t264"))
	p, err := New("t264", &Options{Demand: Demand{Bits: [MaxClasses]float64{16, 0, 17, -1}}})
	if err != nil {
		t.Fatal(err)
	}
	rate, _ := h.Encoder.MeanRate(16)
	back, _ := h.Decoder.MeanRate(16)
	most := 0.0
	for _, class := range Classes {
		pj, _, _, _ := h.Encoder.PJPerBit(class, 16)
		most = max(most, pj)
	}
	if !same(p.EncodeBPS, rate) || !same(p.DecodeBPS, back*float64(p.Decoders)) || p.Instances != 1 || p.Decoders != 1 || p.Chosen || !same(p.EncodePJPerBit, most) {
		t.Errorf("nothing compressed: %+v, want rates %g and %g, %g pJ a bit", p, rate, back, most)
	}
	if _, err := New("t264", &Options{Demand: Demand{Bits: [MaxClasses]float64{3}, Planes: [MaxClasses]string{"x"}}}); err == nil || !strings.Contains(err.Error(), `codec t264: no rates of planes of "x"`) {
		t.Errorf("planes that there are none of: %v", err)
	}
}

// TestUnitsOfSides: a side has the parameters that the units have as defaults.
func TestUnitsOfSides(t *testing.T) {
	rows, err := area.Rows()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, s := range []Spec{DefaultSpec("t264"), {Codec: "t264", Lanes: 24, DecoderLanes: 16, Values: 4, FrameMBs: 64}, {Codec: "t264", Lanes: 7, DecoderLanes: 11, Values: 8, FrameMBs: 50}, {Codec: "t264", Lanes: 48, DecoderLanes: 48, Values: 8, FrameMBs: 256}, {Codec: "t264", Lanes: 1, DecoderLanes: 2, Values: 4, FrameMBs: 2}} {
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		h, err := NewHardware(s)
		if err != nil {
			continue // a number that no row has
		}
		found++
		for _, c := range []struct {
			side          *Side
			whole         area.Params
			values, lanes int
		}{
			{h.Encoder, area.Params{"Threads": s.Lanes, "Lanes": s.Lanes, "Values": s.Values, "Bypass": 4, "FrameMBs": s.FrameMBs}, s.Values, s.Lanes},
			{h.Decoder, area.Params{"Lanes": s.DecoderLanes, "FrameMBs": s.FrameMBs, "Slots": 16, "Bypass": 1, "Transform8": 1}, 4, s.DecoderLanes},
		} {
			e, err := rows.Estimate(c.side.Module, c.whole)
			if err != nil || e.Size != c.side.Estimate.Size || e.Row != nil && (c.side.Estimate.Row == nil || e.Row.Params != c.side.Estimate.Row.Params) || c.side.Values != c.values || c.side.Lanes != c.lanes {
				t.Errorf("%+v, %s: %+v, want %+v; %v", s, c.side.Module, c.side.Estimate, e, err)
			}
		}
	}
	if found == 0 {
		t.Error("no rows of any of them")
	}
	for _, c := range []struct {
		change func(*Spec)
		ok     bool
	}{
		{func(s *Spec) { s.Lanes = 1 }, true}, {func(s *Spec) { s.Lanes = 48 }, true}, {func(s *Spec) { s.DecoderLanes = 2 }, true}, {func(s *Spec) { s.DecoderLanes = 48 }, true}, {func(s *Spec) { s.DecoderLanes = 49 }, false},
		{func(s *Spec) { s.Values = 4 }, true}, {func(s *Spec) { s.Values = 5 }, false}, {func(s *Spec) { s.Values = 9 }, false}, {func(s *Spec) { s.Values = 3 }, false}, {func(s *Spec) { s.FrameMBs = 2 }, true}, {func(s *Spec) { s.FrameMBs = 256 }, true}, {func(s *Spec) { s.FrameMBs = 257 }, false},
		{func(s *Spec) { s.Clock = 10e9 }, true}, {func(s *Spec) { s.Clock = 10.1e9 }, false}, {func(s *Spec) { s.Clock = -1 }, false},
	} {
		s := DefaultSpec("t264")
		c.change(&s)
		if err := s.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", s, err)
		}
	}
	s := DefaultSpec("t264")
	for clock, want := range map[float64]string{0: "GHz by timing without wires, times 0.70 for layout", 0.4e9: "as asked for; timing allows"} {
		s.Clock = clock
		p, err := New("t264", &Options{Spec: s})
		if err != nil || !strings.Contains(p.Figures[0].Note, want) {
			t.Errorf("clock %g: %+v, %v", clock, p.Figures, err)
		}
	}
}

// TestUnits265: the encoder of T.265 has the parameters that the clocked model has as defaults, and the contexts of its lanes.
func TestUnits265(t *testing.T) {
	want, s := hwenc.DefaultSpec(), DefaultSpec("t265")
	if s.Lanes != want.Lanes || want.Threads != want.Lanes || s.Values != hwenc.Values || s.FrameMBs != want.FrameCTUs || s.DecoderLanes != 0 {
		t.Errorf("%+v, the clocked model has %+v", s, want)
	}
	side := hardwareOf(t, s).Encoder
	for name, v := range map[string]int{"Threads": want.Threads, "Lanes": want.Lanes, "MaxTU": want.MaxTU, "Bypass": want.Bypass, "Groups": want.Groups, "FrameCTUs": want.FrameCTUs, "Contexts": hw.EncContexts(want.MaxTU)} {
		if got, ok := side.params[name]; !ok || got != v {
			t.Errorf("%s is %d, want %d", name, got, v)
		}
	}
}

// TestUnmeasured: a side without a table of energy has area, rate and latency, no energy, and says so.
func TestUnmeasured(t *testing.T) {
	all := energy.Sides
	defer func() { energy.Sides = all }()
	energy.Sides = []energy.Side{energy.T264Encoder, energy.T264Decoder}
	s, err := OwnSheet(DefaultSpec("t265"), 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if side := s.Sides[0]; side.Energy != nil || side.PowerW != nil || side.MM2 == nil || side.LatencyS == nil || side.PayloadBPS == 0 {
		t.Errorf("%+v", side)
	}
	for _, u := range s.Units {
		if u.RawBit != nil || u.Unit == "wires" {
			t.Errorf("an energy of %s: %+v", u.Unit, u)
		}
	}
	for _, f := range s.Figures {
		if strings.Contains(f.What, "energy") || strings.Contains(f.What, "bins") {
			t.Errorf("%+v", f)
		}
	}
	const want = "was not measured yet: make energy writes energy/t265_enc.csv."
	if notes := strings.Join(MissingNotes("t265"), " "); !strings.Contains(notes, "The energy of the encoder of T.265 "+want) || !strings.Contains(notes, "The decoder of T.265 does not exist in hardware yet") {
		t.Errorf("%s", notes)
	}
	run := Run{Codec: "t265", Threads: 8, Lanes: 8, PathValues: 8, Bypass: 4, FrameMBs: 16, Clock: 1e9, Instances: []Counts{{1e5, 5e5, 2e6}}, Values: 5e5, Bits: 2e6, Samples: 5e5}
	c, err := run.Cost()
	if err != nil || c.MM2 == nil || c.PJ != nil || c.Energy != nil || len(c.Units) < 5 || !strings.Contains(strings.Join(c.Notes, " "), "Energy of t265_enc "+want) {
		t.Errorf("%+v, %v", c, err)
	}
	energy.Sides = all
	if notes := MissingNotes("t265"); len(notes) != 1 || len(MissingNotes("t264")) != 0 {
		t.Errorf("%q", notes)
	}
}

// TestVideoEngines: the engines of a GPU together are one instance, whose rates the source names.
func TestVideoEngines(t *testing.T) {
	rows := map[string]Engine{"h265": {Encoder: Half{EnergyPrinted: 160}, Decoder: Half{EnergyPrinted: 80}}}
	fast, slow := 4000.0, 1500.0
	for _, c := range []struct {
		v              Video
		encode, decode float64 // MB/s
		source         string
	}{
		{Video{GPU: "x", Encoders: 2, Decoders: 3}, 1800, 3300, "1800/3300 MB/s (RTX 3090, paper, per engine), 8-bit pixels: 28.8/52.8 Gbps; energy as H.265"},
		{Video{GPU: "x", Encoders: 1}, 900, 1100, "900/1100 MB/s (RTX 3090, paper, per engine), 8-bit pixels: 14.4/17.6 Gbps"},
		{Video{GPU: "x", Encoders: 1, Pixel: PixelFP16}, 900, 1100, "bytes of FP16 payload: 7.2/8.8 Gbps"},
		{Video{GPU: "x", Decoders: 5, Force: true}, 900, 1100, "hypothetical (x has no encoder): 900/1100 MB/s"},
		{Video{GPU: "x", Encoders: 3, Decoders: 2, EncodeMBPerS: &fast}, 4000, 2200, "4000/2200 MB/s (of all engines: vcsim list gpus x; decoders as the paper's RTX 3090)"},
		{Video{GPU: "x", Encoders: 3, Decoders: 2, EncodeMBPerS: &fast, DecodeMBPerS: &slow}, 4000, 1500, "4000/1500 MB/s (of all engines: vcsim list gpus x), 8-bit pixels: 64.0/24.0 Gbps"},
	} {
		p, err := New("nvenc", &Options{Table: rows, Video: c.v})
		bits := 16.0
		if c.v.Pixel == PixelFP16 {
			bits = 8
		}
		if err != nil || !same(p.EncodeBPS, c.encode*1e6*bits) || !same(p.DecodeBPS, c.decode*1e6*bits) || p.Instances != 1 || p.ChunkBytes != 16384 || p.EncodePJPerBit != 10 || p.DecodePJPerBit != 5 || p.HasArea || !strings.Contains(p.Source, c.source) {
			t.Errorf("%+v: %+v, %v; want %g and %g MB/s, %q", c.v, p, err, c.encode, c.decode, c.source)
		}
	}
	if _, err := New("nvenc", &Options{Table: rows, Video: Video{GPU: "x", Decoders: 2}}); err == nil || !strings.Contains(err.Error(), "x has no video encoder") {
		t.Errorf("no encoder: %v", err)
	}
	if _, err := New("nvenc", &Options{Video: Video{GPU: "x", Encoders: 2}}); err == nil || !strings.Contains(err.Error(), "no row of h265") {
		t.Errorf("no energy: %v", err)
	}
}

// TestTableRows: an engine of Table II is a thirteenth of its row, as many as asked for, and says so.
func TestTableRows(t *testing.T) {
	rows := map[string]Engine{"h264": {Encoder: Half{AreaMM2: 26, EnergyPrinted: 160}, Decoder: Half{AreaMM2: 13, EnergyPrinted: 80}}}
	for instances, want := range map[int]int{0: 13, 1: 1, 40: 40} {
		for reading, scale := range map[Reading]float64{PerValue: 1.0 / 16, PerBit: 1} {
			p, err := New("h264", &Options{Table: rows, Instances: instances, Reading: reading})
			if err != nil || p.Instances != want || !same(p.EncodeMM2, 2) || !same(p.DecodeMM2, 1) || !same(p.EncodePJPerBit, 160*scale) || !same(p.DecodePJPerBit, 80*scale) ||
				!same(p.EncodeBPS, 100e9/13) || !same(p.DecodeBPS, 100e9/13) || p.ChunkBytes != 16384 || !p.HasArea || p.Source != fmt.Sprintf("paper, Table II (ASAP7): %d instances of 7.69 Gbps", want) {
				t.Errorf("%d instances, reading %d: %+v, %v", instances, reading, p, err)
			}
		}
	}
	if _, err := New("h265", &Options{Table: rows}); err == nil || !strings.Contains(err.Error(), "Table II has no row of it") {
		t.Errorf("%v", err)
	}
}

// TestListed: every row of the rates is in the table once, by rising bits; and the codecs to compare where nobody names one.
func TestListed(t *testing.T) {
	table, err := rateTable()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for key, list := range table {
		rows += len(list)
		for i := 1; i < len(list); i++ {
			if list[i].Bits < list[i-1].Bits {
				t.Errorf("%+v: %g bits after %g", key, list[i].Bits, list[i-1].Bits)
			}
		}
	}
	lines := 0
	for line := range strings.Lines(ratesCSV) {
		if !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	if rows != lines-1 {
		t.Errorf("%d rates of %d rows", rows, lines-1)
	}
	const plain = "ideal t264 t264-paper t265-paper h264 h265"
	for _, c := range []struct {
		video, training bool
		want            string
	}{{false, false, plain}, {true, false, plain + " nvenc"}, {false, true, plain + " rtn-4 1bit-adam"}, {true, true, plain + " nvenc rtn-4 1bit-adam"}} {
		if got := strings.Join(Defaults(c.video, c.training), " "); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	if s := DefaultSpec("t264"); s != (Spec{Codec: "t264", Lanes: 24, DecoderLanes: 16, Values: 8, FrameMBs: 64}) {
		t.Errorf("%+v are not the defaults of docs/hardware.md", s)
	}
	s := DefaultSpec("t264")
	s.Clock = 9e9
	h := hardwareOf(t, DefaultSpec("t264"))
	if _, err := NewHardware(s); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("clock 9 GHz: timing of t264_enc allows %.3g GHz without wires", h.Encoder.Estimate.GHz)) {
		t.Errorf("9 GHz: %v", err)
	}
	s.Clock = 1e8
	p, err := New("t264", &Options{Spec: s})
	if want := fmt.Sprintf("timing allows %.3f GHz without wires, %.3f with the allowance for layout", h.Encoder.Estimate.GHz, 0.7*h.Encoder.Estimate.GHz); err != nil || !strings.Contains(p.Figures[0].Note, want) {
		t.Errorf("%+v, %v", p.Figures, err)
	}
}
