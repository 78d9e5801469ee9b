package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// sidesOf are the sides that there is hardware of, by the codec of a command line, and those that there is not.
func sidesOf(args []string) (sides, absent []string) {
	if slices.Contains(args, "t265") {
		return []string{"encoder"}, []string{"decoder"}
	}
	return []string{"encoder", "decoder"}, []string{}
}

// TestArea: the units add up to their side, cells and memories to its area, and the paper's figures come only when asked for.
func TestArea(t *testing.T) {
	for _, args := range [][]string{{"area", "--json"}, {"area", "--json", "--paper", "--lanes", "12", "--decoder-lanes", "8", "--bits", "4"},
		{"area", "--json", "--codec", "t265"}, {"area", "--json", "--codec", "t265", "--paper", "--lanes", "12", "--bits", "4", "--frame-mbs", "16"}} {
		stdout, stderr, code := execute(t, args...)
		var j areaJSON
		if err := json.Unmarshal([]byte(stdout), &j); err != nil || code != 0 {
			t.Fatalf("%v: exit %d, %v: %s", args, code, err, stderr)
		}
		want, absent := sidesOf(args)
		if len(j.Sides) != len(want) || !slices.Equal(j.Absent, absent) || j.Codec != "t264" && !slices.Contains(args, j.Codec) {
			t.Fatalf("%v: %s, %d sides, absent %v", args, j.Codec, len(j.Sides), j.Absent)
		}
		for i, s := range j.Sides {
			if s.Side != want[i] {
				t.Errorf("%v: %s, want %s", args, s.Side, want[i])
			}
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
			if (s.Paper != nil) != slices.Contains(args, "--paper") || !strings.Contains(s.Source, "rows.csv") {
				t.Errorf("%v: %+v", args, s)
			}
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"area --lanes 0", "lanes: 0"}, {"area --bits 0", "--bits is 0"}, {"area --values 5", "values a cycle: 5"}, {"area --clock 9GHz", "timing of t264_"}, {"area --codec t265 --clock 9GHz", "timing of t265_enc"}, {"area --codec t265 --lanes 49", "lanes: 49, want 1 to 48"}, {"area --codec t265 --decoder-lanes 4", "the decoder of T.265 does not exist in hardware yet"},
		{"area --codec t265 --values 4", "values a cycle: 4, want 8"}, {"area --codec t266", "--codec t266: there is hardware of t264 and t265"}, {"energy --codec t266", "--codec t266: there is hardware of t264 and t265"}, {"area x", "unknown command"},
	} {
		if _, stderr, code := execute(t, strings.Fields(tt.args)...); code != 2 || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
	if stdout, _, code := execute(t, "area", "--csv", "--table", "units"); code != 0 || strings.Count(stdout, "\n") < 12 {
		t.Errorf("the table of units: exit %d, %q", code, stdout)
	}
}
