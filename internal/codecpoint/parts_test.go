package codecpoint

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vcsim/area"
)

// TestParts: the units of a side add up to it, and those of a lane to the lane, where synthesis has a row and where the model stands for one.
func TestParts(t *testing.T) {
	for _, spec := range []Spec{DefaultSpec("t264"), {Codec: "t264", Lanes: 24, DecoderLanes: 16, Values: 8, FrameMBs: 16}, {Codec: "t264", Lanes: 13, DecoderLanes: 9, Values: 4, FrameMBs: 64}, {Codec: "t264", Lanes: 48, DecoderLanes: 2, Values: 8, FrameMBs: 64},
		DefaultSpec("t265"), {Codec: "t265", Lanes: 18, Values: 8, FrameMBs: 16}, {Codec: "t265", Lanes: 13, Values: 8, FrameMBs: 64}, {Codec: "t265", Lanes: 24, Values: 8, FrameMBs: 30}} {
		h, err := NewHardware(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range h.Sides() {
			parts, err := side.Parts()
			if err != nil {
				t.Fatal(err)
			}
			lane, err := side.LaneParts()
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, list []Part, want area.Size) {
				var sum area.Size
				for _, p := range list {
					sum = sum.Plus(p.Size, float64(p.Count))
					if p.Cells < 0 || p.SRAM1 < 0 || p.SRAM2 < 0 {
						t.Errorf("%+v: %s: %+v", spec, what, p)
					}
				}
				for _, d := range []float64{sum.Cells - want.Cells, sum.SRAM1 - want.SRAM1, sum.SRAM2 - want.SRAM2} {
					if math.Abs(d) > 1e-6 {
						t.Errorf("%+v: %s is %+v, want %+v", spec, what, sum, want)
					}
				}
			}
			check(side.Unit, parts, side.Estimate.Size)
			check(side.Unit+" lane", lane, area.Size{Cells: side.Estimate.LaneUM2})
			if i := slices.IndexFunc(parts, func(p Part) bool { return p.Module == side.Module+"_lane" }); i < 0 || parts[i].Count != side.Lanes || len(parts) < 3 || len(lane) < 2 {
				t.Errorf("%+v: %d parts, %d of a lane: %+v", spec, len(parts), len(lane), parts)
			}
			for _, p := range parts {
				if !p.Row && p.LeftOut == 0 {
					t.Errorf("%+v: nobody knows the error of %s", spec, p.Module)
				}
			}
		}
	}
}

// TestInside: the Verilog has the units where the table of them says.
func TestInside(t *testing.T) {
	for whole, units := range inside {
		codec, _, _ := strings.Cut(whole, "_")
		text, err := os.ReadFile(filepath.Join("../../rtl", codec, whole+".v"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(whole, "_enc") { // whose entropy coder is a module of its own
			code, err := os.ReadFile(filepath.Join("../../rtl", codec, whole+"_code.v"))
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, code...)
		}
		for _, unit := range units {
			if !regexp.MustCompile(`(?m)^\s+` + unit + ` (#\(|u_)`).Match(text) {
				t.Errorf("%s.v has no %s", whole, unit)
			}
		}
	}
}
