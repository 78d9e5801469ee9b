package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// simJSON is what scripts read of `sim --json`.
type simJSON struct {
	Schema       string
	Frames       int
	Bypass       int     `json:"bypass_bins_per_cycle_limit"`
	BitsPerValue float64 `json:"bits_per_value"`
	Runs         []struct {
		Threads, Lanes, Instances int
		Cycles                    float64
		Values                    float64 `json:"values_per_cycle"`
		Steady                    float64 `json:"steady_values_per_cycle"`
		Pixels                    float64 `json:"pixels_busy_percent"`
		Payload                   float64 `json:"payload_gbps"`
	}
	Units []struct {
		Unit                         string
		Count                        int
		Idle, Busy, Starved, Blocked float64
	}
}

func mustSim(t *testing.T, args ...string) (j simJSON) {
	t.Helper()
	stdout, stderr, code := execute(t, append([]string{"sim", "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("sim %v: exit %d: %s", args, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	if j.Schema != "vcsim.sim/1" {
		t.Errorf("sim %v: schema %q", args, j.Schema)
	}
	return j
}

// TestSimEncoder: what the model writes is what encode writes, and more lanes take fewer cycles.
func TestSimEncoder(t *testing.T) {
	in, _ := gaussianPGM(t, 200, 130)
	dir := t.TempDir()
	for _, rate := range [][]string{{"--qp", "27"}, {"--qp", "22.5"}, {"--bits", "2"}, {"--codec", "t265", "--qp", "27"}, {"--codec", "t265", "--bits", "2"}} {
		ext, codec := ".264", []string{"--codec", "t264"}
		if rate[0] == "--codec" {
			ext, codec = ".265", nil
		}
		want, got := filepath.Join(dir, "want"+ext), filepath.Join(dir, "got"+ext)
		args := append([]string{"--frame", "64x48"}, rate...)
		mustEncode(t, in, want, append(codec, args...)...)
		j := mustSim(t, append([]string{in, "--lanes", "4", "-o", got}, args...)...)
		a, err := os.ReadFile(want)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(got)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%v: %d bytes from sim, %d from encode", rate, len(b), len(a))
		}
		if j.Frames != 12 || len(j.Runs) != 1 || len(j.Units) == 0 {
			t.Errorf("%v: %+v", rate, j)
		}
	}
	j := mustSim(t, in, "--lanes", "1,2,4", "--frame", "64x48", "--values", "4", "--clock", "2GHz")
	if len(j.Runs) != 3 {
		t.Fatalf("%d runs", len(j.Runs))
	}
	for i, r := range j.Runs {
		if r.Lanes != 1<<i || r.Threads != r.Lanes || r.Values <= 0 || r.Values > 4 {
			t.Errorf("run %d: %+v", i, r)
		}
		if i > 0 && r.Cycles >= j.Runs[i-1].Cycles {
			t.Errorf("%d lanes: %g cycles, %g with fewer", r.Lanes, r.Cycles, j.Runs[i-1].Cycles)
		}
		if want := 16 * 2 * r.Steady; r.Payload < .999*want || r.Payload > 1.001*want {
			t.Errorf("%d lanes: %g Gbps, want %g", r.Lanes, r.Payload, want)
		}
	}
	// Memory that answers late costs one thread alone nearly all of it, many threads little.
	fast, slow := mustSim(t, in, "--lanes", "1", "--frame", "64x48"), mustSim(t, in, "--lanes", "1", "--frame", "64x48", "--latency", "5000")
	if slow.Runs[0].Cycles < fast.Runs[0].Cycles+5000 {
		t.Errorf("with latency %g cycles, without %g", slow.Runs[0].Cycles, fast.Runs[0].Cycles)
	}
	// Two instances have half of the frames each.
	if two := mustSim(t, in, "--lanes", "1", "--frame", "64x48", "--instances", "2"); two.Runs[0].Cycles > .6*fast.Runs[0].Cycles || two.Runs[0].Instances != 2 {
		t.Errorf("two instances: %+v, one: %+v", two.Runs[0], fast.Runs[0])
	}
}

// TestSimQP0: QP 0 is a QP, not the absence of one.
func TestSimQP0(t *testing.T) {
	in, _ := gaussianPGM(t, 64, 64)
	if j := mustSim(t, in, "--lanes", "2", "--qp", "0"); len(j.Runs) != 1 || j.BitsPerValue < 7 {
		t.Errorf("QP 0: %+v", j)
	}
}

// TestSimDecoder: streams of both tiers decode to what the software decodes, which sim itself checks.
func TestSimDecoder(t *testing.T) {
	in, _ := gaussianPGM(t, 150, 131) // neither width nor height of a whole macroblock or frame
	for _, tier := range []string{"hw", "rdo"} {
		j := mustSim(t, in, "--unit", "dec", "--tier", tier, "--lanes", "2,4", "--frame", "64x48")
		if len(j.Runs) != 2 || j.Frames != 9 {
			t.Fatalf("%s: %+v", tier, j)
		}
		if a, b := j.Runs[0], j.Runs[1]; b.Cycles >= a.Cycles || a.Values <= 0 || b.Values > 4 {
			t.Errorf("%s: %+v, %+v", tier, a, b)
		}
	}
	// Long suffixes in groups take fewer cycles.
	args := []string{in, "--unit", "dec", "--lanes", "2", "--frame", "64x48", "--qp", "2"}
	one, four := mustSim(t, args...), mustSim(t, append(args, "--bypass", "4")...)
	if one.Bypass != 1 || four.Bypass != 4 || four.Runs[0].Cycles > .97*one.Runs[0].Cycles {
		t.Errorf("Bypass %d: %g cycles, %d: %g", one.Bypass, one.Runs[0].Cycles, four.Bypass, four.Runs[0].Cycles)
	}
}

func TestSimTraces(t *testing.T) {
	in, _ := gaussianPGM(t, 64, 64)
	trace, vcd := filepath.Join(t.TempDir(), "t.json"), filepath.Join(t.TempDir(), "t.vcd")
	mustSim(t, in, "--lanes", "2", "--trace", trace, "--vcd", vcd, "--window", "100:400")
	b, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var events struct {
		TraceEvents []struct {
			Name string
			TS   float64
		}
	}
	if err := json.Unmarshal(b, &events); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range events.TraceEvents {
		seen[e.Name] = true
		if e.Name != "thread_name" && (e.TS < 100 || e.TS >= 400) {
			t.Errorf("event %+v outside of the window", e)
		}
	}
	if !seen["busy"] || !seen["starved"] {
		t.Errorf("events %v", seen)
	}
	if b, err = os.ReadFile(vcd); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"$enddefinitions", "#100\n", "#400\n"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q in the dump", want)
		}
	}
}

func TestSimUsageErrors(t *testing.T) {
	in, _ := gaussianPGM(t, 64, 64)
	dir := t.TempDir()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{in, "--codec", "h264"}, "--codec h264: there are clocked models of t264 and t265"},
		{[]string{in, "--codec", "t265", "--unit", "dec"}, "--unit dec: of t265"},
		{[]string{in, "--codec", "t265", "--values", "4"}, "--values 4: the pixel path of t265 does 8"},
		{[]string{in, "--codec", "t265", "--bypass", "3"}, "Bypass is 3, not in 4..7"},
		{[]string{in, "--codec", "t265", "--tier", "rdo"}, "--tier is of --unit dec"},
		{[]string{in, "--codec", "t265", "-o", filepath.Join(dir, "o.264")}, "sim writes .265"},
		{[]string{in, "--unit", "both"}, "enc or dec"},
		{[]string{in, "--lanes", "0"}, "--lanes 0"},
		{[]string{in, "--lanes", "4,-1"}, "--lanes -1"},
		{[]string{in, "--threads", "0"}, "--threads 0"},
		{[]string{in, "--latency", "99999999999"}, "--latency 99999999999"},
		{[]string{in, "--tier", "rdo"}, "--tier is of --unit dec"},
		{[]string{in, "-o", filepath.Join(dir, "o.265")}, ".264"},
		{[]string{in, "--trace", filepath.Join(dir, "t"), "--vcd", dir + "/./t"}, "is the same file as"},
		{[]string{in, "--lanes", "2", "--qp", "NaN"}, "finite"},
		{[]string{in, "--unit", "dec", "--lanes", "1"}, "Lanes is 1"},
		{[]string{in, "--unit", "dec", "--lanes", "2", "--threads", "4"}, "as many threads as lanes"},
		{[]string{in, "--unit", "dec", "--tier", "best"}, "best"},
		{[]string{in, "--unit", "dec", "-o", filepath.Join(dir, "o.264")}, "--output is of --unit enc"},
		{[]string{in, "--instances", "1000"}, "fewer frames"},
		{[]string{in, "--lanes", "32", "--threads", "8"}, "give --threads 32 or more, or --lanes 8"},
		{[]string{in, "--lanes", "2", "--trace", filepath.Join(dir, "t"), "--window", "9000000:9000001"}, "is empty: the run has"},
		{[]string{in, "--lanes", "2,4", "-o", filepath.Join(dir, "o.264")}, "one run"},
		{[]string{mixedTensors, "--lanes", "2", "-o", filepath.Join(dir, "o.264")}, "one plane; there are 4"},
		{[]string{in, "--tensor", "x"}, "is a plane"},
		{[]string{mixedTensors, "--tensor", "input_*"}, "no tensor"},
		{[]string{in, "--threads", "5", "--lanes", "2"}, "not a multiple"},
		{[]string{in, "--threads", "65"}, "--threads 65"},
		{[]string{in, "--values", "16"}, "Values is 16"},
		{[]string{in, "--bypass", "9"}, "Bypass is 9"},
		{[]string{in, "--unit", "dec", "--bypass", "5"}, "Bypass is 5, not in 1..4"},
		{[]string{in, "--unit", "dec", "--bypass", "0"}, "Bypass is 0, not in 1..4"},
		{[]string{in, "--unit", "dec", "--values", "8"}, "4 values a cycle"},
		{[]string{in, "--window", "9:3"}, "FROM:TO"},
		{[]string{in, "--lanes", "1,2", "--vcd", filepath.Join(dir, "v")}, "one run"},
		{[]string{in, "--clock", "2"}, "2"},
		{[]string{in, "--qp", "60"}, "60"},
		{[]string{in, "--frame", "3"}, "WIDTHxHEIGHT"},
		{[]string{in, in, "-o", filepath.Join(dir, "o.264")}, "one plane"},
		{[]string{filepath.Join(dir, "missing.pgm")}, "missing.pgm"},
	} {
		stdout, stderr, code := execute(t, append([]string{"sim"}, tt.args...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, tt.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("sim %v: exit %d, %q on stderr, want %q", tt.args[1:], code, stderr, tt.want)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("files left behind: %v", files)
	}
}

// simPlanes is what scripts read of the planes of `sim --json`.
type simPlanes struct {
	Padding float64 `json:"padding_percent"`
	Planes  []struct {
		Plane, Frame string
		Shape        []int
		QP           float64 `json:"qp"`
		Padding      float64 `json:"padding_percent"`
	}
	Runs []map[string]any
}

func mustSimPlanes(t *testing.T, args ...string) (j simPlanes) {
	t.Helper()
	stdout, stderr, code := execute(t, append([]string{"sim", "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("sim %v: exit %d: %s", args, code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestSimCountsValues: a plane that does not fill its frames or macroblocks is no faster than its values say.
func TestSimCountsValues(t *testing.T) {
	for _, tt := range []struct {
		w, h    int
		padding float64 // percent
	}{{64, 64, 0}, {17, 64, 100 * 15. / 17}, {80, 64, 60}} {
		in, _ := gaussianPGM(t, tt.w, tt.h)
		for _, unit := range []string{"enc", "dec"} {
			j := mustSimPlanes(t, in, "--unit", unit, "--lanes", "2", "--frame", "64x32")
			r := j.Runs[0]
			if got := r["cycles"].(float64) * r["values_per_cycle"].(float64); got < float64(tt.w*tt.h)-1e-6 || got > float64(tt.w*tt.h)+1e-6 {
				t.Errorf("%s of %dx%d: %g values in all, want %d", unit, tt.w, tt.h, got, tt.w*tt.h)
			}
			if p := j.Padding; p < tt.padding-1e-9 || p > tt.padding+1e-9 {
				t.Errorf("%s of %dx%d: padding %g %%, want %g", unit, tt.w, tt.h, p, tt.padding)
			}
		}
	}
}

// TestSimAlone: what comes out for a plane and a point does not depend on what else runs; tensors are planes by their names.
func TestSimAlone(t *testing.T) {
	a, _ := gaussianPGM(t, 300, 130)
	b, _ := gaussianPGM(t, 128, 128)
	together := mustSimPlanes(t, a, b, "--lanes", "2,4,6")
	if len(together.Runs) != 6 {
		t.Fatalf("%d rows", len(together.Runs))
	}
	k := 0
	for _, in := range []string{a, b} {
		for _, lanes := range []string{"2", "4", "6"} {
			alone := mustSimPlanes(t, in, "--lanes", lanes)
			got, want := together.Runs[k], alone.Runs[0]
			k++
			for key, v := range want {
				if key != "simulated_kcycles_per_s" && key != "steady_gain_per_lane" && got[key] != v {
					t.Errorf("%s, %s lanes: %s is %v in a sweep, %v alone", in, lanes, key, got[key], v)
				}
			}
		}
	}
	j := mustSimPlanes(t, mixedTensors, "--tensor", "*gate_proj*", "--tensor", "activation", "--lanes", "2", "--qp", "30")
	if len(j.Runs) != 2 || len(j.Planes) != 2 || j.Runs[0]["plane"] != "model.layers.1.mlp.gate_proj.weight" || j.Planes[1].Plane != "activation" ||
		len(j.Planes[0].Shape) != 2 || j.Planes[0].Shape[1] != 160 || j.Planes[0].QP != 30 || j.Planes[0].Frame == "" {
		t.Errorf("tensors: %+v", j)
	}
	if stdout, _, _ := execute(t, "sim", b, "--lanes", "2", "--bits", "12"); !strings.Contains(stdout, "cannot be reached") {
		t.Errorf("a missed target is not said:\n%s", stdout)
	}
}

// TestSimCost: the area is what vcsim area says of the same parameters, the energy grows with the planes, and both are there for each point.
func TestSimCost(t *testing.T) {
	plane := "../../testbench/common/testdata/weights.pgm"
	type document struct {
		Cost []struct {
			Lanes int
			MM2   *float64 `json:"area_mm2"`
			UJ    *float64 `json:"energy_uj"`
			Value *float64 `json:"value_pj"`
			Raw   *float64 `json:"payload_bit_pj"`
		}
		Units  []struct{ Unit string } `json:"cost_units"`
		Values float64
	}
	run := func(line string) (d document) {
		stdout, stderr, code := execute(t, strings.Fields("sim --json "+plane+" "+line)...)
		if err := json.Unmarshal([]byte(stdout), &d); err != nil || code != 0 {
			t.Fatalf("%s: exit %d, %v: %s", line, code, err, stderr)
		}
		return d
	}
	for _, codec := range []string{" --codec t265", " --codec t264"} {
		one := run(codec + " --lanes 8 --frame 64x64 --qp 32")
		stdout, _, _ := execute(t, strings.Fields("area --json"+codec+" --lanes 8 --frame-mbs 4")...)
		var a areaJSON
		if err := json.Unmarshal([]byte(stdout), &a); err != nil || len(one.Cost) != 1 || len(one.Units) < 10 || !near(*one.Cost[0].MM2, a.Sides[0].MM2) {
			t.Errorf("%v: %+v, the area is %+v", err, one, a.Sides)
		}
		fine := run(codec + " --lanes 8 --frame 64x64 --qp 20")
		if c := one.Cost[0]; !near(*c.UJ*1e6, *c.Value*one.Values) || !near(*c.Value, 16**c.Raw) {
			t.Errorf("%+v of %g values", c, one.Values)
		}
		if *fine.Cost[0].Value <= *one.Cost[0].Value {
			t.Errorf("a finer quantiser takes %g pJ a value, the coarser one %g", *fine.Cost[0].Value, *one.Cost[0].Value)
		}
		if two := run(codec + " --lanes 4,8 --frame 64x64 --qp 32 --instances 2"); len(two.Cost) != 2 || len(two.Units) != 0 || *two.Cost[0].MM2 >= *two.Cost[1].MM2 || !near(*two.Cost[1].MM2, 2**one.Cost[0].MM2) {
			t.Errorf("%+v", two)
		}
		if strings.Contains(codec, "t265") {
			continue // no decoder
		}
		if dec := run("--unit dec --lanes 4 --frame 64x64 --qp 32"); len(dec.Cost) != 1 || dec.Cost[0].MM2 == nil || *dec.Cost[0].Raw <= *one.Cost[0].Raw {
			t.Errorf("%+v", dec)
		}
	}
}
