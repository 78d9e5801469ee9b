package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
)

// near tells whether two numbers are the same but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

func showJSON(t *testing.T, args ...string) (j codecShowJSON) {
	t.Helper()
	stdout, stderr, code := execute(t, append([]string{"codec", "show", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 || len(j.Sides)+len(j.Absent) != 2 {
		t.Fatalf("%v: exit %d, %v: %s", args, code, err, stderr)
	}
	return j
}

// TestCodecShow: the sheet of our own codec says what area and energy say, its units add up to it, and energies by value, payload bit, bit of the
// stream and bin are of one energy.
func TestCodecShow(t *testing.T) {
	for _, flags := range []string{"", "--lanes 16 --decoder-lanes 8 --bits 4", "--clock 0.5GHz --frame-mbs 16", "t265", "t265 --lanes 12 --frame-mbs 16 --bits 4"} {
		options := strings.Fields(flags)
		j := showJSON(t, options...)
		codec := "t264"
		if len(options) > 0 && options[0] == "t265" {
			codec, options[0] = options[0], "--codec=t265"
		}
		want, absent := sidesOf([]string{codec})
		if len(j.Sides) != len(want) || !slices.Equal(j.Absent, absent) || j.Codec != codec {
			t.Fatalf("%s: %s, %d sides, absent %v", flags, j.Codec, len(j.Sides), j.Absent)
		}
		var a areaJSON
		var e energyJSON
		for command, to := range map[string]any{"area": &a, "energy": &e} {
			stdout, stderr, code := execute(t, append([]string{command, "--json"}, options...)...)
			if err := json.Unmarshal([]byte(stdout), to); err != nil || code != 0 {
				t.Fatalf("%s %s: exit %d, %v: %s", command, flags, code, err, stderr)
			}
		}
		for i, s := range j.Sides {
			if !near(*s.MM2, a.Sides[i].MM2) || !near(s.Rate, a.Sides[i].Rate) || !near(*s.Clock, a.Sides[i].Clock) || !near(*s.Per100, a.Sides[i].AtClock) || s.Instances != 1 {
				t.Errorf("%s: %+v, the area is %+v", flags, s, a.Sides[i])
			}
			mm2, pj := 0., 0.
			for _, u := range j.Units {
				if u.Side == s.Side && u.MM2 != nil {
					mm2 += *u.MM2
				}
				if u.Side == s.Side && u.RawBit != nil {
					pj += *u.RawBit
				}
			}
			if !near(mm2, *s.MM2) || !near(pj, *s.RawBit) {
				t.Errorf("%s: the units of the %s take %g mm2 and %g pJ, it takes %g and %g", flags, s.Side, mm2, pj, *s.MM2, *s.RawBit)
			}
			bins := j.Figures[len(j.Figures)-len(j.Sides)+i]
			// The runs at gate level are of fewer planes and rates than the table of the software codec: 8 % apart at 4 bits.
			if regular, bypass, err := codecpoint.BinsAt(codec, j.Bits); err != nil || math.Abs(bins.Value/(regular+bypass)-1) > .1 {
				t.Errorf("%s: %g bins of lanes, the software codec has %g, %v", flags, bins.Value, regular+bypass, err)
			}
			if of := e.Sides[i].PerBin; !near(*s.Bin, of) {
				t.Errorf("%s: %g pJ a bin, energy says %g", flags, *s.Bin, of)
			}
			if of := e.Sides[i]; !near(*s.RawBit, of.PerBit) || !near(*s.Low, of.Low) || !near(*s.High, of.High) || !near(*s.WireBit, of.PerWire) || !near(*s.Value, of.Value) || !near(*s.Power, of.PerBit*s.Rate/1e3) {
				t.Errorf("%s: %+v, the energy is %+v", flags, s, of)
			}
			if bins.What != s.Side+" bins" || !near(*s.Bin*bins.Value, *s.Value) || bins.Value < j.Bits || bins.Value > 2*j.Bits {
				t.Errorf("%s: %g pJ a bin and %g a value with %+v", flags, *s.Bin, *s.Value, bins)
			}
		}
		for _, f := range j.Figures {
			if f.Command == "" || f.PaperFigure() {
				t.Errorf("%s: nobody renews %+v", flags, f)
			}
			if _, err := os.Stat(filepath.Join("../..", f.File)); err != nil {
				t.Errorf("%s: %v", flags, err)
			}
		}
	}
	one, three := showJSON(t), showJSON(t, "--instances", "3", "--paper")
	for i, s := range one.Sides {
		n := three.Sides[i]
		if !near(3**s.MM2, *n.MM2) || !near(3*s.Rate, n.Rate) || !near(3**s.Power, *n.Power) || !near(*s.RawBit, *n.RawBit) || !near(*s.Per100, *n.Per100) || n.Instances != 3 || s.PaperMM2 != nil || n.PaperMM2 == nil {
			t.Errorf("one is %+v, three are %+v", s, n)
		}
	}
}

// TestCodecShowOthers: rows of the paper are 13 engines for 100 Gbps and say whose they are; a file is what it says.
func TestCodecShowOthers(t *testing.T) {
	table, err := presets.Engines()
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]string{"t264-paper": "t264", "t265-paper": "t265", "h264": "h264", "h265": "h265"} {
		j := showJSON(t, name, "--paper")
		for i, half := range []float64{table[row].Encoder.AreaMM2, table[row].Decoder.AreaMM2} {
			s := j.Sides[i]
			printed := []float64{table[row].Encoder.EnergyPrinted, table[row].Decoder.EnergyPrinted}[i]
			if s.Instances != 13 || !near(s.Rate, 100) || !near(*s.MM2, half) || !near(*s.PaperMM2, half) || !near(*s.Value, printed) || s.Bin != nil || s.Clock != nil || len(j.Units) != 0 {
				t.Errorf("%s: %+v", name, s)
			}
		}
		for _, f := range j.Figures {
			if !f.PaperFigure() || !strings.Contains(f.Note, "of the paper") {
				t.Errorf("%s: %+v does not say whose it is", name, f)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "lossless.yaml")
	if err := os.WriteFile(file, []byte("encode_gbps: 100\ndecode_gbps: 50\nencode_mm2: 0.007\ndecode_mm2: 0.004\nencode_pj_per_bit: 0.09\ndecode_pj_per_bit: 0.05\nratio: 1.5\nsource: a poster\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	j := showJSON(t, file, "--instances", "2")
	if e, d := j.Sides[0], j.Sides[1]; !near(j.Bits, 16/1.5) || !near(e.Rate, 200) || !near(d.Rate, 100) || !near(*e.MM2, .014) || !near(*d.Per100, .008) || !near(*e.Value, 1.44) || !near(*d.WireBit, .075) {
		t.Errorf("%+v", j)
	}
	if j = showJSON(t, "nvenc", "--gpu", "rtx5090"); !near(j.Sides[0].Rate, 1092e6*16/1e9) || j.Figures[0].File != "internal/config/presets/gpus.yaml" || j.Sides[0].MM2 != nil {
		t.Errorf("%+v", j)
	}
	plot := filepath.Join(t.TempDir(), "shares.svg")
	if _, stderr, code := execute(t, "codec", "show", "--plot", plot); code != 0 {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if b, err := os.ReadFile(plot); err != nil || !strings.Contains(string(b), "transforms, quantisers") {
		t.Errorf("no chart of units: %v", err)
	}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"codec show ideal", 2, "no hardware to show"}, {"codec show rtn-4", 2, "no hardware to show"}, {"codec show t265 --lanes 49", 2, "lanes: 49"}, {"codec show t265 --lanes 0", 2, "lanes: 0"}, {"codec show t265 --decoder-lanes 2", 2, "the decoder of T.265 does not exist in hardware yet"}, {"codec show t265 --values 4", 2, "values a cycle: 4, want 8"},
		{"cluster --model llama2-7b --bw 10Gbps --codec t265", 2, "codec t265: its decoder does not exist in hardware yet"}, {"codec show t264@nvfp4", 2, "--bits"},
		{"codec show h265 --lanes 3", 2, "--lanes is of t264 and t265"}, {"codec show t265-paper --plot x.svg", 2, "--plot is of t264 and t265"}, {"codec show --gpu rtx3090", 2, "--gpu is of nvenc"}, {"codec show nvenc --gpu a100-80g", 2, "no video encoder"},
		{"codec show --instances 0", 2, "--instances is 0"}, {"codec show --bits 0", 2, "--bits is 0"}, {"codec show --lanes 49", 2, "lanes: 49"}, {"codec show t266", 2, "unknown codec"}, {"codec show none.yaml", 2, "none.yaml"},
		{"codec", 2, "codec show"}, {"codec shwo", 2, "codec show"}, {"codec show t264 t265", 2, "one argument"},
	} {
		if _, stderr, code := execute(t, strings.Fields(tt.args)...); code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
}

// numbersOf lists the numbers of a JSON document that are no counts, with their keys.
func numbersOf(t *testing.T, text string) map[string][]float64 {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var all any
	if err := d.Decode(&all); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	found := map[string][]float64{}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(k, x)
			}
		case []any:
			for _, x := range v {
				walk(key, x)
			}
		case json.Number:
			if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".e") {
				found[key] = append(found[key], f)
			}
		}
	}
	walk("", all)
	return found
}

// TestNoPaperFigure: nothing that the commands say of our own hardware is a figure of the paper's Table II, as printed, of one of its 13 engines or
// of a bit, unless the key says that it is the paper's.
func TestNoPaperFigure(t *testing.T) {
	table, err := presets.Engines()
	if err != nil {
		t.Fatal(err)
	}
	paper := map[float64]string{}
	for name, e := range table {
		for _, h := range []struct {
			side string
			half codecpoint.Half
		}{{"encoder", e.Encoder}, {"decoder", e.Decoder}} {
			for what, v := range map[string]float64{"power": h.half.PowerW, "area": h.half.AreaMM2, "energy": h.half.EnergyPrinted, "energy of a bit": h.half.EnergyPrinted / 16, "rounded energy of a bit": h.half.PJPerRawBit,
				"power of an engine": h.half.InstanceMW, "area of an engine": h.half.InstanceMM2, "area over 13": h.half.AreaMM2 / 13} {
				paper[v] = name + " " + h.side + ", " + what
			}
		}
	}
	paper[100./13] = "rate of an engine"
	for _, line := range []string{"codec show", "codec show --paper --bits 4", "codec show --lanes 13 --instances 13", "area --paper", "energy --paper", "codec show t265 --paper", "area --codec t265 --paper", "energy --codec t265 --paper", "reproduce table2", "reproduce fig9",
		"cluster --model llama2-7b --bw 10Gbps --codec t264 --layout dp4,pp8", "cluster --workload infer --model llama2-7b --context 2k --gpus 4 --bw 10Gbps --codec t264"} {
		stdout, stderr, code := execute(t, append(strings.Fields(line), "--json")...)
		if code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, stderr)
		}
		checked := 0
		for key, list := range numbersOf(t, stdout) {
			if strings.HasPrefix(line, "reproduce") && !strings.HasPrefix(key, "own_") && key != "value" || strings.HasPrefix(key, "paper_") {
				continue // the paper's, and said to be
			}
			for _, v := range list {
				checked++
				for p, what := range paper {
					if math.Abs(v/p-1) < 1e-6 {
						t.Errorf("%s: %s is %g, the paper's %s", line, key, v, what)
					}
				}
			}
		}
		if checked < 8 {
			t.Errorf("%s: %d numbers", line, checked)
		}
	}
	// And the rows that are the paper's have them.
	stdout, _, _ := execute(t, "codec", "show", "t264-paper", "--json")
	same := 0
	for _, list := range numbersOf(t, stdout) {
		for _, v := range list {
			for p := range paper {
				if math.Abs(v/p-1) < 1e-6 {
					same++
				}
			}
		}
	}
	if same < 6 {
		t.Errorf("the comparison finds %d figures of the paper in a row of the paper", same)
	}
}

// TestSNR: with a stated error each codec takes what was measured of its kind, and the table of bits and the JSON say from which file.
func TestSNR(t *testing.T) {
	run := func(line string) (j clusterJSON) {
		stdout, stderr, code := execute(t, strings.Fields("cluster --model llama2-7b --bw 10Gbps --layout dp4,pp8 --json "+line)...)
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %v: %s", line, code, err, stderr)
		}
		return j
	}
	j := run("--codec t264,t265-paper,rtn-4 --snr 20dB")
	if len(j.Bits) != 4 || j.Bits[0].Stated != -20 || j.Bits[0].File != codecpoint.CodingsFile || j.Bits[0].From != "measured at -20 dB" {
		t.Fatalf("%+v", j.Bits)
	}
	if a, b := j.Codecs[0], j.Codecs[1]; !near(a.BitsGrad, *j.Bits[0].T264Bits) || !near(b.BitsGrad, *j.Bits[0].T265Bits) || !near(a.BitsAct, *j.Bits[1].T264Bits) || a.BitsParam != 16 || !strings.Contains(a.Basis, "-20 dB, measured of t264") || !strings.Contains(b.Basis, "of t265") {
		t.Errorf("%+v and %+v", a, b)
	}
	if c := j.Codecs[2]; c.BitsGrad != 4 || strings.Contains(c.Basis, "measured") {
		t.Errorf("rtn-4: %+v", c)
	}
	coarse := run("--codec t264 --snr 12dB")
	if coarse.Codecs[0].BitsGrad >= j.Codecs[0].BitsGrad || coarse.Codecs[0].Speedup < j.Codecs[0].Speedup-1e-9 {
		t.Errorf("12 dB: %+v, 20 dB: %+v", coarse.Codecs[0], j.Codecs[0])
	}
	if plain := run("--codec t264"); plain.Bits[0].From != "the paper" || plain.Codecs[0].BitsGrad != 2.6 || plain.Bits[0].Stated != -presets.ReferenceSNR {
		t.Errorf("%+v", plain.Bits)
	}
	for _, tt := range []struct{ args, want string }{
		{"--snr 20", "needs a suffix"}, {"--snr 20dB --bits-act 3", "give --snr or --bits-act"}, {"--snr 20dB --ratio 5", "give --snr or --ratio"}, {"--snr 60dB", "outside what t264 was measured at"},
		{"--workload infer --snr 20dB --bits-kv 3", "give --snr or --bits-kv"},
	} {
		if _, stderr, code := execute(t, strings.Fields("cluster --model llama2-7b --bw 10Gbps "+tt.args)...); code != 2 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
	stdout, _, code := execute(t, strings.Fields("cluster --workload infer --model llama2-7b --context 2k --gpus 4 --bw 10Gbps --snr 20dB")...)
	if kv, err := presets.ClassBits("t264", "caches", 20); err != nil || code != 0 || !strings.Contains(stdout, fmt.Sprintf("KV cache %.4g", kv)) {
		t.Errorf("exit %d, %v: the cache's bits are not in %.300s", code, err, stdout)
	}
}

// TestFewestInstances: with the instances that the tool chooses a step is as fast as with many times as many, within a thousandth; one less does not carry the
// link, and never makes the step faster. The area is that of so many.
func TestFewestInstances(t *testing.T) {
	lossless := filepath.Join(t.TempDir(), "lossless.yaml")
	if err := os.WriteFile(lossless, []byte("encode_gbps: 100\ndecode_gbps: 100\nencode_mm2: 0.007\ndecode_mm2: 0.007\nencode_pj_per_bit: 0.09\ndecode_pj_per_bit: 0.09\nratio: 1.5\nsource: a poster\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, bw := range []string{"5Gbps", "100Gbps", "400Gbps"} {
		run := func(instances int) (j clusterJSON) {
			line := fmt.Sprintf("cluster --model llama2-7b --layout dp4,pp8 --json --codec t264,%s --bw %s", lossless, bw)
			if instances > 0 {
				line += fmt.Sprintf(" --instances %d", instances)
			}
			stdout, stderr, code := execute(t, strings.Fields(line)...)
			if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
				t.Fatalf("%s: exit %d, %v: %s", line, code, err, stderr)
			}
			return j
		}
		chosen := run(0)
		for i, c := range chosen.Codecs {
			many := run(16 * c.Instances).Codecs[i]
			if c.Instances < 1 || c.StepTime > many.StepTime*1.001 {
				t.Errorf("%s, %s: %d instances take %g s, %d take %g", bw, c.Name, c.Instances, c.StepTime, many.Instances, many.StepTime)
			}
			if math.Abs(*many.Area / *c.Area / 16 - 1) > .5 { // ours has as many decoders an instance as keep up, and no more than the link asks for
				t.Errorf("%s, %s: %d take %g mm2, %d take %g", bw, c.Name, c.Instances, *c.Area, many.Instances, *many.Area)
			}
			if c.Instances > 1 {
				if less := run(c.Instances - 1).Codecs[i]; less.StepTime < c.StepTime*(1-1e-9) || *less.Area >= *c.Area*1.5 {
					t.Errorf("%s, %s: %d instances take %g s and %g mm2, one less %g s and %g mm2", bw, c.Name, c.Instances, c.StepTime, *c.Area, less.StepTime, *less.Area)
				}
			}
		}
		if bw != "5Gbps" && (chosen.Codecs[0].Instances < 2 || bw == "400Gbps" && chosen.Codecs[1].Instances != 6) {
			t.Errorf("%s: %d and %d instances", bw, chosen.Codecs[0].Instances, chosen.Codecs[1].Instances)
		}
	}
}

// TestInferPoints: serving uses the same points: the fewest instances that carry the link at the bits of the job, with the area of so many.
func TestInferPoints(t *testing.T) {
	stdout, stderr, code := execute(t, strings.Fields("cluster --workload infer --model llama2-7b --context 2k --gpus 4 --bw 100Gbps --codec t264,t264-paper --json")...)
	var j inferJSON
	if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 || len(j.Codecs) != 3 {
		t.Fatalf("exit %d, %v: %s", code, err, stderr)
	}
	p, err := codecpoint.New("t264", &codecpoint.Options{Spec: codecpoint.DefaultSpec("t264"), Demand: codecpoint.Demand{Bits: [codecpoint.MaxClasses]float64{2.88, 2.9, 3.5},
		Planes: [codecpoint.MaxClasses]string{"weights", "caches", "activations"}, LinkBPS: 100e9}})
	if err != nil {
		t.Fatal(err)
	}
	if c := j.Codecs[1]; c.Instances != p.Instances || !near(*c.Area, float64(p.Instances)*(p.EncodeMM2+p.DecodeMM2)) || *c.Decoders <= float64(p.Instances) || !near(*c.DecoderArea, *c.Decoders*p.DecodeMM2) {
		t.Errorf("%+v, the point has %d instances", c, p.Instances)
	}
	if c := j.Codecs[2]; c.Instances != 13 || !near(*c.Area, 1) {
		t.Errorf("the paper's: %+v", c)
	}
	if stdout, _, _ = execute(t, strings.Fields("cluster --workload infer --model llama2-7b --context 2k --gpus 4 --bw 100Gbps --codec t264")...); !strings.Contains(stdout, fmt.Sprintf("t264: %d instances carry 100Gbps", p.Instances)) {
		t.Errorf("the instances are not in %s", stdout)
	}
}

// TestBareMachine: what is said of our hardware comes with the program: it runs in an empty folder, without any tool on the path.
func TestBareMachine(t *testing.T) {
	dir := t.TempDir()
	plane, err := os.ReadFile("../../testbench/common/testdata/weights.pgm")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plane.pgm"), plane, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"codec show --paper --plot share.png", "codec show t265-paper", "area --paper --plot area.svg", "energy --paper --plot energy.svg", "codec show t265 --plot t265.svg", "area --codec t265", "energy --codec t265", "reproduce table2", "reproduce fig9 --out charts",
		"cluster --model llama2-7b --bw 10Gbps --codec t264 --layout dp4,pp8 --explain", "cluster --model llama2-7b --bw 10Gbps --codec t264,t265-paper --layout dp4,pp8 --snr 20dB", "sim plane.pgm --lanes 4 --frame 64x64", "sim plane.pgm --codec t265 --lanes 4 --frame 64x64"} {
		cmd := program(t, strings.Fields(line)...)
		cmd.Dir = dir
		cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool {
			name, _, _ := strings.Cut(v, "=")
			return name == "PATH" || name == "HOME" || name == "ASAP7_LIB"
		})
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", line, err, out)
		}
	}
}
