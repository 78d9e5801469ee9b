package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestArea: the units add up to their side, cells and memories to its area, and the paper's figures come only when asked for.
func TestArea(t *testing.T) {
	for _, args := range [][]string{{"area", "--json"}, {"area", "--json", "--paper", "--lanes", "12", "--decoder-lanes", "8", "--bits", "4"}} {
		stdout, stderr, code := execute(t, args...)
		var j areaJSON
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 || len(j.Sides) != 2 {
			t.Fatalf("%v: exit %d, %v: %s", args, code, err, stderr)
		}
		for _, s := range j.Sides {
			cells, memories := 0., 0.
			for _, u := range j.Units {
				if u.Side == s.Side {
					cells, memories = cells+u.TotalUM2, memories+u.SRAM1Bits+2*u.SRAM2Bits
					if u.Model != nil && (*u.Model > 8 && u.UM2 >= 200 || u.LeftOut < 3) || u.Model == nil && u.LeftOut > 0 {
						t.Errorf("%v: the model of %s is %v %% off, %d rows left out", args, u.Unit, cell(u.Model), u.LeftOut)
					}
					if u.UM2 <= 0 {
						t.Errorf("%v: %s %s takes %g um2", args, u.Side, u.Unit, u.UM2)
					}
				}
			}
			if mm2 := (cells/.7 + memories*.042) / 1e6; math.Abs(mm2/s.MM2-1) > 1e-9 {
				t.Errorf("%v: the units of the %s take %g mm2, it takes %g", args, s.Side, mm2, s.MM2)
			}
			if want := s.MM2 * 100 / s.Rate; math.Abs(s.AtClock/want-1) > 1e-9 || math.Abs(s.At1GHz/(want*s.Clock)-1) > 1e-9 || s.Clock >= s.Timing {
				t.Errorf("%v: %+v", args, s)
			}
			if (s.Paper != nil) != (len(args) > 2) || !strings.Contains(s.Source, "rows.csv") {
				t.Errorf("%v: %+v", args, s)
			}
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"area --lanes 0", "lanes: 0"}, {"area --bits 0", "--bits is 0"}, {"area --values 5", "values a cycle: 5"}, {"area --clock 9GHz", "timing of t264_"}, {"area x", "unknown command"},
	} {
		if _, stderr, code := execute(t, strings.Fields(tt.args)...); code != 2 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
	if stdout, _, code := execute(t, "area", "--csv", "--table", "units"); code != 0 || strings.Count(stdout, "\n") < 12 {
		t.Errorf("the table of units: exit %d, %q", code, stdout)
	}
}
