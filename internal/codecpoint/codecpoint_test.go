package codecpoint

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// table holds two rows as the paper prints them.
var table = map[string]Engine{
	"t264": {Encoder: Half{PowerW: 0.6, AreaMM2: 0.6, EnergyPrinted: 97.8}, Decoder: Half{PowerW: 0.4, AreaMM2: 0.4, EnergyPrinted: 63.5}},
	"h265": {Encoder: Half{PowerW: 11, AreaMM2: 11.7, EnergyPrinted: 1707.5}, Decoder: Half{PowerW: 4.3, AreaMM2: 2.1, EnergyPrinted: 665.4}},
}

// TestTableII: all engines together have the rate and the area of the row, and the energy read as one of a value gives back the
// printed power at the rate of 13 engines of 3840x2160 at 60 frames/s, to the digit printed.
func TestTableII(t *testing.T) {
	for name, row := range map[string]Engine{"t264-paper": table["t264"], "h265": table["h265"]} {
		p, err := New(name, &Options{Table: table})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.EncodeBPS * TableInstances; math.Abs(got/100e9-1) > 1e-12 || p.DecodeBPS != p.EncodeBPS {
			t.Errorf("%s: 13 engines give %v and %v bit/s, want 100e9", name, got, p.DecodeBPS*TableInstances)
		}
		if got := TableInstances * (p.EncodeMM2 + p.DecodeMM2); math.Abs(got-row.Encoder.AreaMM2-row.Decoder.AreaMM2) > 1e-9 || !p.HasArea {
			t.Errorf("%s: 13 engines take %v mm2", name, got)
		}
		const rate = 13 * 3840 * 2160 * 60 * 16 // bits of payload a second
		for _, d := range []struct{ pj, watt float64 }{{p.EncodePJPerBit, row.Encoder.PowerW}, {p.DecodePJPerBit, row.Decoder.PowerW}} {
			if got := d.pj * rate * 1e-12; math.Abs(got-d.watt) > 0.05001 {
				t.Errorf("%s: %v pJ a bit make %.3f W, printed are %v", name, d.pj, got, d.watt)
			}
		}
		printed, err := New(name, &Options{Table: table, Reading: PerBit})
		if err != nil {
			t.Fatal(err)
		}
		if printed.EncodePJPerBit != row.Encoder.EnergyPrinted || math.Abs(printed.DecodePJPerBit/p.DecodePJPerBit-16) > 1e-12 {
			t.Errorf("%s: as printed %v and %v pJ a bit", name, printed.EncodePJPerBit, printed.DecodePJPerBit)
		}
	}
	if _, err := New("t265-paper", &Options{Table: table}); err == nil || !strings.Contains(err.Error(), "no row") {
		t.Errorf("a codec that the table has not: %v", err)
	}
}

// TestNVENC: 900 and 1100 MB/s an engine are 14.4 and 17.6 Gbps as pixels of one value, half of it as bytes of FP16.
func TestNVENC(t *testing.T) {
	enc, dec := 500., 700.
	for _, tt := range []struct {
		v                Video
		encode, decode   float64 // Gbps
		source, complain string
	}{
		{Video{GPU: "a", Encoders: 1, Decoders: 1}, 14.4, 17.6, "RTX 3090", ""},
		{Video{GPU: "a", Encoders: 3, Decoders: 2}, 43.2, 35.2, "per engine", ""},
		{Video{GPU: "a", Encoders: 3, Decoders: 2, EncodeMBPerS: &enc}, 8, 35.2, "list gpus a; decoders as", ""},
		{Video{GPU: "a", Encoders: 1, Pixel: PixelFP16}, 7.2, 8.8, "bytes of FP16", ""},
		{Video{GPU: "a", Encoders: 3, EncodeMBPerS: &enc, DecodeMBPerS: &dec}, 8, 11.2, "500/700 MB/s (of all engines: vcsim list gpus a)", ""},
		{Video{GPU: "a", Force: true}, 14.4, 17.6, "hypothetical (a has no encoder)", ""},
		{Video{GPU: "a"}, 0, 0, "", "a has no video encoder"},
	} {
		p, err := New("nvenc", &Options{Table: table, Video: tt.v})
		if tt.complain != "" {
			if err == nil || !strings.Contains(err.Error(), tt.complain) {
				t.Errorf("%+v: got %v, want %q", tt.v, err, tt.complain)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", tt.v, err)
			continue
		}
		if math.Abs(p.EncodeBPS/1e9-tt.encode) > 1e-9 || math.Abs(p.DecodeBPS/1e9-tt.decode) > 1e-9 || !strings.Contains(p.Source, tt.source) {
			t.Errorf("%+v: %v and %v bit/s, %s; want %v and %v Gbps", tt.v, p.EncodeBPS, p.DecodeBPS, p.Source, tt.encode, tt.decode)
		}
		if want := 1707.5 / 16; p.EncodePJPerBit != want || p.HasArea {
			t.Errorf("%+v: %v pJ a bit, area %v; want %v of H.265 and none", tt.v, p.EncodePJPerBit, p.HasArea, want)
		}
	}
}

func TestSchemes(t *testing.T) {
	for name, want := range map[string]Traffic{
		"none": {None: true}, "ideal": {}, "rtn-1": {Bits: 1}, "rtn-8": {Bits: 8},
		"1bit-adam": {Bits: 1, Gradients: true, Gather: true, Warmup: 0.15}, "1bit-lamb": {Bits: 1, Gradients: true, Gather: true, Warmup: 0.15},
	} {
		p, err := New(name, &Options{})
		if err != nil || p.Traffic != want || p.Name != name || p.Source == "" {
			t.Errorf("%s: got %+v, %v, want traffic %+v", name, p, err, want)
		}
		if p.EncodeBPS != 0 || p.DecodeBPS != 0 || p.HasArea || p.EncodePJPerBit != 0 {
			t.Errorf("%s: has figures of hardware: %+v", name, p)
		}
	}
	// The mean of 16 bits for 15 % of the steps and one bit for the rest is the 3.25 bits that the paper compares with.
	if p, _ := New("1bit-adam", &Options{}); math.Abs(p.Traffic.Warmup*16+(1-p.Traffic.Warmup)*p.Traffic.Bits-3.25) > 1e-12 {
		t.Errorf("1bit-adam: mean bits of %+v", p.Traffic)
	}
	for _, name := range []string{"rtn-0", "rtn-9", "rtn-", "rtn-x", "rtn-4.5"} {
		if _, err := New(name, &Options{}); err == nil || !strings.Contains(err.Error(), "K from 1 to 8") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var unknown UnknownError
	if _, err := New("t266", &Options{}); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "nvenc") {
		t.Errorf("t266: %v", err)
	}
}

// TestNames: every name makes a point, and the defaults are among them.
func TestNames(t *testing.T) {
	all := map[string]Engine{}
	for _, name := range tableCodecs {
		all[name] = table["t264"]
	}
	all["h265"] = table["h265"]
	for _, name := range Names() {
		if _, err := New(name, &Options{Table: all, Video: Video{Encoders: 1}, Spec: DefaultSpec("t264")}); err != nil {
			t.Error(err)
		}
	}
	for i, list := range [][]string{Defaults(true, true), Defaults(false, true), Defaults(true, false)} {
		for _, name := range list {
			if !slices.Contains(Names(), name) {
				t.Errorf("%s is a default and no name", name)
			}
		}
		if video := i != 1; slices.Contains(list, "nvenc") != video {
			t.Errorf("nvenc among %v", list)
		}
	}
	if slices.Contains(Defaults(true, false), "1bit-adam") {
		t.Error("a scheme of gradients is a default of serving")
	}
}
