package figures

import (
	"math"
	"strings"
	"testing"

	"vcsim/internal/codecpoint"
	"vcsim/internal/presets"
)

// TestOwnEngines: ours follow from area, rate and energy of the codec point, their kinds of units add up to them, and the decoder of T.265 says that it
// is not ours. No number of ours is one of the paper's.
func TestOwnEngines(t *testing.T) {
	paper, err := presets.Paper()
	if err != nil {
		t.Fatal(err)
	}
	j, err := NewFig9(paper)
	if err != nil {
		t.Fatal(err)
	}
	sides := map[string]*codecpoint.Side{}
	for _, codec := range codecpoint.Own() {
		h, err := codecpoint.NewHardware(codecpoint.DefaultSpec(codec))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range h.Sides() {
			sides[codec+" "+s.Unit] = s
		}
	}
	if len(sides) != 3 {
		t.Fatalf("sides %v", sides)
	}
	if len(j.Own) != 4 || len(j.Paper) != 8 {
		t.Fatalf("%d engines of ours beside %d of the paper", len(j.Own), len(j.Paper))
	}
	for _, e := range j.Own {
		side := sides[e.Name]
		if side == nil {
			if e.Area != nil || e.At1GHz != nil || e.Power != nil || e.Value != nil || e.RawBit != nil || e.Ratio != nil || e.AreaRatio != nil || len(e.Kinds) > 0 || !strings.Contains(e.Note, "not ours yet") {
				t.Errorf("%+v", e)
			}
			continue
		}
		area, _ := side.MM2Per100Gbps(OwnBits, 0)
		fast, _ := side.MM2Per100Gbps(OwnBits, 1e9)
		close := func(what string, got, want float64) {
			if math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%s: %s is %g, want %g", e.Name, what, got, want)
			}
		}
		close("area", *e.Area, area)
		close("area at 1 GHz", *e.At1GHz, fast)
		close("paper over ours, area", *e.AreaRatio, e.PaperArea/area)
		mm2, pj := 0., 0.
		for _, k := range e.Kinds {
			mm2, pj = mm2+k.MM2, pj+k.RawBit
		}
		close("area of all kinds", mm2, area)
		energy, err := side.MeanEnergy(OwnBits)
		if err != nil {
			t.Fatal(err)
		}
		close("energy of a value", *e.Value, energy.Total())
		close("energy of a bit", *e.RawBit, energy.Total()/16)
		close("power", *e.Power, energy.Total()/16/10)
		close("paper over ours, energy", *e.Ratio, e.PaperValue/energy.Total())
		close("energy of all kinds", pj, energy.Total()/16)
	}
	for _, s := range j.Statements {
		if s.Paper == nil || s.Ours == nil && !strings.Contains(s.Remark, "not ours yet") {
			t.Errorf("%+v", s)
		}
	}
}
