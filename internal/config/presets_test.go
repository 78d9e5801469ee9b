package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestPresetFiles: every row of every file has known sources, and every source is used.
func TestPresetFiles(t *testing.T) {
	want := map[string]int{"codecs": 4, "gpus": 17, "links": 9, "memories": 4, "models": 19, "paper": 107, "stacks": 28}
	if kinds := PresetKinds(); len(kinds) != len(want) {
		t.Errorf("got kinds %v, want %d", kinds, len(want))
	}
	for _, kind := range PresetKinds() {
		data, err := PresetFile(kind)
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Schema  string            `yaml:"schema"`
			Sources map[string]string `yaml:"sources"`
			Rows    map[string]any    `yaml:"rows"`
		}
		if err := Decode(kind, data, &all); err != nil { // finds duplicate names, too
			t.Fatal(err)
		}
		if all.Schema != "vcsim.presets/1" {
			t.Errorf("%s: got schema %q", kind, all.Schema)
		}
		rows, err := Presets[map[string]any](kind)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != want[kind] {
			t.Errorf("%s: got %d rows, want %d", kind, len(rows), want[kind])
		}
		for key, full := range all.Sources {
			if !slices.ContainsFunc(rows, func(r Row[map[string]any]) bool { return slices.Contains(r.Sources, Source{key, full}) }) {
				t.Errorf("%s: source %s is not used", kind, key)
			}
		}
	}
}

// TestPresetIdentities: numbers that are printed twice in the sources agree, so a slip of the pen shows.
func TestPresetIdentities(t *testing.T) {
	type engine struct {
		PowerW        float64 `yaml:"power_w"`
		AreaMM2       float64 `yaml:"area_mm2"`
		EnergyPrinted float64 `yaml:"energy_printed"`
		PJPerRawBit   float64 `yaml:"pj_per_raw_bit"`
		InstanceMW    float64 `yaml:"instance_mw"`
		InstanceMM2   float64 `yaml:"instance_mm2"`
	}
	type pair struct{ Encoder, Decoder engine }
	codecs, err := Presets[pair]("codecs")
	if err != nil {
		t.Fatal(err)
	}
	const instances, valuesPerSecond = 13, 13 * 3840 * 2160 * 60
	near := func(name string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s: got %v, want %v within %v", name, got, want, tolerance)
		}
	}
	for _, c := range codecs {
		for end, e := range map[string]engine{"enc": c.Value.Encoder, "dec": c.Value.Decoder} {
			name := c.Name + "-" + end
			near(name+" pj_per_raw_bit", e.PJPerRawBit, e.EnergyPrinted/16, 0.0051)
			near(name+" instance_mw", e.InstanceMW, e.EnergyPrinted*valuesPerSecond*1e-9/instances, 0.051)
			near(name+" instance_mm2", e.InstanceMM2, e.AreaMM2/instances, 0.000051)
			near(name+" power_w", e.PowerW, e.EnergyPrinted*valuesPerSecond*1e-12, 0.051)
			for what, v := range map[string]float64{"power": e.PowerW, "area": e.AreaMM2, "energy": e.EnergyPrinted} {
				near("paper "+name+" "+what, statement(t, "table2."+name+"."+what), v, 0)
			}
		}
	}
	pairT264 := statement(t, "table2.t264-enc.energy") + statement(t, "table2.t264-dec.energy")
	nccl := statement(t, "table2.nccl.energy")
	near("energy ratio", statement(t, "section6.energy-ratio-t264-vs-nccl"), nccl/pairT264, 0.05)
	near("energy gain at ratio 5", statement(t, "section6.energy-gain-at-ratio-5"), nccl/(nccl/5+pairT264), 0.005)
	near("gradient bits", statement(t, "training-pp.gradients"), ((3.5+3.5)*2500+(3.5+8)*5500)/8000, 0.05)
}

func statement(t *testing.T, name string) float64 {
	t.Helper()
	r, err := Preset[struct {
		Value *float64 `yaml:"value"`
		Unit  string   `yaml:"unit"`
	}]("paper", name)
	if err != nil || r.Value.Value == nil {
		t.Fatalf("%s: got %v, %v", name, r.Value.Value, err)
	}
	return *r.Value.Value
}

func TestPresetNull(t *testing.T) {
	type gpu struct {
		PeakTFLOPS float64  `yaml:"peak_tflops"`
		DieMM2     *float64 `yaml:"die_mm2"`
		Rest       map[string]any
	}
	for name, known := range map[string]bool{"h100-sxm": true, "b200": false, "gb200": false, "mi300x": false} {
		row, err := Preset[map[string]any]("gpus", name)
		if err != nil {
			t.Fatal(err)
		}
		if die, ok := row.Value["die_mm2"]; !ok || (die != nil) != known {
			t.Errorf("%s: got die %v", name, die)
		}
	}
	_, err := Preset[gpu]("gpus", "b200")
	if err == nil || !strings.Contains(err.Error(), "unknown key architecture") {
		t.Errorf("strict: got %v, want a complaint about architecture", err)
	}
}

func TestPresetErrors(t *testing.T) {
	for _, tt := range []struct{ kind, name, want string }{
		{"models", "llama2-7", `no preset "llama2-7" in models; did you mean llama2-7b?`},
		{"models", "", `no preset "" in models`},
		{"model", "x", `no presets called "model" (codecs, gpus, links, memories, models, paper, stacks); did you mean models?`},
	} {
		_, err := Preset[Node](tt.kind, tt.name)
		if got := fmt.Sprint(err); got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.kind, tt.name, got, tt.want)
		}
	}
}
